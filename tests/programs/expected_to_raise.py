"""A test that says that a walk raises: it does, and that is as it should be."""

import unittest

import torch


class Twice(unittest.TestCase):
    def runTest(self):
        w = torch.randn(3, requires_grad=True)
        loss = w.exp().sum()
        loss.backward()
        with self.assertRaises(RuntimeError):
            loss.backward()
        with self.assertRaisesRegex(RuntimeError, "second time") as told:
            loss.backward()
        assert "freed" in str(told.exception)


Twice().runTest()


def raises(kind):
    return unittest.TestCase().assertRaises(kind)


w = torch.randn(3, requires_grad=True)
loss = w.exp().sum()
loss.backward()
with raises(RuntimeError):
    loss.backward()
loss.backward()  # raises  # want: SP102
