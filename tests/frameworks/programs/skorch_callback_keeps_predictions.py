import numpy as np
from skorch import NeuralNetRegressor
from skorch.callbacks import Callback
from torch import nn


class Keep(Callback):
    def on_train_begin(self, net, **kwargs):
        self.kept = []

    def on_batch_end(self, net, training=False, loss=None, y_pred=None, **kwargs):
        if training:
            self.kept.append(loss)  # want: SP302


net = NeuralNetRegressor(
    nn.Linear,
    module__in_features=3,
    module__out_features=1,
    max_epochs=2,
    batch_size=4,
    train_split=None,
    verbose=0,
    callbacks=[Keep],
)
net.fit(np.random.randn(16, 3).astype("float32"), np.random.randn(16, 1).astype("float32"))
