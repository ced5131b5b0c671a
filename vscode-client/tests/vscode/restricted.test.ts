// A folder that is not trusted: it is analysed, nothing it chooses is run.

import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { BARE, cleanUp, Code, FULL, picturesOfFailures, until } from "./code";
import { CARRIED, FAULT } from "./programs";

let code: Code;

/** Programs of the folder's that its settings name; each leaves a trace when it is run. */
const wasRun = (name: string) => existsSync(join(code.folder, `${name}-was-run`));

function program(name: string, command: string): string {
  const file = join(code.folder, name);
  writeFileSync(file, `#!/bin/sh\ntouch '${file}-was-run'\nexec ${command} "$@"\n`);
  chmodSync(file, 0o755);
  return file;
}

function folderSettings(settings: Record<string, string>): void {
  writeFileSync(join(code.folder, ".vscode/settings.json"), JSON.stringify(settings));
}

beforeAll(async () => {
  code = await Code.start({ python: BARE, files: { "train.py": CARRIED, ".vscode/settings.json": "{}" } });
  folderSettings({
    "secondpass.path": program("path", `'${FULL}/bin/secondpass'`),
    "secondpass.interpreter": program("interpreter", `'${BARE}/bin/python3'`),
    "secondpass.python": program("python", `'${FULL}/bin/python'`),
  });
});
beforeEach(() => picturesOfFailures(() => code));
afterAll(async () => {
  await code?.stop();
  await cleanUp();
});

describe.sequential("restricted mode", () => {
  test("findings are there, and nothing that the folder names was run", async () => {
    await code.load();
    await code.trust(false);
    await code.openFile("train.py");
    await code.squiggles().first().waitFor({ state: "attached" });
    await code.says(/1 finding in this file/);
    expect(["path", "interpreter", "python"].filter(wasRun)).toEqual([]);
    await code.shot("restricted");
  });

  test("a traced run waits for trust", async () => {
    await code.page.locator(".codelens-decoration a", { hasText: "Validate with a traced run" }).first().click();
    await code.toast(/waits until you trust this folder/).waitFor();
    await code.command("Notifications: Clear All Notifications");
    await code.page.keyboard.press("F1");
    await code.page.locator(".quick-input-widget input").fill(">secondpass: Validate");
    await code.page.locator(".quick-input-list .monaco-list-row").first().waitFor();
    expect(await code.page.locator(".quick-input-list .monaco-list-row", { hasText: "secondpass: Validate" }).count()).toBe(0);
    await code.page.keyboard.press("Escape");
  });

  test("hover, fixes and the graph work all the same", async () => {
    await code.caret(FAULT);
    await (await code.fixes()).filter({ hasText: "Detach `hidden` at the end of each step" }).first().waitFor();
    await code.page.keyboard.press("Escape");
    await code.command("secondpass: Show graph across iterations");
    await code.webview().locator(".picture a.consumed").first().waitFor();
    await code.command("View: Close All Editors");
    expect(["path", "interpreter", "python"].filter(wasRun)).toEqual([]);
  });

  test("with trust, what the folder names is used", async () => {
    await code.command("Workspaces: Manage Workspace Trust");
    await code.page.getByRole("button", { name: /^Trust$/ }).first().click();
    await until(() => wasRun("path"), "the folder's command runs");
    await code.says(/^secondpass: secondpass from .*path/);
    expect(wasRun("interpreter")).toBe(false); // the command goes before it
    folderSettings({ "secondpass.interpreter": join(code.folder, "interpreter") });
    await until(() => wasRun("interpreter"), "the folder's interpreter runs");
    await code.says(/^secondpass: secondpass \S+ \(carried/);
    expect(code.complaints()).toEqual([]);
  });
});
