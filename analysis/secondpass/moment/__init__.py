"""The moment it raises: when PyTorch's error surfaces, our story of it, with its fix, stands below the traceback.

`surfaced` reads the exception, `story` asks the analysis about the sources it passed through; `hook`, `notebook`,
`pytest_plugin` and `script` are the places where exceptions surface. Until one does, nothing of the analysis is run.
Only `script` executes anything: the program a person asked it to run.
"""
