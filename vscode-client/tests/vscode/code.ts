// A real VS Code (the npm package code-server carries it) with the packaged extension, driven in Debian's Chromium.
// `.ci/vscode.sh` makes what is named here.

import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { onTestFailed } from "vitest";
import { chromium, type Browser, type BrowserContext, type FrameLocator, type Locator, type Page } from "playwright-core";

export const TOOLS = process.env["SECONDPASS_VSCODE"] ?? join(homedir(), ".cache", "secondpass-vscode");
const CLIENT = join(__dirname, "..", "..");
const NODE = join(TOOLS, "nodebin", "node");
const CODE = join(TOOLS, "node_modules", "code-server", "out", "node", "entry.js");
export const SHOTS = join(CLIENT, "shots");

/** The package under test. */
export const VSIX = join(CLIENT, "secondpass.vsix");

/** Pythons: one that has nothing, one that has everything. */
export const BARE = join(TOOLS, "bare");
export const FULL = process.env["SECONDPASS_FULL"] ?? join(CLIENT, "..", ".venv");

const USER_SETTINGS = {
  "workbench.startupEditor": "none",
  "telemetry.telemetryLevel": "off",
  "chat.disableAIFeatures": true,
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "workbench.enableExperiments": false,
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "security.workspace.trust.enabled": true,
  "security.workspace.trust.startupPrompt": "always",
  "security.workspace.trust.banner": "never",
  "editor.minimap.enabled": false,
  "editor.fontFamily": "JetBrains Mono",
  "editor.hover.delay": 200,
  "files.autoSave": "off",
  "files.hotExit": "off",
  "workbench.sideBar.location": "left",
  "window.commandCenter": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "breadcrumbs.enabled": false,
};

/** Errors on the console of every VS Code in a browser that has no extension at all. */
const KNOWN_ERRORS = [
  /404.*\/vsda\//, // a module of Microsoft's builds alone
  /vscode\.typescript-language-features/, // registered twice, or not found in a browser
  /waiting for authentication provider 'github'/,
];

export interface Wishes {
  /** Virtual environment whose `bin` comes first on PATH; null for a PATH on which there is no Python. */
  python: string | null;
  files: Record<string, string>;
  /** What to open instead of the folder: a file in it. */
  workspace?: string;
  user?: Record<string, unknown>;
  /** Settings that belong to a machine: VS Code in a browser takes it for a remote one. */
  machine?: Record<string, unknown>;
  environment?: Record<string, string>;
  /** More extensions: packages. */
  extensions?: string[];
}

const EXTENSIONS = join(tmpdir(), `secondpass-vscode-extensions-${process.pid}`);

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The extensions folder with the .vsix in it, made once for each file of tests. */
function installed(): string {
  const folder = EXTENSIONS;
  if (!existsSync(folder)) install(VSIX, folder);
  return folder;
}

function install(vsix: string, folder: string): void {
  const profile = mkdtempSync(join(tmpdir(), "secondpass-vscode-"));
  const run = spawnSync(NODE, [CODE, ...places(profile, folder), "--install-extension", vsix], { encoding: "utf8" });
  rmSync(profile, { recursive: true, force: true });
  if (run.status !== 0) throw new Error(`${vsix} cannot be installed: ${run.stdout}${run.stderr}`);
}

/** Another extension, from a folder in stand-ins/, packaged. */
export function packaged(name: string): string {
  const vsix = join(tmpdir(), `secondpass-vscode-${name}-${process.pid}.vsix`);
  const vsce = join(CLIENT, "node_modules", "@vscode", "vsce", "vsce");
  const options = ["package", "--no-dependencies", "--skip-license", "--allow-missing-repository", "--out", vsix];
  const run = spawnSync(NODE, [vsce, ...options], { cwd: join(__dirname, "stand-ins", name), encoding: "utf8" });
  if (run.status !== 0) throw new Error(`${name} cannot be packaged: ${run.stdout}${run.stderr}`);
  return vsix;
}

function places(profile: string, extensions: string): string[] {
  return ["--config", join(profile, "config.yaml"), "--user-data-dir", join(profile, "data"), "--extensions-dir", extensions];
}

let browser: Browser | undefined;

