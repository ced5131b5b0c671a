# judge: verdict only
# LSTM (h, c) zeroed once per epoch, returned by forward and fed into the next batch (put right)
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

N_COORD, WIDTH, DEPTH = 6, 16, 2
N_TRACKS, SEQ_LEN, EPOCHS = 8, 5, 2


class TrajectoryNet(nn.Module):
    def __init__(self, n_coord, width, depth):
        super().__init__()
        self.lstm = nn.LSTM(n_coord, width, depth, batch_first=True)
        self.dropout = nn.Dropout(0.1)
        self.head = nn.Linear(width, n_coord)

    def forward(self, x, hid, cell):
        out, (hn, cn) = self.lstm(x, (hid, cell))
        return self.head(self.dropout(out)), (hn, cn)


def load_tracks():
    xs = torch.randn(48, SEQ_LEN, N_COORD)
    ys = torch.roll(xs, -1, dims=1)
    return DataLoader(TensorDataset(xs, ys), batch_size=N_TRACKS, drop_last=True)


tracks = load_tracks()
model = TrajectoryNet(N_COORD, WIDTH, DEPTH)
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

for epoch in range(EPOCHS):
    hid = torch.zeros(DEPTH, N_TRACKS, WIDTH)
    cell = torch.zeros(DEPTH, N_TRACKS, WIDTH)
    running = 0.0
    for count, item in enumerate(tracks, 1):
        optimizer.zero_grad()
        predicted, (hid, cell) = model(item[0], hid, cell)
        hid, cell = hid.detach(), cell.detach()
        loss = criterion(predicted, item[1])
        loss.backward()
        optimizer.step()
        running += loss.item()
    print(f"epoch {epoch}: {running / count:.4f}")
