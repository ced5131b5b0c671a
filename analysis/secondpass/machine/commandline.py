"""The command line, the environment and files of settings: `argparse`, click, typer, `os.environ`, json and the like.

Each option is a setting (settings.py): believed to be its default, and a choice of the values it names.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from secondpass.machine.containers import collect, lift
from secondpass.machine.derived import shown
from secondpass.machine.native import Native
from secondpass.machine.settings import foreign, setting
from secondpass.machine.values import MISSING, Builtin, Class, Dict, External, Obj, Partial, Seq, Unknown, V, held

if TYPE_CHECKING:
    from secondpass.machine.machine import Machine

Run = Callable[["Machine", list[V], dict[str, V], ast.AST], V]
FUNCTIONS: dict[str, Run] = {}
CONFIGURES = frozenset(
    (
        "argparse json yaml toml tomllib tomli configparser click typer omegaconf hydra absl dotenv environs environ "
        "yacs ml_collections configargparse jsonargparse docopt simple_parsing tyro decouple ruamel gin sacred munch"
    ).split()
)
"""Packages that read settings: what their functions return comes from outside of the program."""


def function(*paths: str) -> Callable[[Run], Run]:
    def register(run: Run) -> Run:
        for path in paths:
            FUNCTIONS[path] = run
        return run

    return register


# --- argparse ------------------------------------------------------------------------------------------------------


class Namespace(Native):
    """What `parse_args` returns: every option that is not seen is a setting too."""

    name = "argparse.Namespace"

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        obj.attrs.update(kwargs)

    def attribute(self, m: Machine, obj: Obj, name: str, site: ast.AST) -> V:
        if name.startswith(("_", "@")):
            return MISSING
        made = obj.attrs[name] = foreign(f"args.{name}")
        return made


class Parser(Native):
    """`argparse.ArgumentParser`, its groups and subcommands: they share one table of options."""

    name = "argparse.ArgumentParser"

    def init(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> None:
        options = obj.attrs["@options"] = {}
        parents = kwargs.get("parents")
        for parent in parents.items if type(parents) is Seq else ():
            if type(parent) is Obj:
                options.update(parent.attrs.get("@options", {}))

    def has_method(self, name: str) -> bool:
        return hasattr(self, f"do_{name}")

    def method(self, m: Machine, obj: Obj, name: str, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        run = getattr(self, f"do_{name}", None)
        if run is not None and "@options" in obj.attrs:
            return run(m, obj, args, kwargs, site)
        return None if name in ("print_help", "print_usage") else foreign(name)

    def part(self, obj: Obj) -> Obj:
        made = Obj(Class("ArgumentParser", [], {}, PARSER))
        made.attrs["@options"] = obj.attrs["@options"]
        return made

    def do_add_argument(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        names = [a for a in args if isinstance(a, str)]
        name = kwargs.get("dest")
        if not isinstance(name, str):
            long = [n for n in names if n.startswith("--")] or names
            if not long:
                return foreign("action")
            name = long[0].lstrip("-").replace("-", "_")
        required = kwargs.get("required") is True or not any(n.startswith("-") for n in names)
        obj.attrs["@options"][name] = _option(m, name, kwargs, required)
        return foreign("action")

    def do_add_argument_group(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return self.part(obj)

    do_add_mutually_exclusive_group = do_add_argument_group

    def do_add_subparsers(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        made = self.part(obj)
        made.attrs["@dest"] = kwargs.get("dest")
        return made

    def do_add_parser(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        made, dest = self.part(obj), obj.attrs.get("@dest")
        if isinstance(dest, str) and args and isinstance(args[0], str):
            _also(obj.attrs["@options"], dest, args[0])
        made.attrs["@command"] = True
        return made

    def do_set_defaults(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        for name, value in kwargs.items():
            if obj.attrs.get("@command"):
                _also(obj.attrs["@options"], name, value)
            else:
                obj.attrs["@options"][name] = value
        return None

    def do_parse_args(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        options = obj.attrs["@options"]
        made = args[1] if len(args) > 1 else kwargs.get("namespace")
        if type(made) is not Obj:
            made = Obj(Class("Namespace", [], {}, NAMESPACE))
        given = args[0] if args else kwargs.get("args")
        nothing = type(given) is Seq and not given.items and not given.open
        for name, value in options.items():
            # `parse_args([])`: the defaults are certain.
            certain = nothing and type(value) is Unknown and value.setting and value.believed is not MISSING
            made.attrs[name] = value.believed if certain else value
        return made

    do_parse_intermixed_args = do_parse_args

    def do_parse_known_args(self, m: Machine, obj: Obj, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        return Seq("tuple", [self.do_parse_args(m, obj, args, kwargs, site), foreign("rest")])


def _option(m: Machine, name: str, kwargs: dict[str, V], required: bool) -> V:
    """The setting behind one `add_argument`."""
    action, kind = kwargs.get("action"), kwargs.get("type")
    default = kwargs.get("default", MISSING if required else None)
    if action in ("store_true", "store_false"):
        default = kwargs.get("default", action == "store_false")
        return setting(f"args.{name}", default, [False, True])
    if type(action) is External and action.path.endswith("BooleanOptionalAction"):
        return setting(f"args.{name}", default, [False, True])
    if isinstance(default, str) and type(kind) is Builtin and kind.name in ("int", "float"):
        default = _converted(kind.name, default)
    choices = kwargs.get("choices")
    listed = collect(m, choices)[0] if choices is not None else []
    if any(isinstance(c, Unknown) for c in listed):
        listed = []
    return setting(f"args.{name}", default, listed or None)


def _converted(kind: str, text: str) -> V:
    try:
        return int(text) if kind == "int" else float(text)
    except ValueError:
        return text


def _also(options: dict[str, V], name: str, value: V) -> None:
    """One more value that an option may have: it is another with each subcommand."""
    before = options.get(name)
    if type(before) is not Unknown or not before.setting:
        before = options[name] = foreign(f"args.{name}")
        before.options = []
    if before.options is not None and value not in before.options:
        before.options.append(value)


PARSER, NAMESPACE = Parser(), Namespace()
NATIVES: dict[str, Native] = {
    "argparse.ArgumentParser": PARSER,
    "configargparse.ArgumentParser": PARSER,
    "configargparse.ArgParser": PARSER,
    "argparse.Namespace": NAMESPACE,
}


# --- click, typer, hydra -------------------------------------------------------------------------------------------


@function("click.option", "click.argument")
def click_option(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`@click.option("--steps", default=4)`: the command is called without that argument, and has it all the same."""
    names = [a for a in args if isinstance(a, str)]
    plain = [n for n in names if not n.startswith("-")] or [n for n in names if n.startswith("--")] or names
    if not plain:
        return Builtin("option", lambda m, more, named, site: more[0] if more else None)
    name = plain[0].split("/")[0].lstrip("-").replace("-", "_").lower()
    kind, flag = kwargs.get("type"), kwargs.get("is_flag") is True or "/" in plain[0]
    default = kwargs.get("default", False if flag else MISSING if kwargs.get("required") is True else None)
    listed = kind.attrs.get("choices") if type(kind) is Obj else None
    option = setting(f"`{name}`", default, [False, True] if flag else listed)
    return Builtin("option", lambda m, more, named, site: Partial(more[0], [], {name: option}))


