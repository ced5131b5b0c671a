# judge: verdict only
# Saliency after the loss: retain_graph=True stands on the second backward, the first one already freed the graph (put right)
import torch
import torch.nn as nn

torch.manual_seed(0)


class SmallCNN(nn.Module):
    def __init__(self, n_classes=4):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 6, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
                                      nn.Conv2d(6, 8, 3, padding=1), nn.ReLU())
        self.classifier = nn.Linear(8 * 6 * 6, n_classes)
        self.activation = None

    def forward(self, x):
        self.activation = self.features(x)
        return self.classifier(self.activation.flatten(1))


class GradCam:
    def __init__(self, model):
        self.model = model

    def __call__(self, output, index=None):
        if index is None:
            index = output.argmax(dim=1)
        one_hot = torch.zeros_like(output)
        one_hot[torch.arange(output.size(0)), index] = 1.0
        score = (one_hot * output).sum()
        act = self.model.activation
        act.retain_grad()
        score.backward(retain_graph=True)
        weights = act.grad.mean(dim=(2, 3), keepdim=True)
        return torch.relu((weights * act).sum(1))


model = SmallCNN()
cam = GradCam(model)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
images, labels = torch.randn(6, 1, 12, 12), torch.randint(0, 4, (6,))
for step in range(3):
    optimizer.zero_grad()
    output = model(images)
    loss = nn.functional.cross_entropy(output, labels)
    loss.backward(retain_graph=True)
    heat = cam(output)
    optimizer.step()
    print(step, round(loss.item(), 4), tuple(heat.shape))
