// A folder that is not trusted: it is analysed, nothing it chooses is run.

import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { BARE, cleanUp, Code, picturesOfFailures, until } from "./code";
import { CARRIED } from "./programs";

let code: Code;
let proof: string;

beforeAll(async () => {
  code = await Code.start({ python: BARE, files: { "train.py": CARRIED, ".vscode/settings.json": "{}" } });
  proof = join(code.folder, "was-run");
  const python = join(code.folder, "python");
  writeFileSync(python, `#!/bin/sh\ntouch '${proof}'\nexec '${BARE}/bin/python3' "$@"\n`);
  chmodSync(python, 0o755);
  writeFileSync(join(code.folder, ".vscode/settings.json"), JSON.stringify({ "secondpass.interpreter": python }));
});
beforeEach(() => picturesOfFailures(() => code));
afterAll(async () => {
  await code.stop();
  await cleanUp();
});

describe.sequential("restricted mode", () => {
  test("findings are there, and the folder's interpreter was not run", async () => {
    await code.load();
    await code.trust(false);
    await code.openFile("train.py");
    await code.squiggles().first().waitFor({ state: "attached" });
    await code.says(/1 finding in this file/);
    expect(existsSync(proof)).toBe(false);
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

  test("with trust, the folder's interpreter is used", async () => {
    await code.command("Workspaces: Manage Workspace Trust");
    await code.page.getByRole("button", { name: /^Trust$/ }).first().click();
    await until(() => existsSync(proof), "the folder's interpreter runs");
    await code.says(/^secondpass: secondpass \S+ \(carried/);
    expect(code.complaints()).toEqual([]);
  });
});
