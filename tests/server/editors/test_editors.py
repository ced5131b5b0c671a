"""Real editors, set up as docs/editors says: open, see, hover, fix, undo, save.

They need what `.ci/editors.sh` installs and are chosen by `pytest -m editors`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from .setup import COLUMN, HERE, MARKED, Desk, blocks, editor, write
from .tui import Screen

pytestmark = pytest.mark.editors

TOOLS = Path.home() / ".cache" / "secondpass-editors"
"""Where `.ci/editors.sh` puts what no package manager installs in its place."""


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.mark.parametrize("mode", ["push", "pull"])
def test_neovim_0_11(desk: Desk, mode: str) -> None:
    nvim = editor("nvim-0.11", str(TOOLS / "neovim/bin/nvim"))
    page = blocks("neovim.md", "lua")[0]
    page = page.replace("cmd =", f"init_options = {{ diagnostics = '{mode}' }},\n  cmd =")
    init = write(desk.home / "init.lua", page)
    desk.drive([nvim, "--headless", "-u", str(init), "-i", "NONE", "-n", "-c", f"luafile {HERE / 'neovim.lua'}"])


def test_neovim_0_7(desk: Desk) -> None:
    init = write(desk.home / "init.lua", blocks("neovim.md", "lua")[1])
    nvim = editor("nvim", "/usr/bin/nvim")
    desk.drive([nvim, "--headless", "-u", str(init), "-i", "NONE", "-n", "-c", f"luafile {HERE / 'neovim.lua'}"])


def test_emacs_with_eglot(desk: Desk) -> None:
    setup = write(desk.home / "setup.el", blocks("emacs.md", "elisp")[0])
    desk.drive([editor("emacs"), "-Q", "--batch", "-l", str(HERE / "eglot.el")], setup=str(setup))


def test_emacs_with_lsp_mode(desk: Desk) -> None:
    """lsp-mode 8 takes UTF-16 columns for characters: it is off by one behind an emoji, whatever a server sends."""
    desk.write_training(desk.training.replace("😀", ""))
    setup = write(desk.home / "setup.el", blocks("emacs.md", "elisp")[1])
    desk.drive([editor("emacs"), "-Q", "--batch", "-l", str(HERE / "lsp_mode.el")], setup=str(setup))


def test_helix(desk: Desk) -> None:
    languages, config = blocks("helix.md", "toml")
    write(desk.home / ".config/helix/languages.toml", languages)
    write(desk.home / ".config/helix/config.toml", config + '[editor.inline-diagnostics]\ncursor-line = "hint"\n')
    hx = editor("hx-secondpass", str(TOOLS / "helix/hx"))
    with Screen([hx, "train.py"], desk.environment, desk.project) as screen:
        screen.wait("rnn = torch")
        screen.wait("● 1")
        screen.write("]d")
        screen.wait("graph of the previous")
        screen.wait(rf"7:{COLUMN + len(MARKED) - 1}")  # the whole of it is selected, the cursor at its end
        screen.wait("⟲")
        screen.key("Space", "k")
        screen.wait(r"SP101")
        screen.key("Escape", "Space", "a")
        screen.wait(r"[Dd]etach|cut")
        screen.key("Enter", "Enter")
        screen.wait(r"h\.detach\(\)")
        screen.gone("● 1")
        screen.write(":w")
        screen.key("Enter")
        screen.wait("written")
    desk.saved()


def test_vim_with_ale(desk: Desk) -> None:
    """ALE takes columns for bytes, whatever a server sends: here the line before the finding is plain."""
    desk.write_training(desk.training.replace("😀é漢", "abc"))
    start = "set nocompatible noswapfile laststatus=2 viminfo=\npackadd! ale\nfiletype plugin on\n"
    own = (
        "let g:ale_linters = {'python': ['secondpass']}\nlet g:ale_hover_cursor = 0\nlet g:ale_virtualtext_cursor = 1\n"
        "set statusline=at\\ %l:%{charcol('.')}\n"
    )
    vimrc = write(desk.home / ".vimrc", start + own + blocks("vim.md", "vim")[0])
    with Screen([editor("vim"), "-u", str(vimrc), "train.py"], desk.environment, desk.project) as screen:
        screen.wait("rnn = torch")
        screen.write("7G")
        screen.wait("graph of the previous", 25)
        screen.write("gg")
        screen.write(":ALENext")
        screen.key("Enter")
        screen.wait(f"at 7:{COLUMN}")
        screen.write("/rnn(inp")
        screen.key("Enter")
        screen.write(":ALEHover")
        screen.key("Enter")
        screen.wait("SP101")
        screen.key("Enter", "Escape")
        screen.write(":pclose")
        screen.key("Enter")
        screen.write("gg/rnn(inp")
        screen.key("Enter")
        screen.write(":ALECodeAction")
        screen.key("Enter")
        screen.wait("[Dd]etach|cut")
        screen.write("1")
        screen.key("Enter")
        screen.wait(r"h\.detach\(\)")
        screen.gone(">>")
        screen.write(":w")
        screen.key("Enter")
        screen.wait("written")
    desk.saved()
