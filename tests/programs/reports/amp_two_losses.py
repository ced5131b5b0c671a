# judge: verdict only
# Mixed precision, shared encoder, two heads: scaler.scale(loss).backward() per loss
import torch
import torch.nn as nn

torch.manual_seed(0)


class MultiTaskNet(nn.Module):
    def __init__(self, n_in=12, width=32, n_classes=6):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(n_in, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.segmentation = nn.Linear(width, n_classes)
        self.depth = nn.Linear(width, 1)

    def forward(self, x):
        shared = self.encoder(x)
        return self.segmentation(shared), self.depth(shared).squeeze(-1)


class SyntheticRooms(torch.utils.data.Dataset):
    def __len__(self):
        return 32

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        return torch.randn(12, generator=g), torch.randint(0, 6, (), generator=g), torch.rand((), generator=g)


def train_one_epoch(model, loader, optimizer, scaler, device_type="cpu"):
    ce, l1 = nn.CrossEntropyLoss(), nn.L1Loss()
    for x, seg, depth in loader:
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(device_type, dtype=torch.bfloat16):
            seg_logits, depth_pred = model(x)
            loss_seg = ce(seg_logits, seg)
            loss_depth = 0.5 * l1(depth_pred, depth)
        scaler.scale(loss_seg).backward()
        scaler.scale(loss_depth).backward()  # raises
        scaler.step(optimizer)
        scaler.update()
    return loss_seg.item(), loss_depth.item()


model = MultiTaskNet()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
scaler = torch.amp.GradScaler("cpu")
loader = torch.utils.data.DataLoader(SyntheticRooms(), batch_size=8)
print(train_one_epoch(model, loader, optimizer, scaler))
