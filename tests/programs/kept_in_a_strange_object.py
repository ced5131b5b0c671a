"""What lies in an object of a library that is not seen may be another thing after each call of its methods."""

import torch
from torch import nn

try:
    from some_graph_library import Graph
except ImportError:

    class Graph:
        def __init__(self):
            self.edata = {}

        def apply_edges(self, message):
            self.edata.update(message(self))


class Attention(nn.Module):
    def __init__(self, graph):
        super().__init__()
        self.graph = graph
        self.score = nn.Linear(3, 1)

    def edge(self, edges):
        return {"a": self.score(torch.ones(4, 3))}

    def forward(self):
        self.graph.apply_edges(self.edge)
        a = self.graph.edata["a"].softmax(0)
        self.graph.edata["a"] = a
        return a.square().sum()


model = Attention(Graph())
for _ in range(3):
    loss = model()
    loss.backward()
