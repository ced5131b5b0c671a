import numpy as np
from skorch import NeuralNetRegressor
from torch import nn


class Smoothed(NeuralNetRegressor):
    def initialize(self):
        super().initialize()
        self.level_ = None
        return self

    def get_loss(self, y_pred, y_true, X=None, training=False):
        loss = super().get_loss(y_pred, y_true, X=X, training=training)
        if not training:
            return loss
        level = y_pred.mean()
        if self.level_ is not None:
            level = 0.9 * self.level_ + 0.1 * level  # want: SP101
        self.level_ = level
        return loss + 0.1 * (y_pred - level).pow(2).mean()


net = Smoothed(
    nn.Linear, module__in_features=3, module__out_features=1, max_epochs=2, batch_size=4, train_split=None, verbose=0
)
net.fit(np.random.randn(16, 3).astype("float32"), np.random.randn(16, 1).astype("float32"))  # raises
