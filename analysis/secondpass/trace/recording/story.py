"""The story of an error, worked out after the engine has raised: who built, consumed and carried the graph."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

from .frames import held_by_frames, local_variables, user_frames
from .graph import Call, engine_order, is_leaf, next_nodes, reachable, saved_state, sequence
from .log import Snapshot, carrying_loop, iteration_in
from .markers import ENTRY, RET, SEQ_BITS, SITES, SOURCES, STMT, Site
from .names import names_of

if TYPE_CHECKING:
    from .session import Session


class Story:
    """Works out, after the engine has raised, who built, consumed and carried the graph."""

    def __init__(
        self,
        session: Session,
        call: Call,
        kind: str,
        error: BaseException,
        frame: Any,
        chain: list[tuple[str, int, str]],
    ) -> None:
        self.session = session
        self.places = session.places
        self.call = call
        self.kind = kind
        self.error = error
        self.frame = frame
        self.chain = chain
        self.inferred = False
        self.owners: dict[Any, int] = {}
        self.loop: int | None = None
        self.repeated: Call | None = None

    def tell(self) -> dict[str, Any]:
        call, session, places = self.call, self.session, self.places
        nodes = call.executed()
        self.owners = session.threads.of(nodes, call.thread)
        earlier = [(other, other.executed()) for other in session.kept if other is not call]
        failing, consumer = self._failing(nodes, earlier)
        walked = next((executed for other, executed in earlier if other is consumer), {})
        old = self._entry(failing, nodes, walked, consumer) if failing is not None else None
        entering = nodes.get(old) if old is not None else None
        told = [node for node in (failing, old, entering) if node is not None]
        where = places.locate({node: (sequence(node), self.owners[node]) for node in told})
        here = places.at(call.thread, call.position)
        there = places.at(consumer.thread, consumer.position) if consumer is not None else None
        self.loop = carrying_loop(here, there or where.get(failing))
        same_line = consumer is not None and consumer.site == call.site
        self.repeated = consumer if same_line and here is not None and here == there else None
        iteration = self._iteration(here, call)
        built = self._built(failing, old, where)
        carried = self._carried(old, entering, where)
        kept = [row.pop("kept") for row in carried if "kept" in row]
        lines = {(place["path"], place["line"]) for place in built}
        built.extend(place for place in kept if (place["path"], place["line"]) not in lines)
        first = carried[0] if carried else None
        built.sort(key=lambda p: not (first and p["path"] == first["path"] and p["line"] == first["line"]))
        stepped = self._stepped(failing) if self.kind == "inplace-version" else []
        return {
            "kind": self.kind,
            **(
                places.link(self.chain[0], call, iteration)
                if self.chain
                else {"path": "", "line": 0, "turn": iteration}
            ),
            "message": str(self.error).splitlines()[0],
            "call": call.function,
            "backward": call.n,
            "retain_graph": call.retain,
            "node": failing.name() if failing is not None else None,
            "loops": places.loops_of(here),
            "loop": places.loop(self.loop) if self.loop is not None else None,
            "chain": [places.link(link, call, iteration) for link in self.chain[1:8]],
            "built": built,
            "consumed": stepped + self._consumed(consumer, there),
            "carried": carried,
            "stepped": stepped,
            "inferred": self.inferred,
            "graph": self._graph(nodes, earlier, failing),
        }  # fmt: skip

    def _iteration(self, snapshot: Snapshot | None, call: Call | None = None) -> int:
        """The iteration of the loop across whose border the graph was carried, else of the innermost loop around it.

        When the same line walks twice within one iteration (a closure, a loop that a library owns), its calls are
        counted.
        """
        if self.repeated is None:
            return iteration_in(snapshot, self.loop)
        if call is None or call.site != self.call.site:
            return 1
        between = (other for other in self.session.calls if self.repeated.n <= other.n < call.n)
        return 1 + sum(other.site == call.site for other in between)

    def _failing(self, nodes: dict[Any, Any], earlier: list[tuple[Call, dict[Any, Any]]]) -> tuple[Any, Call | None]:
        """The node that raised: the first, as the engine goes, that was released before or holds a changed tensor."""
        wanted = "released" if self.kind == "second-time" else "modified"
        limit = self.session.last_unkept.get(self.call.thread, 0)
        for node in engine_order(self.call, nodes):
            if is_leaf(node):
                continue
            consumer = next((other for other, executed in earlier if node in executed), None)
            if wanted == "modified":
                if saved_state(node) == "modified":
                    return node, self._first_call_after(node)
                continue
            if consumer is None and sequence(node) >= limit:
                continue
            state = saved_state(node)
            always_freed = "CopySlices" in node.name()
            if state == "released" or (consumer is not None and always_freed):
                if consumer is None:
                    self.inferred = True
                    consumer = self._first_call_after(node)
                return node, consumer
        return None, None

    def _first_call_after(self, node: Any) -> Call | None:
        """The first call made once the node existed: the one that walked it, as far as can be inferred."""
        number = sequence(node)
        for other in self.session.calls:
            freed = not other.retain or self.kind == "inplace-version"
            if other is not self.call and other.thread == self.call.thread and other.seq > number and freed:
                return other
        return None

    def _entry(self, failing: Any, nodes: dict[Any, Any], walked: dict[Any, Any], consumer: Call | None) -> Any:
        """Of the way from the root to the node that raised, the first node made before its graph was consumed."""
        way = []
        node = failing
        while node is not None:
            way.append(node)
            node = nodes[node]
        for node in reversed(way):
            numbered = consumer is not None and self.owners[node] == consumer.thread
            if sequence(node) < consumer.seq if consumer is not None and numbered else node in walked:
                return node
        return failing

    def _built(
        self, failing: Any, old: Any, where: dict[Any, Snapshot]
    ) -> list[dict[str, Any]]:  # fmt: skip
        places: list[dict[str, Any]] = []
        for node in (old, failing):
            snapshot = where.get(node)
            if snapshot is None:
                continue
            for number in reversed(snapshot.sites):
                site = SITES[number]
                if site.kind in (ENTRY, RET):
                    continue
                place = self.places.place(site, self._iteration(snapshot))
                if place not in places:
                    places.append(place)
        return places[:10]

    def _consumed(
        self, consumer: Call | None, there: Snapshot | None
    ) -> list[dict[str, Any]]:  # fmt: skip
        if consumer is None:
            return []
        iteration = self._iteration(there, consumer)
        places = [self.places.link(consumer.site, consumer, iteration)] if consumer.site else []
        outer = list(reversed(there.sites))[1:6] if there else []
        places += [self.places.place(SITES[number], iteration) for number in outer]
        for place in places:
            place.update(backward=consumer.n, call=consumer.function, inferred=self.inferred)
        return places

    def _carried(
        self, old: Any, entering: Any, where: dict[Any, Snapshot]
    ) -> list[dict[str, Any]]:  # fmt: skip
        """Names that brought the old graph in: bound by a statement that built it, read by one that built on it."""
        rows: list[dict[str, Any]] = []
        before = where.get(old)
        after = where.get(entering)
        builders = [SITES[n] for n in reversed(before.sites)] if before else []
        readers = [names_of(SITES[n]).loads for n in reversed(after.sites)] if after else []
        if not readers and self.call is not None:
            snapshot = self.places.at(self.call.thread, self.call.position)
            readers = [names_of(SITES[n]).loads for n in reversed(snapshot.sites)] if snapshot else []
        for site in builders:
            for stored in sorted(names_of(site).stores):
                tail = stored.rsplit(".", 1)[-1] if "." in stored else None
                if any(stored in loads or (tail and any(n.endswith("." + tail) for n in loads)) for loads in readers):
                    rows.append({"name": stored, **self._spot(site)})
        for name, holder in self._holders(old):
            if all(row["name"] != name for row in rows):
                rows.append({"name": name, **self.places.file(holder[0]), "line": holder[1], **self._kept(name, old)})
        if not rows:
            for site in builders:
                rows.extend({"name": stored, **self._spot(site)} for stored in sorted(names_of(site).stores))
                if rows:
                    break
        return rows[:8]

    def _kept(self, name: str, old: Any) -> dict[str, Any]:
        """The statement that put the tensor where it is kept, if it ran after the tensor was made."""
        tail = name.rsplit(".", 1)[-1]
        for site in self._run_since(old):
            if any(stored == name or ("." in name and stored.endswith("." + tail)) for stored in names_of(site).stores):
                return {**self._spot(site), "kept": self.places.place(site, self._iteration(None))}
        return {}

    def _run_since(self, node: Any) -> list[Site]:
        """The statements run since the node was made, each once, the last first; at most 400."""
        log = self.session.threads.logs.get(self.call.thread)
        start = log.index_of(sequence(node)) if log is not None else None
        if log is None or start is None:
            return []
        events = log.events[start - log.base : self.call.position - log.base]
        seen: dict[tuple[str, int], Site] = {}
        for number in dict.fromkeys(event >> SEQ_BITS for event in reversed(events)):
            site = SITES[number]
            if site.kind == STMT and len(seen) < 400:
                seen.setdefault((site.path, site.line), site)
        return list(seen.values())

    def _spot(self, site: Site) -> dict[str, Any]:
        return {**self.places.file(site.path), "line": site.line}

    def _holders(self, node: Any) -> list[tuple[str, tuple[str, int, str]]]:
        """Variables that hold the node's tensor now."""
        frames = user_frames(self.frame)
        link = self.error.__traceback__
        while link is not None:
            if link.tb_frame.f_code.co_filename in SOURCES and link.tb_frame not in frames:
                frames.append(link.tb_frame)
            link = link.tb_next
        if node is None or "torch" not in sys.modules:
            return []
        return [(n, holder) for n, holder, tensors in held_by_frames(frames) if any(t.grad_fn is node for t in tensors)]

    def _stepped(self, failing: Any) -> list[dict[str, Any]]:
        """What changed the saved tensor: the optimizer steps since, over a leaf of the node; else statements."""
        if failing is None:
            return []
        rows: list[dict[str, Any]] = []
        leaves = {id(n.variable): n.variable for n in reachable([failing], 400) if is_leaf(n)}
        version = re.search(r"is at version (\d+)", str(self.error))
        shape = re.search(r"\[([\d, ]*)\]\]", str(self.error))
        wanted = sorted(int(n) for n in shape.group(1).split(",") if n.strip()) if shape else None
        near = [
            key for key, leaf in leaves.items()
            if version and leaf._version == int(version.group(1)) and sorted(leaf.shape) == wanted
        ]  # fmt: skip
        for step in self.session.steps:
            optimizer = step.optimizer()
            if step.thread != self.call.thread or step.seq <= sequence(failing) or optimizer is None:
                continue
            mine = {id(p) for group in optimizer.param_groups for p in group["params"]}
            hit = [key for key in near if key in mine]
            snapshot = self.places.at(step.thread, step.position)
            if snapshot and snapshot.sites and (hit or (not near and mine & set(leaves))):
                place = self.places.place(SITES[snapshot.sites[-1]], self._iteration(snapshot))
                place["optimizer"] = step.name
                place["parameter"] = self._parameter_name(leaves.get(hit[0])) if hit else None
                rows.append(place)
        return rows[:3] or self._written(failing)

    def _parameter_name(self, leaf: Any) -> str | None:
        """How a frame of the user's calls a parameter: `model.fc.weight`, `self.actor.fc.weight`."""
        module = sys.modules["torch"].nn.Module
        for frame in user_frames(self.frame):
            for space in (local_variables(frame), frame.f_globals):
                for name, value in list(space.items()):
                    if value is leaf:
                        return str(name)
                    own = [("", value)] if isinstance(value, module) else _modules_of(value, module)
                    for way, part in own:
                        for inner, parameter in part.named_parameters():
                            if parameter is leaf:
                                return f"{name}{way}.{inner}"
        return None

    def _written(self, failing: Any) -> list[dict[str, Any]]:
        """The statements run since the node was made that write in place, the last first."""
        rows = [site for site in self._run_since(failing) if names_of(site).in_place]
        return [
            self.places.place(site, self._iteration(self.places.at(self.call.thread, self.call.position)))
            for site in rows[:3]
        ]

    def _graph(
        self, nodes: dict[Any, Any], earlier: list[tuple[Call, dict[Any, Any]]], failing: Any
    ) -> dict[str, Any]:  # fmt: skip
        """A part of the graph small enough to draw: the way to the node that raised first, then its surroundings."""
        chosen: dict[Any, int] = {}
        node = failing
        while node is not None:
            chosen[node] = 0
            node = nodes.get(node)
        for node in nodes:
            if len(chosen) >= 160:
                break
            chosen.setdefault(node, 0)
        chosen = {node: number for number, node in enumerate(chosen)}
        where = self.places.locate({n: (sequence(n), self.owners[n]) for n in chosen if not is_leaf(n)})
        rows = []
        for node, number in chosen.items():
            row: dict[str, Any] = {"id": number, "op": node.name()}
            snapshot = where.get(node)
            if snapshot is not None and snapshot.sites:
                row.update(self.places.place(SITES[snapshot.sites[-1]], self._iteration(snapshot)))
            row["consumed"] = any(node in executed for _, executed in earlier)
            row["raised"] = node is failing
            row["next"] = [chosen[child] for child in next_nodes(node) if child in chosen]
            rows.append(row)
        return {"nodes": rows, "total": len(nodes)}


def _modules_of(value: Any, module: type) -> list[tuple[str, Any]]:
    """The modules that an object or container of the user's holds, each with the way to it."""
    if isinstance(value, dict):
        pairs = [(f"[{key!r:.40}]", item) for key, item in value.items()]
    elif isinstance(value, (list, tuple)):
        pairs = [(f"[{index}]", item) for index, item in enumerate(value[:50])]
    else:
        pairs = [(f".{key}", item) for key, item in getattr(value, "__dict__", {}).items()]
    return [(way, item) for way, item in pairs if isinstance(item, module)]