async function chrome(): Promise<Browser> {
  browser ??= await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    env: { ...process.env, FONTCONFIG_FILE: join(__dirname, "fonts.conf") },
  });
  return browser;
}

export class Code {
  /** What the browser's console said at level error, the extension host's part in it, and exceptions of the page. */
  private readonly errors: string[] = [];
  /** When the page was asked for (milliseconds, `performance.now`). */
  asked = 0;

  private constructor(
    private readonly process: ChildProcess,
    readonly profile: string,
    readonly folder: string,
    private readonly context: BrowserContext,
    readonly page: Page,
    private readonly url: string,
  ) {}

  static async start(wishes: Wishes): Promise<Code> {
    for (const needed of [CODE, VSIX, join(BARE, "bin", "python"), join(FULL, "bin", "python")])
      if (!existsSync(needed)) throw new Error(`${needed} is not there; .ci/vscode.sh makes it`);
    const profile = mkdtempSync(join(tmpdir(), "secondpass-vscode-"));
    const extensions = join(profile, "extensions");
    cpSync(installed(), extensions, { recursive: true });
    for (const vsix of wishes.extensions ?? []) install(vsix, extensions);
    const folder = join(profile, "project");
    for (const [name, text] of Object.entries({ "pyproject.toml": "", ...wishes.files })) {
      mkdirSync(join(folder, name, ".."), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const user = join(profile, "data", "User");
    mkdirSync(user, { recursive: true });
    writeFileSync(join(user, "settings.json"), JSON.stringify({ ...USER_SETTINGS, ...wishes.user }));
    const machine = join(profile, "data", "Machine");
    mkdirSync(machine, { recursive: true });
    writeFileSync(join(machine, "settings.json"), JSON.stringify(wishes.machine ?? {}));
    const port = await freePort();
    const open = join(folder, wishes.workspace ?? "");
    const path = wishes.python ? [join(wishes.python, "bin"), "/usr/bin", "/bin"] : [emptyPath(profile)];
    // a home of its own: VS Code asks the login shell for PATH, and the shell's files decide it
    const home = join(profile, "home");
    mkdirSync(home);
    writeFileSync(join(home, ".profile"), `PATH='${path.join(delimiter)}'; export PATH\n`);
    const pip = pipConfiguration();
    const environment: NodeJS.ProcessEnv = {
      ...process.env,
      HOME: home,
      SHELL: "/bin/sh",
      PATH: path.join(delimiter),
      EXTENSIONS_GALLERY: "{}", // nothing is looked up
      ...(pip ? { PIP_CONFIG_FILE: pip } : {}),
      ...wishes.environment,
    };
    for (const name of ["VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE"]) delete environment[name];
    const options = ["--bind-addr", `127.0.0.1:${port}`, "--auth", "none", "--disable-telemetry", "--disable-update-check"];
    const server = spawn(NODE, [CODE, ...places(profile, extensions), ...options, open], { env: environment, stdio: "ignore" });
    await until(async () => (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined))?.ok ?? false, "code-server", 60_000);
    const context = await (await chrome()).newContext({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: 2 });
    context.setDefaultTimeout(30_000);
    const page = await context.newPage();
    const query = wishes.workspace?.endsWith(".code-workspace") ? `workspace=${open}` : `folder=${open}`;
    const code = new Code(server, profile, folder, context, page, `http://127.0.0.1:${port}/?${query}`);
    page.on("pageerror", (error) => code.errors.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") code.errors.push(`${message.text()} (${message.location().url})`);
    });
    return code;
  }

  /**
   * The console's errors and those of the extension's log, without the few that VS Code in a browser has of its own.
   * @param due what must be among them, and is right
   */
  complaints(...due: string[]): string[] {
    const all = [...this.errors, ...this.log().split("\n").filter((line) => line.includes("[error]"))];
    const missing = due.filter((one) => !all.some((error) => error.includes(one))).map((one) => `missing: ${one}`);
    const known = (error: string) => KNOWN_ERRORS.some((one) => one.test(error)) || due.some((one) => error.includes(one));
    return [...missing, ...all.filter((error) => !known(error))];
  }

