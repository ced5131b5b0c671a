// A machine without a Python: one message that says what to do, and a way back.

import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { BARE, closeBrowser, Code, picturesOfFailures } from "./code";
import { CARRIED } from "./programs";

let code: Code;

beforeAll(async () => {
  code = await Code.start({ python: null, files: { "train.py": CARRIED } });
});
beforeEach(() => picturesOfFailures(() => code));
afterAll(async () => {
  await code.stop();
  await closeBrowser();
});

describe.sequential("no Python", () => {
  test("one message says what to do", async () => {
    await code.load();
    await code.trust();
    await code.openFile("train.py");
    await code.toast("secondpass needs Python 3.10 or newer, and found none").waitFor();
    await code.says(/found no Python 3.10 or newer/);
    expect(await code.page.locator(".notification-toast").count()).toBe(1);
  });

  test("and once there is one, the message's button is enough", async () => {
    symlinkSync(join(BARE, "bin", "python3"), join(code.profile, "empty-path", "python3"));
    await code.toast("found none").getByRole("button", { name: "Look again" }).click();
    await code.squiggles().first().waitFor({ state: "attached" });
    await code.says(/1 finding in this file/);
  });
});
