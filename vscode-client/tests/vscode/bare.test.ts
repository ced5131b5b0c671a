// A fresh profile on a machine whose Python has nothing: findings at once, quick-fixes after one click.

import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { BARE, cleanUp, Code, FULL, picturesOfFailures, until, VSIX } from "./code";
import { CARRIED, CARRIED_FIXED, FAULT, HEADS, HEADS_FIXED, UNICODE } from "./programs";

let code: Code;

beforeAll(async () => {
  code = await Code.start({ python: BARE, files: { "unicode.py": UNICODE, "train.py": CARRIED, "heads.py": HEADS }, machine: { "secondpass.python": join(FULL, "bin", "python") } });
});
beforeEach(() => picturesOfFailures(() => code));
afterAll(async () => {
  await code?.stop();
  await cleanUp();
});

describe.sequential("a Python with neither secondpass nor pygls nor libcst", () => {
  test("the trust dialog, then a squiggle under the right characters", async () => {
    await code.load();
    expect(await code.trust()).toContain("Do you trust the authors");
    await code.openFile("unicode.py");
    const opened = performance.now();
    const squiggle = code.squiggles().first();
    await squiggle.waitFor({ state: "attached" });
    const now = performance.now();
    console.log(`first finding ${Math.round(now - code.asked)} ms after the page was asked for, ${Math.round(now - opened)} ms after the file was opened`);
    const box = await squiggle.boundingBox();
    const text = await code.place(FAULT);
    expect(box?.x).toBeCloseTo(text.x, 0);
    expect(box?.width).toBeCloseTo(text.width, 0);
    expect(await code.squiggles().count()).toBe(1);
    await code.says(/^secondpass: secondpass \S+ \(carried by the extension\) on Python 3/);
    expect(await code.said()).toContain(`(${BARE}/bin/python`);
    expect(code.servers()).toHaveLength(1);
  });

  test("inlay hint, code lenses and status bar", async () => {
    await code.openFile("train.py");
    await code.page.locator(".view-line", { hasText: "hidden⟲" }).first().waitFor();
    await code.page.locator(".codelens-decoration", { hasText: "1 graph walked twice" }).first().waitFor();
    await code.says(/1 finding in this file/);
    await code.shot("finding", 400);
  });

  test("hover tells the story", async () => {
    const box = await code.place(FAULT);
    await code.page.mouse.move(box.x + 20, box.y + box.height / 2);
    const hover = code.page.locator(".monaco-hover", { hasText: "SP101" }).first();
    await hover.waitFor();
    const text = await hover.innerText();
    expect(text).toContain("hidden carries the graph of the previous iteration into rnn(inputs, hidden)");
    expect(text).toContain("iteration 2 walks into it and raises");
    await code.shot("hover", 400);
    await code.mouseAway();
  });

  test("Problems shows the related places", async () => {
    await code.page.keyboard.press("Control+Shift+M");
    const row = code.page.locator(".markers-panel .monaco-list-row", { hasText: "carries the graph of the previous iteration" }).first();
    await row.waitFor();
    const related = code.page.locator(".markers-panel .monaco-list-row", { hasText: "iteration 1 consumes that graph here" }).first();
    if ((await related.count()) === 0) {
      await row.click();
      await code.page.keyboard.press("ArrowRight");
    }
    await related.waitFor();
    await code.shot("problems");
    await code.command("View: Hide Panel");
  });

  test("the preferred fix, saved as expected, and undone", async () => {
    await code.caret(FAULT);
    const rows = await code.fixes();
    expect((await rows.allInnerTexts())[0]).toMatch(/^Detach `hidden` at the end of each step/);
    await code.shot("fixes", 500);
    await code.page.keyboard.press("Enter");
    await until(async () => (await code.squiggles().count()) === 0, "no squiggle after the fix");
    await code.page.keyboard.press("Control+S");
    await until(() => code.read("train.py") !== CARRIED, "the file is saved");
    expect(code.read("train.py")).toBe(CARRIED_FIXED);
    await code.page.keyboard.press("Control+Z");
    await code.squiggles().first().waitFor({ state: "attached" });
    await code.page.keyboard.press("Control+S");
    await until(() => code.read("train.py") === CARRIED, "undone and saved");
  });

  test("one click sets up the fixes that want libcst", async () => {
    await code.openFile("heads.py");
    await code.squiggles().first().waitFor({ state: "attached" });
    const at = async () => {
      const box = await code.squiggles().first().boundingBox();
      await code.page.mouse.click((box?.x ?? 0) + 3, (box?.y ?? 0) + 4);
    };
    await at();
    let rows = await code.fixes();
    expect(await rows.allInnerTexts()).not.toContainEqual(expect.stringContaining("Walk once over"));
    await rows.filter({ hasText: "Set up all quick-fixes" }).click();
    const began = performance.now();
    await code.toast("fetching libcst for quick-fixes").getByRole("button", { name: "Cancel" }).waitFor();
    await code.says(/^(?!.*want libcst).*carried by the extension/s, 60_000);
    console.log(`quick-fixes set up in ${Math.round(performance.now() - began)} ms`);
    await code.squiggles().first().waitFor({ state: "attached" });
    await at();
    rows = await code.fixes();
    expect((await rows.allInnerTexts())[0]).toMatch(/^Walk once over/);
    expect(await rows.allInnerTexts()).not.toContainEqual(expect.stringContaining("Set up"));
    await code.page.keyboard.press("Enter");
    await until(async () => (await code.squiggles().count()) === 0, "no squiggle after the fix");
    await code.page.keyboard.press("Control+S");
    await until(() => code.read("heads.py") !== HEADS, "the file is saved");
    expect(code.read("heads.py")).toBe(HEADS_FIXED);
  });

  test("after an upgrade that wants another libcst, it is fetched again without a question", async () => {
    const storage = join(code.profile, "data", "User", "globalStorage", "secondpass.secondpass");
    const [now] = readdirSync(storage).filter((name) => name.startsWith("libcst-")) as [string];
    const [tag] = readdirSync(join(storage, now)) as [string];
    mkdirSync(join(storage, "libcst-1.0.0"));
    renameSync(join(storage, now, tag), join(storage, "libcst-1.0.0", tag));
    const [before] = code.servers();
    await code.command("secondpass: Restart server");
    await until(() => existsSync(join(storage, now, tag, "libcst")), "libcst is there again", 60_000);
    await until(() => !existsSync(join(storage, "libcst-1.0.0", tag)), "the old one is gone");
    await code.says(/^(?!.*want libcst).*carried by the extension/s, 30_000);
    expect(code.servers()).not.toContain(before);
  });

  test("the log says what runs on what", async () => {
    await code.status().click();
    await code.page.locator(".quick-input-list .monaco-list-row", { hasText: "Show log" }).click();
    await code.page.locator(".panel .view-line", { hasText: "(carried) on Python" }).first().waitFor();
    await code.command("View: Hide Panel");
    expect(code.log()).toMatch(/activated in \d+ ms/);
    expect(code.log()).toContain("libcst missing");
    expect(code.log()).toContain("libcst private");
  });

  test("a traced run by another Python, which has PyTorch", async () => {
    await code.openFile("train.py");
    await code.page.locator(".codelens-decoration a", { hasText: "Validate with a traced run" }).first().click();
    await code.toast(/the traced run says: 1 confirmed/).waitFor({ timeout: 50_000 });
    await code.command("Notifications: Clear All Notifications");
  });

  test("the server, killed, is back with its findings", async () => {
    await code.openFile("train.py");
    await code.squiggles().first().waitFor({ state: "attached" });
    const [server] = code.servers();
    process.kill(server as number, "SIGKILL");
    await until(async () => (await code.squiggles().count()) === 0, "findings go with the server");
    await code.squiggles().first().waitFor({ state: "attached" });
    await code.says(/1 finding in this file/);
    expect(code.servers()).toHaveLength(1);
    expect(code.servers()).not.toContain(server);
  });

  test("activation is quick, and the console is quiet", async () => {
    const milliseconds = await code.activation();
    const megabytes = statSync(VSIX).size / 1e6;
    console.log(`activated in ${milliseconds} ms; the package has ${megabytes.toFixed(2)} MB`);
    expect(milliseconds).toBeLessThan(300);
    expect(megabytes).toBeLessThan(5);
    expect(code.complaints("Connection to server got closed")).toEqual([]); // it was killed
  });
});
