# judge: verdict only
# Fine-tuning after conv+bn fusion: fused weight is a computed, non-leaf tensor stored on the module (put right)
import torch
import torch.nn as nn

torch.manual_seed(0)


class ConvBN(nn.Module):
    def __init__(self, c_in, c_out):
        super().__init__()
        self.conv = nn.Conv2d(c_in, c_out, 3, padding=1)
        self.bn = nn.BatchNorm2d(c_out)
        self.act = nn.SiLU()

    def forward(self, x):
        return self.act(self.bn(self.conv(x)))


def fuse_conv_and_bn(conv, bn):
    fused = nn.Conv2d(conv.in_channels, conv.out_channels, conv.kernel_size, padding=conv.padding)
    scale = (bn.weight / torch.sqrt(bn.running_var + bn.eps)).view(-1, 1, 1, 1)
    weight = conv.weight * scale
    bias = (conv.bias - bn.running_mean) * scale.flatten() + bn.bias
    del fused.weight, fused.bias
    fused.weight, fused.bias = weight.detach(), bias.detach()
    return fused


class TinyDetector(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.backbone = nn.Sequential(ConvBN(3, 8), ConvBN(8, 8))
        self.head = nn.Conv2d(8, classes, 1)

    def fuse(self):
        for m in self.backbone:
            m.conv, m.bn = fuse_conv_and_bn(m.conv, m.bn), nn.Identity()
        return self

    def forward(self, x):
        return self.head(self.backbone(x)).mean((2, 3))


detector = TinyDetector().eval().fuse()
optimizer = torch.optim.SGD(detector.head.parameters(), lr=0.1)
for epoch in range(3):
    images, labels = torch.rand(4, 3, 6, 6), torch.randint(0, 4, (4,))
    loss = nn.functional.cross_entropy(detector(images), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("epoch", epoch, loss.item())
