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
      "workbench.preferredDarkColorTheme": "Default Dark Modern",
      "workbench.preferredLightColorTheme": "Default Light Modern",
      "editor.codeActionsOnSave": { "source.fixAll.secondpass": "explicit" },
    },
  });
});
beforeEach(() => picturesOfFailures(() => code));
afterAll(async () => {
  await code?.stop();
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
    // a file that is being written is empty for a moment
    await until(() => code.read("first/twice.py").endsWith("# end"), "the file is saved with its fix");
    expect(code.read("first/twice.py")).toBe(`${TWICE_FIXED}# end`);
    await until(async () => (await code.squiggles().count()) === 0, "no squiggle");
  });

  test("the graph: nodes, theme, keys, and a click that jumps", async () => {
    await code.command("View: Close All Editors");
    await code.openFile("train.py");
    await code.squiggles().first().waitFor({ state: "attached" });
    await code.caret(FAULT);
    await code.command("secondpass: Show graph across iterations");
    const view = code.webview();
    await view.locator(".picture svg a").first().waitFor();
    expect(await view.locator(".picture a.consumed .cross").count()).toBeGreaterThan(0);
    expect(await view.locator(".picture path.carried").count()).toBeGreaterThan(0);
    const background = await view.locator("rect.page").evaluate((page) => getComputedStyle(page).fill);
    expect(background).toBe("rgb(31, 31, 31)"); // the dark theme's
    await code.shot("graph", 580);

    const seen = () => view.locator(".picture svg").getAttribute("viewBox");
    const before = await seen();
    await view.getByRole("button", { name: "Zoom in" }).click();
    expect(await seen()).not.toBe(before);
    await code.page.keyboard.press("0");
    await until(async () => (await seen()) === before, "0 fits the picture again");
    await code.page.keyboard.press("ArrowRight");
    await until(async () => (await seen()) !== before, "an arrow moves the picture");
    await code.page.keyboard.press("0");
    const frame = await view.locator(".picture").boundingBox();
    const [x, y] = [(frame?.x ?? 0) + 20, (frame?.y ?? 0) + 20];
    await code.page.mouse.move(x, y);
    await code.page.mouse.down();
    await code.page.mouse.move(x + 60, y + 10, { steps: 4 });
    await code.page.mouse.up();
    await until(async () => (await seen()) !== before, "dragging moves the picture");
    await code.page.keyboard.press("0");
    await view.getByRole("link", { name: /^loss\.backward\(\), line 16/ }).first().waitFor(); // as a screen reader has it
    const nodes = view.locator(".picture a[data-line='16']");
    expect(await nodes.first().getAttribute("aria-label")).toContain("loss.backward()");
    await nodes.first().focus();
    await code.page.keyboard.press("Enter");
    const cursor = code.page.locator(".statusbar-item", { hasText: "Ln 16, Col 5" });
    await cursor.waitFor();
    await view.locator(".picture a[data-line='12']").first().click();
    await code.page.locator(".statusbar-item", { hasText: "Ln 12, Col" }).waitFor();
  });

  test("the graph follows the theme and the text, and lets no other script run", async () => {
    const view = code.webview();
    const background = () => view.locator("rect.page").evaluate((page) => getComputedStyle(page).fill);
    await code.command("Preferences: Toggle between Light/Dark Themes");
    await until(async () => (await background()) === "rgb(255, 255, 255)", "the light theme's");
    await code.command("Preferences: Toggle between Light/Dark Themes");
    await until(async () => (await background()) === "rgb(31, 31, 31)", "the dark theme's");

    await code.caret(FAULT);
    await (await code.fixes()).first().click();
    await view.getByText("No graph is walked twice here any more").waitFor();
    await code.caret(FAULT);
    await code.page.keyboard.press("Control+Z");
    await view.locator(".picture a.consumed .cross").first().waitFor();

    const ran = await view.locator("body").evaluate((body) => {
      const script = document.createElement("script");
      script.textContent = "document.body.dataset.ran = 'yes'";
      body.append(script);
      return body.dataset["ran"];
    });
    expect(ran).toBeUndefined();
    await code.command("View: Close All Editors");
  });

  test("a fix tried in a traced run, and applied", async () => {
    await code.openFile("train.py");
    await code.squiggles().first().waitFor({ state: "attached" });
    await code.caret(FAULT);
    const rows = await code.fixes();
    await rows.filter({ hasText: "Try this fix in a traced run" }).first().click();
    const told = code.toast(/train\.py raises .* With this fix it runs/);
    await told.getByRole("button", { name: "Apply this fix" }).click({ timeout: 60_000 });
    await code.page.locator(".view-line", { hasText: "hidden.detach()" }).first().waitFor();
    await until(async () => (await code.squiggles().count()) === 0, "no squiggle after the fix");
    await code.command("File: Revert File");
    await code.squiggles().first().waitFor({ state: "attached" });
  });

  test("a traced run confirms the finding in place", async () => {
    await code.openFile("train.py");
    await code.page.locator(".codelens-decoration a", { hasText: "Validate with a traced run" }).first().click();
    await code.toast(/the traced run says: 1 confirmed/).waitFor({ timeout: 50_000 });
    const box = await code.place(FAULT);
    await code.page.mouse.move(box.x + 20, box.y + box.height / 2);
    await code.page.locator(".monaco-hover", { hasText: /traced run says: confirmed/ }).first().waitFor();
    await code.shot("traced", 400);
    await code.mouseAway();
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
    await code.page.locator(".tab", { hasText: "SP101" }).waitFor();
    await code.webview("vscode.markdown-language-features").getByRole("heading", { name: "SP101 carried-state" }).waitFor();
    await code.shot("explain", 580);
    await code.command("View: Close All Editors");
  });

  test("a notebook's cell: finding, fix, save", async () => {
    await code.openFile("cells.ipynb");
    await code.page.locator(".notebook-editor .squiggly-error").first().waitFor({ state: "attached" });
    await code.says(/1 finding in this file/);
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
    await code.command("View: Toggle Primary Side Bar Visibility");
    await code.command("Welcome: Open Walkthrough");
    const choices = code.page.locator(".quick-input-list .monaco-list-row", { hasText: "three stories" });
    await choices.first().click();
    const steps = code.page.locator(".gettingStartedContainer");
    for (const [title, words] of [
      ["Twice", "Both losses were computed from"],
      ["Accumulated", "which iteration 1 has walked and freed"],
      ["Quick-fixes", "Every quick-fix was applied to a copy"],
      ["Carried", "Iteration 1 walks its graph and frees it"],
    ] as const) {
      const page = code.webview("").getByText(words);
      await steps.locator(".step-title", { hasText: title }).click();
      await page.waitFor();
      await code.shot(`walkthrough-${title.toLowerCase()}`);
    }
    await steps.getByRole("button", { name: "Open the program" }).first().click();
    await code.squiggles().first().waitFor({ state: "attached" });
    await code.says(/1 finding in this file/);
  });

  test("nothing else was changed, and the console is quiet", () => {
    expect(code.read("first/train.py")).toBe(CARRIED);
    expect(code.read("second/other.py")).toBe(CARRIED);
    expect(code.complaints("Content Security Policy")).toEqual([]); // the script that was not to run
  });
});
