// What the extension decides by itself.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Backoff, WAITS, WELL } from "../../src/backoff";
import { reason } from "../../src/fixes";
import { page, shortened } from "../../src/graphPage";
import { heard, launch, Refusal } from "../../src/launch";
import { forServer } from "../../src/settings";
import { shown } from "../../src/state";
import { fit, pan, zoom } from "../../src/webview/view";

const CLIENT = join(__dirname, "..", "..");

describe("backoff", () => {
  test("waits longer each time, and gives up", () => {
    const backoff = new Backoff(() => 1);
    expect(WAITS.map(() => backoff.next())).toEqual([...WAITS]);
    expect(backoff.next()).toBeUndefined();
    backoff.reset();
    expect(backoff.next()).toBe(WAITS[0]);
  });

  test("begins anew after a long good life only", () => {
    let now = 1;
    const backoff = new Backoff(() => now);
    backoff.next();
    backoff.next();
    backoff.started();
    now += WELL - 1;
    expect(backoff.next()).toBe(WAITS[2]);
    backoff.started();
    now += WELL;
    expect(backoff.next()).toBe(WAITS[0]);
  });
});

describe("launching", () => {
  const folders = { script: join(CLIENT, "bundled", "launch.py"), libraries: "nowhere", fixes: "nowhere", cwd: CLIENT };

  test("a hello, a refusal, and other people's lines", () => {
    expect(heard('secondpass-launch: {"python": "3.12.1"}')).toEqual({ python: "3.12.1" });
    expect(heard('secondpass-launch: {"refused": "is too old"}')).toEqual(new Refusal("is too old"));
    expect(heard("secondpass-launch: {")).toBeInstanceOf(Refusal);
    expect(heard("Traceback (most recent call last):")).toBeUndefined();
  });

  test("a program that is not there, and one that is no Python", async () => {
    const silent = () => undefined;
    await expect(launch({ command: "no-such-python", why: "" }, folders, silent)).rejects.toThrow("is not there");
    await expect(launch({ command: "false", why: "" }, folders, silent)).rejects.toThrow("ended with status 1");
    await expect(launch({ command: "sleep", before: ["9"], why: "" }, folders, silent, 100)).rejects.toThrow();
  });

  test("every Python reads launch.py", () => {
    const text = readFileSync(folders.script, "utf8");
    expect(text).not.toMatch(/\bf"|: str|->|:=|\bmatch /);
  });
});

describe("settings for the server", () => {
  test("what nobody set does not hide the project's own", () => {
    const sent = { enable: true, select: [], ignore: ["SP301"], severity: {}, exclude: [], python: "", path: "" };
    expect(forServer(sent, undefined)).toEqual({ enable: true, ignore: ["SP301"] });
  });

  test("the chosen interpreter stands in for an empty setting", () => {
    expect(forServer({ python: "" }, "/opt/python")).toEqual({ python: "/opt/python" });
    expect(forServer({ python: "/mine" }, "/opt/python")).toEqual({ python: "/mine" });
    expect(forServer(null, "/opt/python")).toBeNull();
  });
});

describe("words", () => {
  test("the status bar", () => {
    const hello = { executable: "/p", python: "3.12.1", source: "carried", version: "0.1.0", fixes: "missing", tag: "", broken: null } as const;
    const running = shown({ kind: "running", hello, command: "python3" }, 2);
    expect(running.text).toBe("$(warning) secondpass 2");
    expect(running.tooltip).toContain("secondpass 0.1.0 (carried by the extension) on Python 3.12.1 (/p)");
    expect(running.tooltip).toContain("2 findings in this file");
    expect(running.tooltip).toContain("libcst");
    expect(shown({ kind: "noPython", tried: [] }, undefined).level).toBe("error");
  });

  test("why pip failed", () => {
    const python = { python: "3.15.0" };
    expect(reason(["WARNING: Retrying after connection broken by 'NewConnectionError(...)'"], python)).toContain("cannot be reached");
    expect(reason(["ERROR: No matching distribution found for libcst"], python)).toContain("built for Python 3.15.0");
    expect(reason(["ERROR: something else"], python)).toBe("something else");
  });
});

describe("the graph's page", () => {
  const html = '<title>T</title><body><main><svg><style>.sp {}</style></svg><a href="x">/home/me/train.py:9</a></main></body>';

  test("lets nothing run but its own script", () => {
    const made = page({ html, nonce: "n0", script: "graph.js" });
    expect(made).toContain("default-src 'none'; style-src 'nonce-n0'; script-src 'nonce-n0'");
    expect(made).not.toContain("unsafe");
    expect(made.match(/<style(?! nonce="n0")/)).toBeNull();
    expect(made).toContain(">train.py:9</a>");
    expect(() => page({ html: "<p>", nonce: "n", script: "" })).toThrow("<main>");
  });

  test("links on every system", () => {
    expect(shortened(">C:\\work\\train.py:9</a>")).toBe(">train.py:9</a>");
    expect(shortened(">train.py:9</a>")).toBe(">train.py:9</a>");
  });

  test("what is seen", () => {
    const whole = { x: 0, y: 0, width: 400, height: 200 };
    expect(fit(whole, 800, 800)).toEqual({ x: -200, y: -300, width: 800, height: 800 });
    expect(fit(whole, 200, 200)).toEqual({ x: 0, y: -100, width: 400, height: 400 });
    expect(zoom(whole, 2, whole)).toEqual({ x: 100, y: 50, width: 200, height: 100 });
    expect(zoom(whole, 1000, whole).width).toBe(40);
    expect(pan(whole, 0.5, -0.5)).toEqual({ x: 200, y: -100, width: 400, height: 200 });
  });
});

test("the lockfile names no server", () => {
  expect(readFileSync(join(CLIENT, "package-lock.json"), "utf8")).not.toContain('"resolved"');
});

test("no compiled file is carried", () => {
  const found = execFileSync("find", [join(CLIENT, "bundled"), "-name", "*.so", "-o", "-name", "*.pyd"], { encoding: "utf8" });
  expect(found).toBe("");
});
