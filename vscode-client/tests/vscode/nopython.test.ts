// A machine without a Python: one message that says what to do, and a way back.

import { copyFileSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { BARE, cleanUp, Code, picturesOfFailures, pipConfiguration } from "./code";
import { CARRIED } from "./programs";

/** Pip's configuration: at first it names a package index that is not there. */
const PIP = join(mkdtempSync(join(tmpdir(), "secondpass-pip-")), "pip.conf");
writeFileSync(PIP, "[global]\nindex-url = http://127.0.0.1:9/simple\nextra-index-url =\nfind-links =\n");

let code: Code;

beforeAll(async () => {
  code = await Code.start({ python: null, files: { "train.py": CARRIED }, environment: { PIP_CONFIG_FILE: PIP } });
});
beforeEach(() => picturesOfFailures(() => code));
afterAll(async () => {
  await code?.stop();
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
    await code.command("secondpass: Set up quick-fixes");
    await code.toast("the package index cannot be reached").waitFor({ timeout: 55_000 });
    expect(await code.squiggles().count()).toBe(1);
  });

  test("with a network again, trying again is enough", async () => {
    const own = pipConfiguration();
    if (own) copyFileSync(own, PIP);
    else writeFileSync(PIP, "");
    await code.toast("the package index cannot be reached").getByRole("button", { name: "Try again" }).click();
    await code.says(/^(?!.*want libcst).*carried by the extension/s, 60_000);
    expect(code.complaints("the package index cannot be reached", "found none")).toEqual([]);
  });
});
