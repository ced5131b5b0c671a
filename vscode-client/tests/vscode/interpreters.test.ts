// Which Python and which secondpass: the settings, the Python extension's choice, PATH; and a wrong setting is told.

import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { BARE, cleanUp, Code, FULL, packaged, picturesOfFailures } from "./code";
import { CARRIED } from "./programs";

const OWN = join(FULL, "bin", "python");
const NAKED = join(BARE, "bin", "python3");
const CARRIED_ONE = /^secondpass: secondpass \S+ \(carried by the extension\)/;

let code: Code;
const set = (settings: Record<string, unknown>) => code.set(settings);

beforeAll(async () => {
  code = await Code.start({
    python: BARE,
    files: { "train.py": CARRIED },
    machine: { "python.chosen": OWN },
    extensions: [packaged("python")],
  });
});
beforeEach(() => picturesOfFailures(() => code));
afterAll(async () => {
  await code?.stop();
  await cleanUp();
});

describe.sequential("which Python", () => {
  test("the one chosen in the Python extension, before that on PATH", async () => {
    await code.load();
    await code.trust();
    await code.openFile("train.py");
    await code.squiggles().first().waitFor({ state: "attached" });
    await code.says(/your project's own/);
    expect(code.log()).toContain("(chosen in the Python extension)");
  });

  test("another choice is followed", async () => {
    set({ "python.chosen": NAKED });
    await code.says(CARRIED_ONE);
    await code.squiggles().first().waitFor({ state: "attached" });
  });

  test("the setting wins over the choice", async () => {
    set({ "python.chosen": NAKED, "secondpass.interpreter": OWN });
    await code.says(/your project's own/);
  });

  test("an interpreter that is not there is told once, and another taken", async () => {
    set({ "python.chosen": NAKED, "secondpass.interpreter": "/no/python" });
    const told = code.toast(`/no/python (secondpass.interpreter) is not there; ${NAKED} runs it instead`);
    await told.getByRole("button", { name: "Open settings" }).waitFor();
    await code.says(CARRIED_ONE);
    expect(await code.said()).toContain("Not used: /no/python");
    await code.squiggles().first().waitFor({ state: "attached" });
    await code.command("Notifications: Clear All Notifications");
  });

  test("a command of one's own wins over all", async () => {
    const command = join(FULL, "bin", "secondpass");
    set({ "secondpass.path": command, "secondpass.interpreter": NAKED });
    await code.says(new RegExp(`^secondpass: secondpass from ${command}`));
    await code.squiggles().first().waitFor({ state: "attached" });
  });

  test("a command that is not there is told at once, with the way to the setting", async () => {
    set({ "secondpass.path": "/no/secondpass" });
    const told = code.toast("secondpass does not run: /no/secondpass (secondpass.path) is not there.");
    await told.getByRole("button", { name: "Open settings" }).waitFor();
    await code.shot("wrong-path");
    await code.says(/does not run/);
    expect(code.servers()).toEqual([]);
    await code.command("Notifications: Clear All Notifications");
  });

  test("with the setting mended, all is well again", async () => {
    set({});
    await code.says(CARRIED_ONE);
    await code.squiggles().first().waitFor({ state: "attached" });
    expect(code.complaints("/no/secondpass (secondpass.path) is not there")).toEqual([]);
  });
});
