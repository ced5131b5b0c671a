"""Lists, tuples, sets, deques, dicts, strings and iterators: their methods, elements and lengths."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from secondpass.machine import operators, settings
from secondpass.machine.elements import UNSEEN, Counted, Listed, Sprung
from secondpass.machine.enums import member, members
from secondpass.machine.graph import Node
from secondpass.machine.operators import Vague, key_of, same, vague
from secondpass.machine.values import (
    MISSING,
    BoundName,
    Builtin,
    Class,
    Dict,
    External,
    Function,
    Iter,
    Module,
    Obj,
    Raised,
    Seq,
    Tensor,
    Unknown,
    V,
    Value,
    held,
    tensors_in,
)

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine

MOST = 64
"""How many elements `list(...)` and the like take from an iterator."""
SEQ_METHODS = frozenset(
    (
        "append appendleft extend extendleft insert pop popleft remove clear index count sort reverse copy "
        "add discard update union intersection difference issubset issuperset rotate __len__ __getitem__ "
        "__setitem__ __delitem__ __iter__ __contains__ _asdict _replace"
    ).split()
)
DICT_METHODS = frozenset(
    (
        "keys values items get setdefault update pop popitem clear copy fromkeys move_to_end most_common "
        "__len__ __getitem__ __setitem__ __delitem__ __contains__ __iter__"
    ).split()
)


def attribute(m: Machine, obj: V, name: str) -> V:
    """A method of a container or constant, read without being called."""
    if type(obj) is Seq:
        if name in SEQ_METHODS:
            return BoundName(obj, name)
        if name == "maxlen":
            return obj.limit
        return MISSING
    if type(obj) is Dict:
        return BoundName(obj, name) if name in DICT_METHODS else MISSING
    if type(obj) is Iter:
        return BoundName(obj, name)
    if type(obj) is slice or type(obj) is range:
        return getattr(obj, name, MISSING)
    return BoundName(obj, name) if hasattr(obj, name) else MISSING


def method(m: Machine, obj: V, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`obj.name(...)` on a container, an iterator or a constant."""
    if type(obj) is Seq:
        return _seq(m, obj, name, args, kwargs, site)
    if type(obj) is Dict:
        return _dict(m, obj, name, args, kwargs, site)
    if type(obj) is Iter:
        if name in ("__next__", "send"):
            try:
                value = obj.source.send(args[0]) if name == "send" and args else next(obj.source, MISSING)
            except (StopIteration, AttributeError):
                value = MISSING
            return m.oops("StopIteration", "") if value is MISSING else value
        return None if name == "close" else obj
    return _constant(m, obj, name, args, kwargs)


def _constant(m: Machine, obj: V, name: str, args: list[V], kwargs: dict[str, V]) -> V:
    if obj is None:
        return m.oops("AttributeError", f"None has no attribute {name!r}")
    found = getattr(obj, name, None)
    if found is None:
        return m.oops("AttributeError", f"{type(obj).__name__} has no attribute {name!r}")
    if isinstance(obj, str) and name == "join" and args and type(args[0]) is Seq:
        if not args[0].open and all(isinstance(x, str) for x in args[0].items):
            return obj.join(args[0].items)
        return Unknown("number")
    if any(isinstance(a, Value) for a in args) or kwargs:
        return Unknown("number")
    try:
        return lift(found(*args))
    except Exception as fault:
        return m.oops(type(fault).__name__, str(fault))


def lift(value: Any) -> V:
    """A Python value as a value of the machine."""
    if isinstance(value, (list, tuple, set, frozenset)):
        kind = "set" if isinstance(value, (set, frozenset)) else type(value).__name__
        return Seq(kind if kind in ("list", "tuple", "set") else "tuple", [lift(v) for v in value])
    if isinstance(value, dict):
        return Dict({k: (k, lift(v)) for k, v in value.items()})
    return value


def _put(m: Machine, seq: Seq, item: V, site: ast.AST) -> None:
    if m.iterations:
        m.grown.append(seq)
    for t in tensors_in(item):
        if t.node is not None:
            m.hold(t, "append", site, (id(site), ""), t is not item)
    if m.iterations:
        size = graphs(seq.items) if seq.limit is None else None
        for t in kept_in(item):
            m.note_store("container", site, seq, t, size)


