// A workspace of two folders and a Python that has secondpass, libcst and PyTorch itself.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { cleanUp, Code, FULL, picturesOfFailures, until } from "./code";
import { CARRIED, FAULT, NOTEBOOK, TWICE, TWICE_FIXED } from "./programs";

let code: Code;

beforeAll(async () => {
  code = await Code.start({
    python: FULL,
    files: {
      "two.code-workspace": JSON.stringify({ folders: [{ path: "first" }, { path: "second" }] }),
      "first/train.py": CARRIED,
      "first/twice.py": TWICE,
      "first/slow.py": "import time\n\ntime.sleep(100)\n",
      "first/cells.ipynb": NOTEBOOK,
      "second/other.py": CARRIED,
      "second/quiet.py": TWICE,
      "second/.vscode/settings.json": JSON.stringify({ "secondpass.ignore": ["SP105"] }),
    },
    workspace: "two.code-workspace",
    user: {
      "workbench.colorTheme": "Default Dark Modern",
      "editor.codeActionsOnSave": { "source.fixAll.secondpass": "explicit" },
    },
  });
});
beforeEach(() => picturesOfFailures(() => code));
afterAll(async () => {
  await code.stop();
  await cleanUp();
});

describe.sequential("a Python that has everything", () => {
  test("the project's own version wins", async () => {
    await code.load();
    await code.trust();
    await code.openFile("train.py");
    await code.squiggles().first().waitFor({ state: "attached" });
    await code.says(/your project's own/);
    expect(await code.said()).not.toContain("libcst");
  });

  test("each folder of the workspace has its own settings", async () => {
    await code.openFile("other.py");
    await code.squiggles().first().waitFor({ state: "attached" });
    await code.says(/1 finding in this file/);
    await code.openFile("quiet.py");
    await code.says(/No findings in this file/);
    await code.openFile("twice.py");
    await code.says(/1 finding in this file/);
  });

  test("safe fixes on save", async () => {
    await code.openFile("twice.py");
    await code.squiggles().first().waitFor({ state: "attached" });
    await code.caret("import torch");
    await code.page.keyboard.press("Control+End");
    await code.page.keyboard.type("# end");
    await code.says(/1 finding in this file/);
    await code.page.keyboard.press("Control+S");
    await until(() => code.read("first/twice.py") !== TWICE, "the file is saved with its fix");
    expect(code.read("first/twice.py")).toBe(`${TWICE_FIXED}# end`);
    await until(async () => (await code.squiggles().count()) === 0, "no squiggle");
  });

  test("the graph: nodes, theme, keys, and a click that jumps", async () => {
    await code.openFile("train.py");
    await code.squiggles().first().waitFor({ state: "attached" });
    await code.caret(FAULT);
    await code.command("secondpass: Show graph across turns");
    const view = code.webview();
    await view.locator(".picture svg a").first().waitFor();
    expect(await view.locator(".picture a.consumed .cross").count()).toBeGreaterThan(0);
    expect(await view.locator(".picture path.carried").count()).toBeGreaterThan(0);
    const background = await view.locator("rect.page").evaluate((page) => getComputedStyle(page).fill);
    expect(background).toBe("rgb(31, 31, 31)"); // the dark theme's
    await code.page.waitForTimeout(300);
    await code.shot("graph", 580);

    const seen = () => view.locator(".picture svg").getAttribute("viewBox");
    const before = await seen();
    await view.getByRole("button", { name: "Zoom in" }).click();
    expect(await seen()).not.toBe(before);
    await code.page.keyboard.press("0");
    await until(async () => (await seen()) === before, "0 fits the picture again");
    const nodes = view.locator(".picture a[data-line='16']");
    expect(await nodes.first().getAttribute("aria-label")).toContain("loss.backward()");
    await nodes.first().focus();
    await code.page.keyboard.press("Enter");
    const cursor = code.page.locator(".statusbar-item", { hasText: "Ln 16, Col 5" });
    await cursor.waitFor();
    await view.locator(".picture a[data-line='12']").first().click();
    await code.page.locator(".statusbar-item", { hasText: "Ln 12, Col" }).waitFor();
    await code.command("View: Close All Editors");
  });

  test("a traced run confirms the finding in place", async () => {
    await code.openFile("train.py");
    await code.page.locator(".codelens-decoration a", { hasText: "Validate with a traced run" }).first().click();
    await code.toast(/the traced run says: 1 confirmed/).waitFor({ timeout: 50_000 });
    const box = await code.place(FAULT);
    await code.page.mouse.move(box.x + 20, box.y + box.height / 2);
    await code.page.locator(".monaco-hover", { hasText: /traced run says: confirmed/ }).first().waitFor();
    await code.shot("traced", 738);
    await code.page.mouse.move(1000, 700);
    await code.command("Notifications: Clear All Notifications");
  });

  test("a traced run that takes long can be cancelled", async () => {
    await code.openFile("slow.py");
    await code.caret("import time");
    await code.command("secondpass: Validate with a traced run");
    const progress = code.toast("traced run");
    await progress.getByRole("button", { name: "Cancel" }).click();
    await code.toast("the traced run was cancelled").waitFor();
    await code.command("Notifications: Clear All Notifications");
  });

  test("a rule's page, beside the code", async () => {
    await code.openFile("train.py");
    await code.caret(FAULT);
    const rows = await code.fixes();
    await rows.filter({ hasText: "Explain SP101" }).click();
    await code.page.locator(".tab", { hasText: "SP101.txt" }).waitFor();
    await code.page.locator(".view-line", { hasText: "SP101" }).first().waitFor();
    await code.command("View: Close All Editors");
  });

  test("a notebook's cell: finding, fix, save", async () => {
    await code.openFile("cells.ipynb");
    await code.page.locator(".notebook-editor .squiggly-error").first().waitFor({ state: "attached" });
    await code.says(/1 finding in this file/);
    await code.page.waitForTimeout(300);
    await code.shot("notebook", 390);
    await code.page.locator(".notebook-editor .codelens-decoration a", { hasText: "Show graph" }).first().click();
    await code.webview().locator("li a").last().click();
    await code.page.locator(".statusbar-item", { hasText: "Cell 2 of 2" }).waitFor();
    await code.command("View: Close Editors in Other Groups");
    await code.caret("rnn(torch.randn", ".notebook-editor .monaco-editor");
    const rows = await code.fixes();
    expect((await rows.allInnerTexts())[0]).toMatch(/^Detach `hidden`/);
    await code.page.keyboard.press("Enter");
    await until(async () => (await code.page.locator(".notebook-editor .squiggly-error").count()) === 0, "no squiggle in the cell");
    await code.page.keyboard.press("Control+S");
    await until(() => code.read("first/cells.ipynb").includes("hidden = hidden.detach()"), "the notebook is saved");
    const cells = (JSON.parse(code.read("first/cells.ipynb")) as { cells: { source: string[] }[] }).cells;
    expect(cells[1]?.source.at(-1)).toBe("    hidden = hidden.detach()");
  });

  test("a story of the walkthrough, in a file without a name", async () => {
    await code.command("View: Close All Editors");
    await code.command("Welcome: Open Walkthrough");
    const choices = code.page.locator(".quick-input-list .monaco-list-row", { hasText: "three stories" });
    await choices.first().click();
    const steps = code.page.locator(".gettingStartedContainer");
    await steps.getByText("Open the program").first().waitFor();
    await code.page.waitForTimeout(500);
    await code.shot("walkthrough");
    await steps.getByText("Open the program").first().click();
    await code.squiggles().first().waitFor({ state: "attached" });
    await code.says(/1 finding in this file/);
  });

  test("nothing else was changed, and the console is quiet", () => {
    expect(code.read("first/train.py")).toBe(CARRIED);
    expect(code.read("second/other.py")).toBe(CARRIED);
    expect(code.complaints()).toEqual([]);
  });
});
