# judge: verdict only
# Adversarial domain adaptation: discriminator stepped, its old predictions reused in the classifier's loss
import torch
import torch.nn as nn

torch.manual_seed(0)


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


trunk = mlp(10, 32, 16)
classifier = mlp(16, 16, 5)
which_domain = nn.Sequential(mlp(16, 16, 1), nn.Sigmoid())
ce, bce = nn.CrossEntropyLoss(), nn.BCELoss()
task_opt = torch.optim.Adam([*trunk.parameters(), *classifier.parameters()], lr=1e-3)
domain_opt = torch.optim.Adam(which_domain.parameters(), lr=1e-3)


def batches(n):
    for _ in range(n):
        yield torch.randn(8, 10) + 1, torch.randint(0, 5, (8,)), torch.randn(8, 10) - 1


for epoch in range(1):
    for i, (source, labels, target) in enumerate(batches(3)):
        source_feat = trunk(source)
        target_feat = trunk(target)

        domain_opt.zero_grad()
        source_pred = which_domain(source_feat.detach())
        target_pred = which_domain(target_feat.detach())
        domain_loss = 0.5 * (bce(source_pred, torch.ones_like(source_pred)) + bce(target_pred, torch.zeros_like(target_pred)))
        domain_loss.backward(retain_graph=True)
        domain_opt.step()

        task_opt.zero_grad()
        confusion = bce(source_pred, torch.zeros_like(source_pred))
        objective = ce(classifier(source_feat), labels) + 0.1 * confusion
        objective.backward()  # raises: inplace
        task_opt.step()
        print(epoch, i, round(objective.item(), 4), round(domain_loss.item(), 4))
