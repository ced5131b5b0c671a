# judge: verdict only
# style transfer: gram targets of an unfrozen extractor kept with graph
import torch
import torch.nn as nn
import torch.nn.functional as F


def gram(feat):
    b, c, h, w = feat.shape
    f = feat.reshape(b * c, h * w)
    return f @ f.t() / (b * c * h * w)


class StyleLoss(nn.Module):
    def __init__(self, target_feature):
        super().__init__()
        self.target = gram(target_feature)
        self.loss = None

    def forward(self, x):
        self.loss = F.mse_loss(gram(x), self.target)
        return x


class ContentLoss(nn.Module):
    def __init__(self, target):
        super().__init__()
        self.target = target
        self.loss = None

    def forward(self, x):
        self.loss = F.mse_loss(x, self.target)
        return x


def backbone():
    torch.manual_seed(0)
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(),
        nn.Conv2d(8, 8, 3, padding=1), nn.ReLU(),
        nn.AvgPool2d(2),
        nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(),
    ).eval()


def build(cnn, style_img, content_img, style_at=(1, 2, 3), content_at=(2,)):
    model, style_losses, content_losses, i = nn.Sequential(), [], [], 0
    for layer in cnn:
        model.append(layer)
        if isinstance(layer, nn.Conv2d):
            i += 1
            if i in content_at:
                node = ContentLoss(model(content_img))
                model.append(node)
                content_losses.append(node)
            if i in style_at:
                node = StyleLoss(model(style_img))
                model.append(node)
                style_losses.append(node)
    return model, style_losses, content_losses


def transfer(content, style, steps=12, style_weight=1e4, content_weight=1.0):
    model, sl, cl = build(backbone(), style, content)
    image = content.clone().requires_grad_(True)
    optimizer = torch.optim.Adam([image], lr=0.03)
    for step in range(steps):
        optimizer.zero_grad()
        model(image.clamp(0, 1))
        s = sum(m.loss for m in sl) * style_weight
        c = sum(m.loss for m in cl) * content_weight
        (s + c).backward()  # raises
        optimizer.step()
        if step % 4 == 0:
            print(f"step {step:3d} style {s.item():.4f} content {c.item():.4f}")
    return image.detach().clamp(0, 1)


if __name__ == "__main__":
    out = transfer(torch.rand(1, 3, 16, 16), torch.rand(1, 3, 16, 16))
    print(out.mean())