@function("click.Choice")
def click_choice(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    made = Obj(Class("Choice", [], {}))
    made.attrs["choices"] = collect(m, args[0])[0] if args else []
    return made


@function("typer.Option", "typer.Argument")
def typer_option(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    default = args[0] if args else kwargs.get("default", MISSING)
    return setting("option", MISSING if default is Ellipsis else default)


@function("typer.run")
def typer_run(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return m.call(args[0], [], {}, site)


@function("hydra.main")
def hydra_main(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """`@hydra.main(...)`: the function is called without arguments and gets its configuration from a file."""
    return Builtin("main", lambda m, more, named, site: Partial(more[0], [foreign("cfg")], {}))


# --- the environment, files ----------------------------------------------------------------------------------------


@function("os.environ.get", "os.getenv")
def environment(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    name = args[0] if args else kwargs.get("key")
    default = args[1] if len(args) > 1 else kwargs.get("default")
    return setting(name if isinstance(name, str) else "environ", default)


def _reader(read: Callable[[str], Any]) -> Run:
    def run(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
        if args and isinstance(args[0], str):
            try:
                return lift(read(args[0]))
            except Exception as fault:
                return m.oops(type(fault).__name__, str(fault))
        return foreign("settings")

    return run


def _json(text: str) -> Any:
    import json

    return json.loads(text)


FUNCTIONS["json.loads"] = _reader(_json)
FUNCTIONS["ast.literal_eval"] = _reader(ast.literal_eval)


# --- configurations ------------------------------------------------------------------------------------------------


@function("omegaconf.OmegaConf.create", "omegaconf.OmegaConf.structured", "omegaconf.OmegaConf.merge")
def configuration(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """What is written in the program is known; a file or the command line may say otherwise of any entry."""
    return shown(m, [m.call(a, [], {}, site) if type(a) is Class else a for a in args], site)


@function("omegaconf.OmegaConf.to_container", "omegaconf.OmegaConf.to_object")
def plain_configuration(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    if type(held(args[0])) is not Dict:
        return args[0]
    made = Dict({k: (k, plain_configuration(m, [v], {}, site)) for k, (_, v) in held(args[0]).items.items()})
    made.open = held(args[0]).open
    return made


@function("omegaconf.OmegaConf.set_struct", "omegaconf.OmegaConf.set_readonly", "omegaconf.OmegaConf.resolve")
def unchanged(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    return None


@function("tyro.cli", "simple_parsing.parse", "pyrallis.parse", "draccus.parse", "jsonargparse.CLI")
def from_fields(m: Machine, args: list[V], kwargs: dict[str, V], site: ast.AST) -> V:
    """A dataclass whose fields are options: their defaults are believed."""
    cls = args[0] if args else kwargs.get("config_class")
    made = m.call(cls, [], {}, site) if type(cls) is Class else foreign("config")
    if type(made) is Obj:
        for name, value in list(made.attrs.items()):
            made.attrs[name] = setting(f"config.{name}", value)
    return made
