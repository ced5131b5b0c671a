"""Works in a real JupyterLab with a real Chromium, run by the interpreter that JupyterLab is installed for.

`python jupyterlab.py URL FOLDER`: opens the notebook at URL, sees the finding in its cell, reads it, fixes it by
typing, sees it go, saves; pictures go to FOLDER. Exit status 0 only if all of it was seen.
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright  # type: ignore[import-not-found,unused-ignore]

SECOND = 1000
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]


def work(page: Page, url: str, pictures: Path) -> None:
    page.goto(url)
    page.locator(".jp-Notebook .jp-CodeCell").first.wait_for(timeout=60 * SECOND)
    mark = page.locator(".jp-Notebook .cm-lintRange").first
    mark.wait_for(state="attached", timeout=60 * SECOND)
    marked = "".join(page.locator(".jp-Notebook .cm-lintRange").all_inner_texts())
    assert marked == "rnn(inp, h)", f"the mark is on {marked!r}"
    box = mark.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.locator(".cm-tooltip", has_text="graph of the previous").first.wait_for(timeout=15 * SECOND)
    page.screenshot(path=pictures / "jupyterlab-finding.png")

    page.mouse.move(600, 700)
    page.wait_for_timeout(600)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.keyboard.down("Control")
    for step in (1, 0):
        page.mouse.move(box["x"] + box["width"] / 2 + step, box["y"] + box["height"] / 2)
    page.locator(".lsp-hover, .jp-Tooltip").filter(has_text="SP101").first.wait_for(timeout=15 * SECOND)
    page.screenshot(path=pictures / "jupyterlab-hover.png")
    page.keyboard.up("Control")
    page.mouse.move(600, 700)

    page.locator(".jp-Notebook .cm-line", has_text="rnn(inp, h)").first.click()
    page.keyboard.press("Home")
    page.keyboard.type("h = h.detach()\n")
    expect(page.locator(".jp-Notebook .cm-lintRange")).to_have_count(0, timeout=20 * SECOND)
    page.screenshot(path=pictures / "jupyterlab-fixed.png")
    page.keyboard.press("Control+s")
    page.wait_for_timeout(1 * SECOND)


def main(url: str, pictures: Path) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", headless=True, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        try:
            work(page, url, pictures)
        except Exception:
            page.screenshot(path=pictures / "jupyterlab-failed.png")
            raise
        finally:
            browser.close()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
