"""Whether a text can have anything to do with the error: the one table of words that is asked before anything is run.

A text is looked at if it speaks of autograd and walks a graph, if it may hold a module that keeps state, if it is a
script that never says it needs no gradients, or if a file of the project that it imports walks one (`project/reach.py`
asks that).
"""

from __future__ import annotations

import re

from secondpass.source.attributes import keeps_state

AUTOGRAD = re.compile(
    r"\b(?:torch|(?:pytorch_)?lightning|accelerate|deepspeed|fastai|gpytorch|ignite|skorch|snntorch|spikingjelly"
    r"|transformers)\b|\.backward\("
)
"""Packages that bring autograd along, and the one method that needs no import."""
WALKS = re.compile(
    r"backward|\bgrad\(|autograd|training_step|compute_loss|train_step|closure|grad_fn|get_loss|\bBPTT|\bRTRL"
    r"|\bNeuralNet|\bLearner\(|Trainer\(|create_supervised"
)
"""Words of a text that walks a graph itself, or hands one to what walks it."""
TRAINABLE = re.compile(r"\bnn\.|\bnn\b.*import|requires_grad|Parameter\(")
LOOPS = re.compile(r"^\s*(?:for|while)\b", re.M)
ACTS = re.compile(r"^(?:print\(|for |while |if __name__|\w[\w.]*\(.*\)\s*$|\w+\s*=\s*\w[\w.]*\()", re.M)
"""A line of a script that does something when it is run."""
WITHOUT = re.compile(r"no_grad|inference_mode|grad_enabled")
SUPPRESSES = "secondpass:"
"""A suppression comment: one that silences nothing is told, whatever the text is about."""


def speaks_of_autograd(text: str) -> bool:
    """Whether anything in a text can hold a graph, as far as the text alone can say."""
    return AUTOGRAD.search(text) is not None


def walks(text: str) -> bool:
    """Whether a text may walk a graph."""
    return WALKS.search(text) is not None


def runs_by_itself(text: str) -> bool:
    """Whether the machine has something to find in a text, whatever it imports."""
    return speaks_of_autograd(text) and (walks(text) or keeps_state(text) or _rolls_out(text))


def _rolls_out(text: str) -> bool:
    """Whether a script runs something trainable in a loop without ever switching gradients off."""
    if WITHOUT.search(text):
        return False
    return all(words.search(text) is not None for words in (TRAINABLE, LOOPS, ACTS))


def walks_a_graph(text: str) -> bool:
    """Whether a file that imports this one gets at something that walks a graph."""
    return speaks_of_autograd(text) and walks(text)
