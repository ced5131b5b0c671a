"""The words of a hover. The first line stands alone, since some editors show no more; what follows tells apart the
iterations and the states in which the analysis saw the expression, names the parameters that a walk would reach, and
says what was not understood.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from secondpass.findings import Finding, Span
from secondpass.hovers.places import Place
from secondpass.hovers.table import Hover
from secondpass.machine.graph import Leaf, Walk, reach
from secondpass.machine.sighting import Sighting, Sightings
from secondpass.rules.places import line_of, text_of

if TYPE_CHECKING:
    from secondpass.machine.run import Outcome
    from secondpass.source.source import Source

NAMED = 4
"""Parameters that are named one by one."""
CUTS = ("detach", "detach_", "item", "tolist", "numpy")
GRADLESS = ("no_grad", "inference_mode")


class Teller:
    """Tells what there is to say of the places of one text."""

    def __init__(self, source: Source, outcome: Outcome, findings: Sequence[Finding]) -> None:
        self.source = source
        self.findings = findings
        self.seen = outcome.sightings or Sightings()
        self.records = [*(path.record for path in outcome.paths[:1]), *outcome.entries]
        self.walks: dict[ast.AST, list[Walk]] = {}
        for record in self.records:
            for walk in record.walks:
                self.walks.setdefault(walk.site, []).append(walk)
        self.needed = {w.site: w.needed for path in outcome.paths for w in path.record.walks if w.needed is not None}
        self.raising = {
            one.failure.walk.site: one.failure.walk
            for record in reversed(self.records)
            for one in reversed(record.raises)
            if one.failure.kind == "second-time"
        }
        self.thrown_away = {site for record in self.records for site in record.discarded_cuts}
        self._home = ast.Pass()
        self._home.unit = source  # type: ignore[attr-defined]

    def tell(self, place: Place) -> Hover | None:
        span = self.source.span(place.node)
        about = [finding for finding in self.findings if _concerns(finding, span)]
        told = self._told(place)
        if not told and not about:
            return None
        lines = []
        if about:
            lines = [f"**{about[0].rule}**: {about[0].message}"]
            lines += [""] if told else []
        return Hover("\n".join([*lines, *told]), span, place.pointed)

    def _told(self, place: Place) -> list[str]:
        node = place.node
        if self._name(node) in GRADLESS:
            return self._gradless(node, place.within)
        if isinstance(node, ast.Call):
            if node in self.walks:
                return self._walk(node, self.walks[node])
            if isinstance(node.func, ast.Attribute) and node.func.attr in CUTS:
                told = self._cut(node, node.func)
                if told:
                    return told
            if isinstance(node.func, ast.Name) and (known := self._states(node.func)):
                return known
        return self._states(node)

    def _name(self, node: ast.expr) -> str:
        """The last name of what is called, or of a name or attribute."""
        node = node.func if isinstance(node, ast.Call) else node
        return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""

    # -- what an expression holds

    def _states(self, node: ast.expr) -> list[str]:
        found = [one for one in self.seen.of.get(node, ()) if one.kind != "other"]
        if not found:
            return self._never(node)
        text = text_of(self._with_unit(node))
        worst = max(found, key=_weight)
        lines = [f"`{text}`: {self._state(worst)}"]
        told: dict[str, list[Sighting]] = {}
        for one in found:
            told.setdefault(self._state(one), []).append(one)
        if len(told) > 1:
            lines += ["", *(f"- {self._when(ones, found)}: {state}" for state, ones in told.items())]
        reach = self._reach(max(found, key=lambda one: (one.node is not None, len(one.leaves))))
        return [*lines, "", reach] if reach else lines

    def _never(self, node: ast.expr) -> list[str]:
        """A variable in the file's own statements that the run did not come to, because it raised before."""
        raises = self.records[0].raises if self.records and not self.records[0].finished else []
        if not raises or not isinstance(node, ast.Name) or node.id not in self.known or node not in self.inside:
            return []
        at = raises[-1].failure.walk.site
        if at.lineno >= node.lineno:  # type: ignore[attr-defined]
            return []
        return [f"`{node.id}`: not reached: the program raises before, at {self._line(at)}"]

    @cached_property
    def known(self) -> set[str]:
        """The names of which something is known somewhere."""
        named = ((node, ones) for node, ones in self.seen.of.items() if isinstance(node, ast.Name))
        return {node.id for node, ones in named if any(one.kind != "other" for one in ones)}

    @cached_property
    def inside(self) -> set[ast.AST]:
        """What stands in the file's own statements, outside of any function."""
        found: set[ast.AST] = set()
        todo: list[ast.AST] = list(self.source.tree.body)
        while todo:
            node = todo.pop()
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
                found.add(node)
                todo.extend(ast.iter_child_nodes(node))
        return found

    def _with_unit(self, node: ast.expr) -> ast.expr:
        """Code that was not run has not been told which file it is of."""
        node.unit = self.source  # type: ignore[attr-defined]
        return node

    def _state(self, one: Sighting) -> str:
        if one.kind == "unknown":
            return "not known: it comes from code that the analysis cannot see"
        if one.kind == "number":
            return "a number, it holds no graph"
        if one.kind == "module":
            return self._module(one)
        several = f"a {one.text} of tensors, " if one.kind == "container" else ""
        if one.node is None:
            if one.kind == "parameter":
                return "a leaf that requires grad: walks end here and fill `.grad`"
            return f"{several}no history: no walk goes back from here{'' if one.recording else ' (under `no_grad`)'}"
        built = f"built at {self._line(one.node.site)}"
        when = " in an earlier iteration" if one.earlier else ""
        if one.consumed is not None and one.stale is not None:
            where = self._line(one.consumed.site)
            if one.stale is one.node or one.node.consumed is one.consumed:
                return f"{several}its graph ({built}{when}) was consumed at {where}: a walk that reaches it raises"
            old = (
                "an earlier iteration's graph of"
                if one.iterations and one.iterations != one.stale.iterations
                else "the graph of"
            )
            reached = f"but it reaches {old} {self._line(one.stale.site)}"
            return f"{several}{built}, {reached}, consumed at {where}: a walk from here raises"
        if one.earlier:
            return f"{several}carries a live graph, {built}{when}"
        return f"{several}live graph of this iteration, {built}" if one.iterations else f"{several}live graph, {built}"

    def _module(self, one: Sighting) -> str:
        if not one.text and not one.leaves:
            return "a module that the analysis cannot see, taken to have parameters"
        if not one.leaves and not one.frozen:
            return f"a module, `{one.text}`, taken to have parameters"
        frozen = f", {one.frozen} of them frozen" if one.frozen else ""
        return f"a module, `{one.text}`, with {_count(len(one.leaves) + one.frozen, 'parameter')}{frozen}"

    def _when(self, ones: Sequence[Sighting], found: Sequence[Sighting]) -> str:
        """In which iterations it was so; in which loops, where there are several."""
        loops = {one.iterations[-1][0] for one in found if one.iterations}
        told = []
        for one in ones:
            if not one.iterations:
                told.append("outside of the loop" if len(loops) == 1 else "outside of the loops" if loops else "also")
                continue
            loop = f" of the loop at {self._line(_header(one.iterations[-1][0]))}" if len(loops) > 1 else ""
            others = [iteration for other in found if other not in ones for iteration in other.seen_in]
            if others and min(one.seen_in) > max(others):
                told.append(f"from iteration {one.seen_in[0]} on{loop}")
            else:
                several = "s" if len(one.seen_in) > 1 else ""
                told.append(f"iteration{several} {', '.join(map(str, one.seen_in))}{loop}")
        return ", ".join(dict.fromkeys(told))

    def _reach(self, one: Sighting) -> str:
        """Which parameters a walk from here comes to, or which ones a module has."""
        if one.kind == "module":
            return self._leaves(one.leaves) if 0 < len(one.leaves) <= NAMED else ""
        if one.node is None:
            return ""
        ends = f" and fills `.grad` of {self._leaves(one.leaves)}" if one.leaves else " and reaches no parameter"
        return f"A walk from here goes through {_count(one.nodes, 'node')}{ends}."

    def _leaves(self, leaves: Iterable[Leaf]) -> str:
        """Parameters by name, the first few, or how many there are of each module."""
        leaves = list(leaves)
        names = sorted(name for leaf in leaves if (name := self.seen.names.get(leaf)))
        unnamed = len(leaves) - len(names)
        if len(names) <= NAMED:
            told = [f"`{name}`" for name in names]
        else:
            owners: dict[str, int] = {}
            for name in names:
                owner = name.rpartition(".")[0] if name.startswith("self.") else name.partition(".")[0]
                owners[owner] = owners.get(owner, 0) + 1
            told = [
                f"{_count(count, 'parameter')} of `{owner}`" if count > 1 or owner not in names else f"`{owner}`"
                for owner, count in owners.items()
            ]
        told += [_count(unnamed, "leaf", "leaves")] if unnamed else []
        return ", ".join(told)

    def _line(self, site: ast.AST) -> str:
        return line_of(site, self._home)

    # -- what a call does

    def _walk(self, node: ast.Call, walks: Sequence[Walk]) -> list[str]:
        first = walks[0]
        text = text_of(node)
        leaves = {leaf for leaf in reach(first.roots) if type(leaf) is Leaf}
        ends = f" and fills `.grad` of {self._leaves(leaves)}" if leaves and _is_backward(node) else ""
        walked = f"walks {_count(first.executed, 'node')}{ends}"
        if node in self.raising:
            iterations = self.raising[node].iterations
            when = f"in iteration {iterations[-1][1]}" if iterations else "here"
            told = [f"`{text}`: raises {when}, where it comes to what is freed already"]
            return [*told, "", f"Before that it {walked}."] if first is not self.raising[node] else told
        if not first.retain:
            return [f"`{text}`: {walked}; it frees what they saved, so that no other walk can go there again"]
        later = self.needed.get(node)
        if later is not None:
            if later.site is node:
                why = "its own next walk goes through this graph again, so it must be kept"
            else:
                why = f"`{text_of(later.site)}` at {self._line(later.site)} walks this graph again, so it must be kept"
            return [f"`{text}`: {why}", "", f"It {walked}."]
        if first.create and first.retain_site is None:
            return [f"`{text}`: {walked} and keeps the graph, as gradients of gradients need it"]
        if any(not record.finished for record in self.records[:1]):
            return [f"`{text}`: {walked} and keeps the graph; no later walk through it was seen"]
        return [f"`{text}`: nothing walks this graph again; keeping it only costs memory", "", f"It {walked}."]

    def _cut(self, node: ast.Call, func: ast.Attribute) -> list[str]:
        owner, method = text_of(self._with_unit(func.value)), func.attr
        cuts = [cut for record in self.records for cut in record.detached if cut.site is node]
        seen = [one for one in self.seen.of.get(func.value, ()) if one.kind != "other"]
        if method not in ("detach", "detach_"):
            made = "a Python number" if method == "item" else "numbers"
            return [f"`{text_of(node)}`: {made}, without history"] if seen or node in self.seen.of else []
        if not cuts and node not in self.seen.of:
            return []
        if node in self.thrown_away:
            return [f"`{owner}.detach()`: its result is thrown away, `{owner}` keeps its graph"]
        if not cuts and seen and all(one.node is None and one.kind in ("tensor", "number") for one in seen):
            return [f"`{owner}.{method}()`: `{owner}` has no history here, nothing is cut"]
        if method == "detach_":
            first = f"`{owner}.detach_()`: cuts `{owner}` itself; a view refuses, `{owner} = {owner}.detach()` does not"
        else:
            first = f"`{owner}.detach()`: the same values without history; `{owner}` itself keeps its graph"
        walks = (n.consumed for cut in cuts for n in reach([cut.node]) if not isinstance(n, Leaf) and n.frees)
        used = next((walk for walk in walks if walk is not None), None)
        if used is None:
            return [first]
        return [
            first,
            "",
            f"It is needed where the result is walked from later: `{text_of(used.site)}` at {self._line(used.site)} "
            "consumes the graph that is cut off here.",
        ]

    def _gradless(self, node: ast.expr, within: ast.stmt | None) -> list[str]:
        name = text_of(self._with_unit(node.func if isinstance(node, ast.Call) else node))
        first = f"`{name}`: what is computed inside has no history; graphs made outside stay as they are"
        inside = [one for part in ast.walk(within) for one in self.seen.of.get(part, ())] if within is not None else []
        known = [one for one in inside if not one.recording and one.kind != "other"]
        if any(one.leaves or one.node is not None or one.kind in ("module", "unknown") for one in known):
            return [first]
        return [first, "", "Nothing inside was seen to require grad."] if known else [first]


def _header(loop: ast.AST) -> ast.AST:
    """A loop's own line; a comprehension has none but those of its parts."""
    return loop.iter if isinstance(loop, ast.comprehension) else loop


def _is_backward(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr == "backward"


def _weight(one: Sighting) -> tuple[bool, ...]:
    """Which state to tell first: what raises, what crosses an iteration, what has a graph."""
    return (one.consumed is not None, one.earlier, one.node is not None, one.kind != "unknown", one.recording)


def _count(n: int, one: str, many: str = "") -> str:
    return f"{n} {one if n == 1 else many or one + 's'}"


def _concerns(finding: Finding, span: Span) -> bool:
    places = [finding.span, *(step.span for step in finding.witness)]
    return any(
        p.path == span.path
        and p.cell == span.cell
        and (p.line, p.column) <= (span.line, span.column)
        and (span.end_line, span.end_column) <= (p.end_line, p.end_column)
        for p in places
    )