  /** What stands in the extension's log channel. */
  log(): string {
    const logs = join(this.profile, "data", "logs");
    const files = existsSync(logs) ? (readdirSync(logs, { recursive: true }) as string[]) : [];
    return files.filter((file) => file.endsWith("secondpass.log")).map((file) => readFileSync(join(logs, file), "utf8")).join("");
  }

  /** Load the workbench. */
  async load(): Promise<void> {
    this.asked = performance.now();
    await this.page.goto(this.url);
    await this.page.waitForSelector(".monaco-workbench", { timeout: 60_000 });
  }

  async trust(yes = true): Promise<string> {
    const dialog = this.page.locator(".monaco-dialog-box");
    await dialog.waitFor();
    const text = (await dialog.innerText()).replace(/\s+/g, " ");
    await dialog.getByRole("button", { name: yes ? /Yes, I trust/ : /No, I don't trust/ }).click();
    await dialog.waitFor({ state: "detached" });
    return text;
  }

  /** Where nothing is that speaks when the mouse is over it. */
  async mouseAway(): Promise<void> {
    await this.page.mouse.move(700, 12);
  }

  async openFile(name: string): Promise<void> {
    await this.pick("Control+P", name, name);
    await this.page.locator(".tab.active", { hasText: name.split("/").at(-1) as string }).first().waitFor();
  }

  async command(title: string): Promise<void> {
    await this.pick("F1", `>${title}`, title);
  }

  /** Pick from VS Code's list; what else happens may close it, and then a person opens it again. */
  private async pick(key: string, typed: string, shown: string): Promise<void> {
    for (let left = 3; ; left--) {
      await this.page.keyboard.press(key);
      const input = this.page.locator(".quick-input-widget input");
      const row = this.page.locator(".quick-input-list .monaco-list-row.focused").filter({ hasText: shown }).first();
      try {
        await input.fill(typed, { timeout: 5_000 });
        await row.waitFor({ timeout: 5_000 });
        return await this.page.keyboard.press("Enter");
      } catch (error) {
        if (left === 0) throw error;
        await this.page.keyboard.press("Escape");
      }
    }
  }

  squiggles(level = "error"): Locator {
    return this.page.locator(`.squiggly-${level}`);
  }

  /** Where a text stands on the screen: its first appearance in an editor. */
  async place(text: string, within = ".monaco-editor"): Promise<Box> {
    let box: Box | undefined;
    await until(async () => (box = await this.find(text, within)) !== undefined, `a line shows ${text}`);
    return box as Box;
  }

  private find(text: string, within: string): Promise<Box | undefined> {
    return this.page.evaluate(
      ([text, within]) => {
        for (const line of document.querySelectorAll(`${within} .view-line`)) {
          const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
          const nodes: Text[] = [];
          while (walker.nextNode()) nodes.push(walker.currentNode as Text);
          const whole = nodes.map((node) => node.data).join("").replaceAll("\u00a0", " ");
          const start = whole.indexOf(text as string);
          if (start < 0) continue;
          const range = document.createRange();
          let at = 0;
          for (const node of nodes) {
            const end = start + (text as string).length;
            if (start >= at && start < at + node.data.length) range.setStart(node, start - at);
            if (end > at && end <= at + node.data.length) range.setEnd(node, end - at);
            at += node.data.length;
          }
          const { x, y, width, height } = range.getBoundingClientRect();
          return { x, y, width, height };
        }
        return undefined;
      },
      [text, within] as const,
    );
  }

  async caret(text: string, within?: string): Promise<void> {
    const box = await this.place(text, within);
    await this.page.mouse.click(box.x + 3, box.y + box.height / 2);
  }

  /** The lines that an editor shows, with ordinary spaces. */
  text(editor = ".editor-instance .monaco-editor"): Promise<string> {
    return this.page
      .locator(`${editor} .view-lines`)
      .first()
      .evaluate((lines) =>
        [...lines.querySelectorAll<HTMLElement>(".view-line")]
          .sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top))
          .map((line) => (line.textContent ?? "").replaceAll("\u00a0", " "))
          .join("\n"),
      );
  }

