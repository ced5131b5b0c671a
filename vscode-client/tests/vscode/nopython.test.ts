// A machine without a Python: one message that says what to do, and a way back.

import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { BARE, cleanUp, Code, picturesOfFailures } from "./code";
import { CARRIED } from "./programs";

/** A package index that is not there. */
const NO_INDEX = { PIP_INDEX_URL: "http://127.0.0.1:9/simple", PIP_EXTRA_INDEX_URL: "", PIP_CONFIG_FILE: "/dev/null", PIP_FIND_LINKS: "" };

let code: Code;

beforeAll(async () => {
  code = await Code.start({ python: null, files: { "train.py": CARRIED }, environment: NO_INDEX });
});
beforeEach(() => picturesOfFailures(() => code));
afterAll(async () => {
  await code.stop();
  await cleanUp();
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

  test("without a network, quick-fixes that want libcst say so, and everything else goes on", async () => {
    await code.status().click();
    await code.page.locator(".quick-input-list .monaco-list-row", { hasText: "Set up quick-fixes" }).click();
    await code.toast("the package index cannot be reached").waitFor({ timeout: 55_000 });
    await code.toast("the package index cannot be reached").getByRole("button", { name: "Try again" }).waitFor();
    expect(await code.squiggles().count()).toBe(1);
  });
});