def kept_in(value: V, depth: int = 4) -> Iterator[Tensor]:
    """The tensors that a value keeps: its own, or those of nested containers and plain objects."""
    kind = type(value)
    if kind is Tensor:
        yield value
    elif not depth:
        return
    elif kind is Seq:
        for item in value.items:
            yield from kept_in(item, depth - 1)
    elif kind is Dict:
        for _, item in value.items.values():
            yield from kept_in(item, depth - 1)
    elif kind is Obj and value.cls.native_base() is None:
        for item in value.attrs.values():
            yield from kept_in(item, depth - 1)


def graphs(items: Iterable[V]) -> int:
    """How many tensors with history these values keep."""
    return sum(type(t.node) is Node for item in items for t in kept_in(item))


def _seq(m: Machine, seq: Seq, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    items = seq.items
    if name == "append":
        items.append(args[0] if args else None)
        _resize(seq, 1)
        _put(m, seq, items[-1], site)
        if seq.limit is not None and len(items) > seq.limit:
            del items[0]
        return None
    if name == "appendleft":
        items.insert(0, args[0])
        _resize(seq, 1)
        _put(m, seq, args[0], site)
        if seq.limit is not None and len(items) > seq.limit:
            items.pop()
        return None
    if name in ("extend", "extendleft", "update"):
        for arg in args:
            new, more = collect(m, arg) if type(arg) is not Unknown else ([], True)
            if more:
                seq.open, seq.count = True, None
            for item in new:
                if name == "update" and any(same(item, x) for x in items):
                    continue
                items.append(item)
                _resize(seq, 1)
                _put(m, seq, item, site)
        if seq.limit is not None:
            del items[: max(0, len(items) - seq.limit)]
        return None
    if name == "insert":
        if type(args[0]) is int:
            items.insert(args[0], args[1])
        else:
            items.append(args[1])
        _resize(seq, 1)
        _put(m, seq, args[1], site)
        return None
    if name in ("pop", "popleft"):
        m.record.bounded.add(seq)
        index = 0 if name == "popleft" else args[0] if args else -1
        if not items:
            if seq.open:
                return Unknown()
            return m.oops("IndexError", "pop from empty list")
        if len(items) == 1 and seq.count is not None and seq.count > 1:
            # One of those that are not listed.
            seq.count -= 1
            return items[0] if is_data(items[0]) else Unknown()
        _resize(seq, -1)
        if type(index) is int and -len(items) <= index < len(items):
            return items.pop(index)
        return items.pop()
    if name == "clear":
        m.emptied(seq)
        items.clear()
        seq.open = False
        seq.count = seq.gap = None
        return None
    if name in ("remove", "discard"):
        m.record.bounded.add(seq)
        for i, item in enumerate(items):
            if same(item, args[0]):
                del items[i]
                _resize(seq, -1)
                return None
        return None
    if name == "add":
        if not any(same(args[0], item) for item in items):
            items.append(args[0])
            _resize(seq, 1)
            _put(m, seq, args[0], site)
        return None
    if name == "copy":
        made = Seq(seq.kind, list(items), seq.open)
        made.count, made.gap, made.limit = seq.count, seq.gap, seq.limit
        return made
    if name == "reverse":
        items.reverse()
        return None
    if name in ("sort", "rotate"):
        return None
    if name == "index":
        for i, item in enumerate(items):
            if same(item, args[0]):
                return i
        return m.unknown("number", "index", seq, *args)
    if name == "count":
        if not isinstance(args[0], Value) and not seq.open and all(not isinstance(x, Value) for x in items):
            return items.count(args[0])
        return m.unknown("number", "count", seq, *args)
    if name in ("union", "intersection", "difference"):
        other = [x for a in args for x in collect(m, a)[0]]
        if name == "union":
            return Seq("set", items + [x for x in other if not any(same(x, y) for y in items)], seq.open)
        keep = name == "intersection"
        return Seq("set", [x for x in items if any(same(x, y) for y in other) == keep], seq.open)
    if name == "_asdict" and seq.fields:
        return Dict({f: (f, v) for f, v in zip(seq.fields, items, strict=False)})
    if name == "_replace" and seq.fields:
        made = Seq("tuple", [kwargs.get(f, v) for f, v in zip(seq.fields, items, strict=False)])
        made.fields, made.cls = seq.fields, seq.cls
        return made
    if name == "__len__":
        return length(m, seq)
    if name == "__getitem__":
        return get_item(m, seq, args[0], site)
    if name == "__setitem__":
        set_item(m, seq, args[0], args[1], site)
        return None
    if name == "__delitem__":
        del_item(m, seq, args[0], site)
        return None
    if name == "__contains__":
        return operators.compare(m, ast.In, args[0], seq, site)
    if name == "__iter__":
        return Iter(iter(m.iterate(seq)))
    if type(seq.cls) is not type(None):
        found = seq.cls.lookup(name)
        if type(found) is Function:
            return m.call(found, [seq, *args], kwargs, site)
    if name not in SEQ_METHODS:
        return m.oops("AttributeError", f"{seq.kind} has no attribute {name!r}")
    return m.unknown("number", name, seq)


def _dict(m: Machine, d: Dict, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    items = d.items
    if name == "items":
        return Seq("list", [Seq("tuple", [k, v]) for k, v in entries(d)], d.open)
    if name == "keys":
        return Seq("list", [k for k, _ in entries(d)], d.open)
    if name == "values":
        return Seq("list", [v for _, v in entries(d)], d.open)
    if name in ("get", "pop", "setdefault"):
        found = entry(m, d, args[0], site)
        default = args[1] if len(args) > 1 else kwargs.get("default")
        if found is MISSING:
            if name == "setdefault":
                set_item(m, d, args[0], default, site)
                return default
            if name == "pop" and len(args) < 2 and not d.open:
                return m.oops("KeyError", "key")
            if d.open and len(args) < 2 and not kwargs:
                return Unknown()
            return default
        if name == "pop":
            items.pop(key_of(args[0]), None)
        return found
    if name == "update":
        _update(m, d, args, site)
        for k, v in kwargs.items():
            set_item(m, d, k, v, site)
        return None
    if name == "clear":
        m.emptied(d)
        items.clear()
        d.open = False
        return None
    if name == "copy":
        made = Dict(dict(items), d.default)
        made.open = d.open
        return made
    if name == "popitem":
        if not items:
            return m.oops("KeyError", "empty")
        k, v = items.popitem()[1]
        return Seq("tuple", [k, v])
    if name == "__len__":
        return length(m, d)
    if name == "__getitem__":
        return get_item(m, d, args[0], site)
    if name == "__setitem__":
        set_item(m, d, args[0], args[1], site)
        return None
    if name == "__delitem__":
        del_item(m, d, args[0], site)
        return None
    if name == "__contains__":
        return operators.compare(m, ast.In, args[0], d, site)
    if name == "__iter__":
        return Iter(iterate(m, d), d.open)
    if name == "fromkeys":
        made = Dict()
        for key in collect(m, args[0])[0]:
            set_item(m, made, key, args[1] if len(args) > 1 else None, site)
        return made
    if name == "move_to_end":
        return None
    if name not in DICT_METHODS:
        if items.get(name) is not None and d.default is MISSING:
            return m.call(items[name][1], args, kwargs, site)
        return m.oops("AttributeError", f"dict has no attribute {name!r}")
    return Unknown()


def _update(m: Machine, d: Dict, args: list[V], site: ast.AST) -> None:
    """`dict(...)`, `d.update(...)`: from another dict, from what maps like one, from pairs."""
    for arg in args:
        source = held(arg)
        if type(source) is Dict:
            d.items.update(source.items)
            d.open = d.open or source.open
        elif type(source) is Obj and _maps(source):
            keys, more = collect(m, source)
            for key in keys:
                set_item(m, d, key, get_item(m, source, key, site), site)
            d.open = d.open or more
        elif type(source) is Unknown or type(source) is Obj:
            d.open = True
        else:
            rows, more = collect(m, source)
            d.open = d.open or more
            for row in rows:
                if type(row) is Seq and len(row.items) == 2:
                    set_item(m, d, row.items[0], row.items[1], site)


def _maps(obj: Obj) -> bool:
    """Whether an object is a mapping: it has keys."""
    native = obj.cls.native_base()
    return obj.cls.lookup("keys") is not MISSING or (native is not None and native.has_method("keys"))


def look_up(d: Dict, key: V) -> V:
    """The value under a key. An unknown key finds what an unknown key was stored under: data comes again."""
    k = key_of(key)
    found = d.items.get(k)
    if found is not None:
        return found[1]
    unknown = vague(k)
    for stored in reversed(list(d.items)):
        if vague(stored) if unknown else isinstance(stored, Vague):
            # Two keys that are not known: they may well be two entries.
            d.several = d.several or unknown
            return d.items[stored][1]
    return MISSING


def entries(d: Dict) -> list[tuple[V, V]]:
    """The entries of a dict, as they are gone through. One that was filled under several keys that are not known has
    more than the one that stands for them."""
    listed = list(d.items.values())
    if d.several and len(listed) == 1 and vague(key_of(listed[0][0])):
        listed += [(another(listed[0][0]), another(listed[0][1])) for _ in range(2)]
    return listed


def another(value: V) -> V:
    """A value like this one, of which nothing else is known: what has a history may have any."""
    kind = type(value)
    if kind is Tensor and value.node is None:
        return Tensor(None, None, value.shape)
    if kind is Seq:
        return Seq(value.kind, [another(item) for item in value.items], True)
    if kind is Unknown and value.history is None:
        return Unknown(value.kind, value.label)
    return Unknown("opaque" if isinstance(value, Value) else "number")


def entry(m: Machine, d: Dict, key: V, site: ast.AST) -> V:
    """The value under a key, for a read: which one an unknown key finds is a choice where it makes a difference."""
    found = look_up(d, key)
    if found is not MISSING or type(key) is not Unknown or not d.items:
        return found
    values = [value for _, value in d.items.values()]
    if len(values) == 1 or all(plain(value) for value in values):
        return any_of(key, [k for k, _ in d.items.values()], values)
    picked = settings.pick(m, key, site, [k for k, _ in d.items.values()])
    return look_up(d, picked)


def any_of(key: Unknown, keys: list[V], values: list[V]) -> V:
    """One of these plain values: the one that is believed, or something that may be any of them."""
    believed = settings.belief(key)
    for k, value in zip(keys, values, strict=True):
        if believed is not MISSING and same(k, believed):
            return value
    if all(value is values[0] or same(value, values[0]) for value in values) or any(map(_is_value, values)):
        return values[0]
    made = settings.foreign(key.label)
    made.options = list(values)
    return made


def _is_value(value: V) -> bool:
    return isinstance(value, Value)


def plain(value: V) -> bool:
    """Whether it makes no difference to a graph which of several such values is taken: numbers, words, plain data."""
    if type(value) is Tensor:
        return value.node is None
    if type(value) is Unknown:
        return value.kind in ("number", "data") and value.history is None
    if type(value) is Seq:
        return all(plain(item) for item in value.items)
    return not isinstance(value, Value) or type(value) is Builtin


def get_item(m: Machine, obj: V, index: V, site: ast.AST) -> V:
    """`obj[index]`."""
    kind = type(obj)
    if kind is Tensor:
        return m.library.get_item(m, obj, index, site)
    if type(index) is Unknown and index.known is not MISSING:
        index = index.known
    if kind is Seq:
        return _element(m, obj, index, site)
    if kind is Dict:
        found = entry(m, obj, index, site)
        if found is not MISSING:
            return found
        if obj.default is not MISSING:
            made = m.call(obj.default, [], {}, site)
            obj.items[key_of(index)] = (index, made)
            return made
        if obj.open:
            return Unknown()
        return m.oops("KeyError", str(index))
    if kind is Unknown:
        if obj.items is None:
            obj.items = {}
        key = key_of(index) if not isinstance(index, (Tensor, slice)) else id(index)
        found = obj.items.get(key, MISSING)
        if found is MISSING:
            found = obj.part(f"{obj.label}[{index!r}]" if isinstance(index, str) else f"{obj.label}[...]")
            obj.items[key] = found
        return found
    if kind is Obj:
        found = obj.cls.lookup("__getitem__")
        if type(found) is Function:
            return m.call(found, [obj, index], {}, site)
        native = obj.cls.native_base()
        if native is not None:
            value = native.get_item(m, obj, index, site)
            if value is not MISSING:
                return value
        return Unknown()
    if isinstance(obj, (str, range, bytes)):
        if isinstance(index, (int, slice)):
            try:
                return obj[index]
            except IndexError:
                return m.oops("IndexError", "index")
            except (TypeError, ValueError):
                # A slice whose bounds are not known.
                return Unknown("number")
        return m.unknown("number", "item", obj, index)
    if not isinstance(obj, Value):
        return m.oops("TypeError", f"{type(obj).__name__} is not subscriptable")
    return _of_class(m, obj, index, site)


def _of_class(m: Machine, obj: V, index: V, site: ast.AST) -> V:
    """`Mode["name"]` of an Enum, a metaclass's `__getitem__`; `list[int]` and the like are the class itself."""
    if type(obj) is Class:
        own = obj.meta.lookup("__getitem__") if obj.meta is not None else MISSING
        if type(own) is Function:
            return m.call(own, [obj, index], {}, site)
        found = member(obj, index)
        return obj if found is MISSING else found
    if type(obj) is Builtin or (type(obj) is External and obj.path.rsplit(".", 1)[-1][:1].isupper()):
        return obj
    return Unknown()


def _element(m: Machine, seq: Seq, index: V, site: ast.AST) -> V:
    items = seq.items
    if type(index) is Tensor and index.attrs is not None:
        index = index.attrs.get("@number", index)
    if type(index) is Unknown and index.setting:
        believed = settings.belief(index)
        index = believed if type(believed) is int else index
    if type(index) is int or type(index) is bool:
        if seq.gap is not None:
            return _beside_gap(seq, seq.gap, index)
        if -len(items) <= index < len(items) or reaches(seq, index):
            return items[index]
        if seq.open:
            return items[-1] if items else Unknown()
        return m.oops("IndexError", "list index out of range")
    if type(index) is slice:
        reaches(seq, SOME)
        if all(b is None or type(b) is int for b in (index.start, index.stop, index.step)):
            made = Seq(seq.kind, items[index], seq.open) if seq.gap is None else _around_gap(seq, seq.gap, index)
        else:
            made = Seq(seq.kind, list(items), True)
        if index.start is not None or index.stop is not None:
            m.record.bounded.add(made)  # `last = last[-5:]`
        return made
    if not items:
        if seq.open:
            return Unknown()
        return m.oops("IndexError", "list index out of range")
    return items[0] if type(index) is not Unknown else _somewhere(m, seq, index, site)


def _somewhere(m: Machine, seq: Seq, index: Unknown, site: ast.AST) -> V:
    """The element at an unknown index: the first, or as a choice the last, where that makes a difference."""
    first, last = seq.items[0], seq.items[-1]
    if first is last or (plain(first) and plain(last)):
        return first
    return last if m.choose(settings.stated(site, "the index is that of the last element"), False) else first


def _beside_gap(seq: Seq, gap: int, index: int) -> V:
    """An element of a list that lists those of the first and of the last iterations that filled it."""
    items, count = seq.items, seq.count or 0
    at = index + count if index < 0 else index
    if 0 <= at < gap:
        return items[at]
    if at >= count - (len(items) - gap):
        return items[max(at - count, -len(items))] if at < count else items[-1]
    return items[0] if is_data(items[0]) else Unknown()


def _around_gap(seq: Seq, gap: int, index: slice) -> Seq:
    """A slice of such a list: what is listed of it."""
    count, taken = seq.count or 0, range(seq.count or 0)[index]
    missing = count - len(seq.items)
    head = [item for i, item in enumerate(seq.items[:gap]) if i in taken]
    tail = [item for i, item in enumerate(seq.items[gap:], gap + missing) if i in taken]
    made = Seq(seq.kind, head + tail, len(head) + len(tail) < len(taken))
    if made.open:
        made.count, made.gap = len(taken), len(head)
    return made


def set_item(m: Machine, obj: V, index: V, value: V, site: ast.AST) -> None:
    """`obj[index] = value`."""
    kind = type(obj)
    if kind is Tensor:
        m.library.set_item(m, obj, index, value, site)
        return
    if type(index) is Unknown and index.known is not MISSING:
        index = index.known
    if type(index) is Unknown and index.options is not None and kind in (Seq, Dict):
        index = settings.pick(m, index, site)
    before: V = MISSING
    if kind is Seq:
        if index == slice(None):
            m.replaced(obj, value)
        _set_element(m, obj, index, value)
    elif kind is Dict:
        before = obj.items.get(key_of(index), (None, MISSING))[1]
        m.replaced(before, value)
        obj.items[key_of(index)] = (index, value)
        if type(value) is int and type(obj.items) is dict:
            m.counted(obj.items, key_of(index))
    elif kind is Obj:
        found = obj.cls.lookup("__setitem__")
        if type(found) is Function:
            m.call(found, [obj, index, value], {}, site)
            return
        native = obj.cls.native_base()
        if native is not None:
            native.set_item(m, obj, index, value, site)
        return
    elif kind is Unknown:
        if obj.items is None:
            obj.items = {}
        obj.items[key_of(index) if not isinstance(index, (Tensor, slice)) else id(index)] = value
    if type(value) is Tensor and value.node is not None:
        m.hold(value, "element", site, (id(site), ""))
    elif type(value) is Seq:
        for t in tensors_in(value):
            m.hold(t, "element", site, (id(site), ""), True)
    if m.iterations:
        _note_put(m, obj, index, value, site)


def _note_put(m: Machine, obj: V, index: V, value: V, site: ast.AST) -> None:
    """A slot of a list or dict holds this now. Under a key that is not known it may be in the place of another."""
    found = list(kept_in(value)) if isinstance(value, Value) else []
    if not found:
        return
    key = index if type(index) in (int, str) else key_of(index) if not isinstance(index, (slice, Tensor)) else site
    size = None
    if not isinstance(index, Value):
        items = obj.items if type(obj) is Seq else [v for _, v in obj.items.values()] if type(obj) is Dict else []
        size = graphs(items)
    fixed = type(obj) is Seq
    for number, t in enumerate(found):
        m.note_store("slot", site, (obj, key, number), t, part=fixed)
        m.note_store("container", site, obj, t, size, fixed)


def _set_element(m: Machine, seq: Seq, index: V, value: V) -> None:
    items = seq.items
    if type(index) is int:
        if -len(items) <= index < len(items):
            items[index] = value
            if type(value) is int:
                m.counted(items, index)
        elif not seq.open:
            m.oops("IndexError", "list assignment index out of range")
    elif type(index) is slice:
        new, more = collect(m, value)
        seq.open = seq.open or more
        seq.count = seq.gap = None
        if all(b is None or type(b) is int for b in (index.start, index.stop, index.step)):
            try:
                items[index] = new
            except ValueError:
                m.oops("ValueError", "slice size")
        else:
            items.extend(new)
    elif items:
        items[0] = value


def del_item(m: Machine, obj: V, index: V, site: ast.AST) -> None:
    """`del obj[index]`."""
    if type(obj) is Seq:
        if index != slice(None):
            m.record.bounded.add(obj)
        else:
            m.emptied(obj)
        if type(index) is int and -len(obj.items) <= index < len(obj.items):
            del obj.items[index]
            _resize(obj, -1)
        elif type(index) is slice:
            if all(b is None or type(b) is int for b in (index.start, index.stop, index.step)):
                del obj.items[index]
                if index == slice(None):
                    obj.open = False
                obj.count = obj.gap = None
            else:
                obj.items.clear()
                obj.open = True
                obj.count = None
        elif obj.items:
            del obj.items[0]
            _resize(obj, -1)
    elif type(obj) is Dict:
        obj.items.pop(key_of(index), None)
    elif type(obj) is Obj:
        found = obj.cls.lookup("__delitem__")
        if type(found) is Function:
            m.call(found, [obj, index], {}, site)
        elif held(obj) is not obj:
            del_item(m, held(obj), index, site)


def _resize(seq: Seq, by: int) -> None:
    """A list of which not all elements are listed has one more, or one less."""
    if seq.count is not None:
        seq.count += by
        if seq.limit is not None:
            seq.count = min(seq.count, seq.limit)


def lengthen(seq: Seq, by: int, times: int) -> None:
    """A list that grew by so many elements in an iteration does so again and again: those are not listed."""
    count = (seq.count if seq.open else None) or len(seq.items)
    seq.count = max(count + by * times, 1)
    if seq.limit is not None:
        seq.count = min(seq.count, seq.limit)
    if seq.count == len(seq.items):
        seq.count = None
        return
    seq.open = True
    if seq.gap is None:
        # What the last iteration put there stands at the end.
        seq.gap = max(len(seq.items) - max(by, 0), 0)


def size(m: Machine, value: V) -> int | None:
    """How many iterations a loop over this value has, if that is certain."""
    value = whole(value)
    kind = type(value)
    if kind is Seq:
        return len(value.items) if not value.open else value.count if value.gap is None else None
    if kind is range or kind is str:
        return len(value)
    if kind is Iter:
        return value.size  # type: ignore[no-any-return]
    if kind is Dict:
        return None if value.open else len(value.items)
    if kind is Obj and not any(type(value.cls.lookup(n)) is Function for n in ("__iter__", "__len__", "__getitem__")):
        native = value.cls.native_base()
        found = native.length(m, value) if native is not None else None
        return found if type(found) is int else None
    return None


def length(m: Machine, obj: V) -> V:
    """`len(obj)`."""
    if type(obj) is Seq:
        if not obj.open:
            return len(obj.items)
        if obj.count is not None:
            return obj.count
        size = m.unknown("number", "len", obj, len(obj.items))
        size.least = len(obj.items)
        return size
    if type(obj) is Dict:
        if obj.open or any(vague(k) for k in obj.items):
            return m.unknown("number", "len", obj, len(obj.items))
        return len(obj.items)
    if isinstance(obj, (str, bytes, range)):
        return len(obj)
    if type(obj) is Tensor:
        if obj.shape:
            return obj.shape[0]
        return m.unknown("number", "size", obj.storage, 0)
    if type(obj) is Obj:
        found = obj.cls.lookup("__len__")
        if type(found) is Function:
            return m.call(found, [obj], {}, obj.cls.node or m.site)
        native = obj.cls.native_base()
        if native is not None:
            n = native.length(m, obj)
            if n is not MISSING:
                return n
    if type(obj) is Iter or not isinstance(obj, Value):
        return m.oops("TypeError", "object has no len()")
    return m.unknown("number", "len", obj)


def iterate(m: Machine, value: V) -> Iterator[V]:
    """The elements of a value, one at a time; those of an unknown never end and stay the same from iteration to
    iteration."""
    kind = type(value)
    if kind is Seq:
        return Listed(value, reaches, is_data)
    if kind is Dict:
        return iter([k for k, _ in entries(value)])
    if kind is Iter:
        return value.source  # type: ignore[no-any-return]
    if kind is range:
        return Counted(value.start, value.step, len(value))
    if kind is str or kind is bytes:
        return iter(value)
    if kind is Tensor:
        return iter(m.library.tensor_rows(m, value, m.site))
    if kind is Unknown:
        return _spring(m, value)
    if kind is Obj:
        return _iterate_object(m, value)
    if kind is Class:
        own = value.meta.lookup("__iter__") if value.meta is not None else MISSING
        if type(own) is Function:
            return iterate(m, m.call(own, [value], {}, m.site))
        return iter(members(value))
    if kind is Module or isinstance(value, Value):
        return _spring(m, Unknown())
    m.oops("TypeError", f"{type(value).__name__} object is not iterable")
    return iter(())


def collect(m: Machine, value: V) -> tuple[list[V], bool]:
    """All elements of an iterable (as far as they go), and whether there may be more."""
    value = whole(value)
    if type(value) is Seq:
        reaches(value, SOME)
        return list(value.items), value.open
    unending = endless(value)
    out: list[V] = []
    for item in m.iterate(value):
        out.append(item)
        if len(out) >= (3 if unending else MOST):
            return out, True
    return out, unending


def whole(value: V) -> V:
    """What is iterated where an object is: the list or dict it holds, unless its class has a way of its own."""
    return value if type(value) is Obj and type(value.cls.lookup("__iter__")) is Function else held(value)


def endless(value: V) -> bool:
    """Whether iterating a value has no known end. What the program itself gives, it ends itself."""
    value = whole(value)
    kind = type(value)
    if kind is Obj and type(value.cls.lookup("__iter__")) is Function:
        return False
    if kind is Class:
        return False
    if kind is Seq:
        return bool(value.open)
    if kind is Iter:
        return bool(value.endless)
    if kind is Tensor:
        return not (value.shape and type(value.shape[0]) is int)
    return kind in (Unknown, Obj) or (isinstance(value, Value) and kind is not Dict)


def alike(m: Machine, value: V) -> bool:
    """Whether one element is as good as another: numbers in a row, batches of data; so that a loop may stop early."""
    value = whole(value)
    kind = type(value)
    if kind is Seq:
        return value.open or (all(is_data(i) for i in value.items) and len({_shapes(i) for i in value.items}) <= 1)
    if kind is Iter:
        return bool(value.alike)
    if kind is Obj:
        return m.library.is_instance(m, value, m.external("torch.nn.Module")) is not True
    return kind is not Dict and kind is not str


def _shapes(item: V) -> Any:
    """The shapes inside an element: a smaller last batch is not like the others."""
    if type(item) is Seq:
        return tuple(_shapes(x) for x in item.items)
    if type(item) is Tensor and item.shape is not None:
        return tuple(s if type(s) is int else -1 for s in item.shape)
    return None


def is_data(item: V) -> bool:
    if type(item) is Tensor:
        return item.node is None
    if type(item) is Seq:
        return any(isinstance(x, Value) for x in item.items) and all(is_data(x) or type(x) is int for x in item.items)
    return type(item) is Unknown and item.kind != "opaque"


SOME = 6
"""How many elements of a list that makes its elements on demand are made for whoever takes several at once."""


def reaches(seq: Seq, index: int) -> bool:
    """Whether a list has an element there, made now if need be."""
    while seq.more is not None and len(seq.items) <= index:
        made = next(seq.more, MISSING)
        if made is MISSING:
            seq.more, seq.open = None, False
        else:
            seq.items.append(made)
    return 0 <= index < len(seq.items)


def _spring(m: Machine, value: Unknown) -> Iterator[V]:
    return Sprung(lambda i: get_item(m, value, i, m.site))


def _iterate_object(m: Machine, obj: Obj) -> Iterator[V]:
    own = obj.cls.lookup("__iter__")
    if type(own) is Function:
        made = m.call(own, [obj], {}, m.site)
        if made is obj:
            return _next_calls(m, obj)
        again: Iterator[V] = iterate(m, made)
        return again
    native = obj.cls.native_base()
    if native is not None:
        found: Iterator[V] | None = native.iterate(m, obj, m.site)
        if found is not None:
            return found
    get = obj.cls.lookup("__getitem__")
    if type(get) is Function:
        return _index_calls(m, obj, get)
    return _spring(m, Unknown())


def _next_calls(m: Machine, obj: Obj) -> Iterator[V]:
    step = obj.cls.lookup("__next__")
    while type(step) is Function:
        m.trying += 1
        try:
            value = m.call(step, [obj], {}, m.site)
        except Raised as stop:
            if stop.name == "StopIteration":
                return
            raise
        finally:
            m.trying -= 1
        yield value


def _index_calls(m: Machine, obj: Obj, get: Function) -> Iterator[V]:
    size = length(m, obj)
    for i in range(UNSEEN) if type(size) is not int else range(size):
        m.trying += 1
        try:
            value = m.call(get, [obj, i], {}, m.site)
        except Raised as stop:
            if stop.name == "IndexError":
                return
            raise
        finally:
            m.trying -= 1
        yield value