  /** The rows of the menu of quick-fixes. What changes under it closes it, and then a person opens it again. */
  async fixes(): Promise<Locator> {
    const rows = this.page.locator(".action-widget .monaco-list-row.action");
    for (let left = 4; ; left--) {
      await this.page.keyboard.press("Control+.");
      const there = await rows.first().waitFor({ timeout: 5_000 }).then(() => true, () => left === 0);
      if (there) break;
    }
    await rows.first().waitFor({ timeout: 1_000 });
    return rows;
  }

  status(): Locator {
    return this.page.locator(".statusbar-item[id$='secondpass.status']");
  }

  toast(text: string | RegExp): Locator {
    return this.page.locator(".notification-toast", { hasText: text }).first();
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), "utf8");
  }

  /** What the status bar's item says to a screen reader: state, version, interpreter, number of findings. */
  async said(): Promise<string> {
    return (await this.status().getAttribute("aria-label")) ?? "";
  }

  async says(what: RegExp, patience?: number): Promise<void> {
    await until(async () => what.test(await this.said()), `the status bar says ${what}`, patience);
  }

  /** Process ids of the extension's servers. */
  servers(): number[] {
    const launch = join(this.profile, "extensions");
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        return words.some((word) => word.startsWith(launch) && word.endsWith("launch.py"));
      } catch {
        return false; // it has just ended
      }
    });
  }

  /** Milliseconds that VS Code says our activation took. */
  async activation(): Promise<number> {
    await this.command("Developer: Show Running Extensions");
    const list = this.page.locator(".runtime-extensions-editor");
    await list.locator(".monaco-list-row").first().waitFor();
    const row = list.locator(".monaco-list-row").filter({ has: this.page.getByText("secondpass", { exact: true }) });
    await list.hover();
    await until(async () => {
      if (await row.count()) return true;
      await this.page.mouse.wheel(0, 300);
      return false;
    }, "our line in the list of running extensions");
    return Number(/Activation: (\d+)ms/.exec(await row.innerText())?.[1]);
  }

  /** Wait until the window shows the same twice. */
  private async still(): Promise<void> {
    let before: Buffer | undefined;
    await until(async () => {
      const now = await this.page.screenshot({ caret: "hide" });
      const same = before?.equals(now) ?? false;
      before = now;
      return same;
    }, "the window is still", 10_000).catch(() => undefined); // a blinking thing does not fail a test
  }

  /** The inside of an extension's webview: our graph's; VS Code's own ones are of no extension. */
  webview(extension = "secondpass.secondpass"): FrameLocator {
    return this.page.frameLocator(`iframe.webview[src*='extensionId=${extension}&']`).frameLocator("#active-frame");
  }

  /** A picture of the window, or of as much of its editors as is asked for (pixels from their top). */
  async shot(name: string, height?: number): Promise<void> {
    await this.still();
    mkdirSync(SHOTS, { recursive: true });
    const clip = height === undefined ? {} : { clip: { x: 352, y: 30, width: 924, height } };
    await this.page.screenshot({ path: join(SHOTS, `${name}.png`), ...clip });
  }

  /** Write the settings of the machine while VS Code runs. */
  set(settings: Record<string, unknown>): void {
    writeFileSync(join(this.profile, "data", "Machine", "settings.json"), JSON.stringify(settings));
  }

  async stop(): Promise<void> {
    await this.context.close().catch(() => undefined);
    const gone = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.kill();
    await gone;
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Keep a picture of what a test that fails was looking at. */
export function picturesOfFailures(code: () => Code): void {
  onTestFailed(async ({ task }) => {
    await code().shot(`failed-${task.name.replace(/\W+/g, "-")}`);
    console.log(await code().said(), code().complaints());
  });
}

/** After the last test of a file. */
export async function cleanUp(): Promise<void> {
  await browser?.close();
  browser = undefined;
  rmSync(EXTENSIONS, { recursive: true, force: true });
}

export async function until(holds: () => boolean | Promise<boolean>, what: string, patience = 30_000): Promise<void> {
  const end = performance.now() + patience;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited ${patience / 1000} s in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The user's own configuration of pip, which a home of its own hides. */
export function pipConfiguration(): string | undefined {
  return [join(homedir(), ".config", "pip", "pip.conf"), join(homedir(), ".pip", "pip.conf")].find(existsSync);
}

function emptyPath(profile: string): string {
  const folder = join(profile, "empty-path");
  mkdirSync(folder);
  return folder;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
