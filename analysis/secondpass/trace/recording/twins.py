"""Lets torch.compile read the user's functions without their markers, which it cannot trace."""

from __future__ import annotations

import sys
import types
from typing import Any

from .markers import SOURCES


class Twins:
    """For code objects with markers, those of the same text without."""

    def __init__(self) -> None:
        self.known: dict[types.CodeType, types.CodeType] = {}

    def hook(self, _module: Any) -> None:
        """Called once torch._dynamo has been imported."""
        for name, module in list(sys.modules.items()):
            original = getattr(module, "cleaned_instructions", None) if name.startswith("torch._dynamo") else None
            if original is not None and not hasattr(original, "_sp_original"):
                module.cleaned_instructions = self._without_markers(original)  # type: ignore[attr-defined]

    def _without_markers(self, original: Any) -> Any:
        def cleaned_instructions(code: types.CodeType, *args: Any, **kwargs: Any) -> Any:
            return original(self.twin(code), *args, **kwargs)

        cleaned_instructions._sp_original = original  # type: ignore[attr-defined]
        return cleaned_instructions

    def _pair(self, marked: types.CodeType, plain: types.CodeType) -> None:
        """Remembers, for each code object with markers, the one of the same text without."""
        self.known[marked] = plain
        inner = [[c for c in code.co_consts if isinstance(c, types.CodeType)] for code in (marked, plain)]
        for one, other in zip(*inner):
            if one.co_name == other.co_name and one.co_firstlineno == other.co_firstlineno:
                self._pair(one, other)

    def twin(self, code: types.CodeType) -> types.CodeType:
        if code in self.known or code.co_filename not in SOURCES or "_sp_a" not in code.co_names:
            return self.known.get(code, code)
        path = code.co_filename
        plain = compile(SOURCES[path], path, "exec", dont_inherit=True)
        wanted = (code.co_name, code.co_firstlineno, getattr(code, "co_qualname", ""))
        todo = [plain]
        while todo:
            other = todo.pop()
            if (other.co_name, other.co_firstlineno, getattr(other, "co_qualname", "")) == wanted:
                self._pair(code, other)
                return other
            todo.extend(c for c in other.co_consts if isinstance(c, types.CodeType))
        return code
