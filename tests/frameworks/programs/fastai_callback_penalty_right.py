import torch
from fastai.callback.core import Callback
from fastai.data.core import DataLoaders
from fastai.learner import Learner
from fastai.optimizer import SGD
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Drift(Callback):
    previous = None

    def after_loss(self):
        if not self.training:
            return
        if self.previous is not None:
            self.learn.loss_grad = self.loss_grad + (self.pred.mean() - self.previous).pow(2)
        self.previous = self.pred.mean().detach()


data = DataLoader(TensorDataset(torch.randn(8, 3), torch.randn(8, 1)), batch_size=2)
learn = Learner(DataLoaders(data, data), nn.Linear(3, 1), loss_func=nn.MSELoss(), opt_func=SGD, cbs=[Drift()])
learn.fit(1)
