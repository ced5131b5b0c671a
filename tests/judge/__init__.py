"""PyTorch is the judge: random training programs, their truth under torch, and the comparison with secondpass.

`forkserver` runs programs under torch, `generate` writes them, `compare` sets the two verdicts side by side,
`shrink` makes a disagreement small. From a shell: `python -m tests.judge --count 2000 --seed 1`.
"""
