"""Start secondpass' language server with what this interpreter has and what the extension carries.

    launch.py LIBRARIES FIXES

LIBRARIES is the folder with the carried secondpass and its pure-Python dependencies. An interpreter that has
secondpass itself (its project's own version) runs that one instead. FIXES holds one folder for each kind of
interpreter, with the compiled libcst that quick-fixes need; it is used where the interpreter has no libcst.

One line on standard error tells the extension how it went: `secondpass-launch: ` and JSON, with `refused` (why this
interpreter cannot be used) or what was taken from where. Every Python, however old, must be able to read this file.
"""

import json
import sys

OLDEST = (3, 10)


def tell(**what):
    what["executable"] = sys.executable
    what["python"] = ".".join(str(part) for part in sys.version_info[:3])
    sys.stderr.write("secondpass-launch: " + json.dumps(what) + "\n")
    sys.stderr.flush()


def tag():
    """A name for this kind of interpreter: what a compiled module is compiled for."""
    import os
    from importlib.machinery import EXTENSION_SUFFIXES

    name = EXTENSION_SUFFIXES[0].strip(".").rpartition(".")[0]  # cpython-312-x86_64-linux-gnu, cp312-win_amd64
    return name + "-" + os.uname().machine if sys.platform == "darwin" else name


def has(*names):
    from importlib.util import find_spec

    return all(find_spec(name) is not None for name in names)


def main(libraries, fixes):
    import os
    from importlib.metadata import version

    del sys.path[0]  # this file's folder, where nothing is to be imported from
    own = has("secondpass", "secondpass_server", "pygls")
    compiled = "own" if has("libcst") else "private"
    kind = tag()
    private = fixes + os.sep + kind
    if compiled == "private":
        sys.path.append(private)
        compiled = compiled if has("libcst") else "missing"
    broken = None
    if own:
        try:
            from secondpass_server import command_line
        except Exception as error:  # whatever is wrong with it, the carried one can take its place
            broken = type(error).__name__ + ": " + str(error)
            own = False
            for name in list(sys.modules):
                if name.partition(".")[0] in ("secondpass", "secondpass_server", "pygls", "lsprotocol", "cattrs"):
                    del sys.modules[name]
    if not own:
        sys.path.insert(0, libraries)
        from secondpass_server import command_line
    tell(source="own" if own else "carried", version=version("secondpass"), fixes=compiled, tag=kind, broken=broken)
    return command_line.main(["--stdio"])


if __name__ == "__main__":
    if sys.version_info < OLDEST:
        tell(refused="is too old; secondpass needs Python 3.10 or newer")
        sys.exit(3)
    sys.exit(main(*sys.argv[1:3]))
