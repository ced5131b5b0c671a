// bundled/launch.py and what the package carries, under every Python that this machine has.

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, expect, test } from "vitest";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { heard, Refusal, type Hello } from "../../src/launch";

const CLIENT = join(__dirname, "..", "..");
const LAUNCH = join(CLIENT, "bundled", "launch.py");
const LIBRARIES = join(CLIENT, "bundled", "libs");
const CARRIED = readFileSync(join(CLIENT, "walkthrough", "carried.py"), "utf8");
const BARE = join(process.env["SECONDPASS_VSCODE"] ?? join(homedir(), ".cache", "secondpass-vscode"), "bare", "bin", "python");

const scratch = mkdtempSync(join(tmpdir(), "secondpass-launch-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Without what is installed beside the interpreter, and with a network that raises. */
const ALONE = folder("alone", {
  "sitecustomize.py": `
import sys
sys.path = [part for part in sys.path if not part.endswith("site-packages")]
def refuse(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo"):
        raise OSError("there is no network: " + event)
sys.addaudithook(refuse)
`,
});
const BROKEN = folder("broken", {
  "secondpass/__init__.py": "",
  "secondpass_server/__init__.py": "raise ImportError('half of it is missing')",
  "pygls/__init__.py": "",
});

function folder(name: string, files: Record<string, string>): string {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(scratch, name, file, ".."), { recursive: true });
    writeFileSync(join(scratch, name, file), text);
  }
  return join(scratch, name);
}

/** One interpreter for each version that is there, the bare one of the tests in VS Code among them. */
function pythons(): [string, string][] {
  const script = join(CLIENT, "..", ".ci", "find-python");
  const found = new Map<string, string>();
  const version = "import sys; print('%d.%d' % sys.version_info[:2])";
  found.set(execFileSync(BARE, ["-c", version], { encoding: "utf8" }).trim(), BARE);
  for (const wanted of ["3.10", "3.11", "3.12", "3.13", "3.14"]) {
    const run = spawnSync("bash", [script, wanted], { encoding: "utf8" });
    if (run.status === 0 && !found.has(wanted)) found.set(wanted, run.stdout.trim());
  }
  return [...found].sort();
}

interface Told {
  hello: Hello;
  codes: unknown[];
}

/** Start the server as the extension does, open the first story, and wait for its findings. */
async function findings(python: string, path: string): Promise<Told> {
  const server = spawn(python, [LAUNCH, LIBRARIES, join(scratch, "fixes")], {
    cwd: scratch,
    env: { ...process.env, PYTHONPATH: path, PYTHONDONTWRITEBYTECODE: "1" },
  });
  const said: string[] = [];
  const hello = new Promise<Hello>((resolve, reject) => {
    createInterface({ input: server.stderr }).on("line", (line) => {
      const one = heard(line);
      if (one instanceof Refusal) reject(one);
      else if (one) resolve(one);
      else said.push(line);
    });
    server.on("close", (status) => reject(new Error(`ended with ${status}: ${said.join("\n")}`)));
  });
  const connection = createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
  try {
    const found = new Promise<unknown[]>((resolve) =>
      connection.onNotification("textDocument/publishDiagnostics", ({ diagnostics }: { diagnostics: { code: unknown }[] }) => {
        if (diagnostics.length) resolve(diagnostics.map((one) => one.code));
      }),
    );
    connection.listen();
    const asked = connection.sendRequest("initialize", { processId: null, rootUri: null, capabilities: {} });
    await Promise.race([asked, hello.then(() => asked)]);
    await connection.sendNotification("initialized", {});
    const textDocument = { uri: `file://${scratch}/train.py`, languageId: "python", version: 1, text: CARRIED };
    await connection.sendNotification("textDocument/didOpen", { textDocument });
    return { hello: await hello, codes: await found };
  } finally {
    connection.dispose();
    server.kill();
  }
}

test.each(pythons())("findings with nothing installed and no network on Python %s", { timeout: 60_000 }, async (version, python) => {
  const { hello, codes } = await findings(python, ALONE);
  expect(codes).toEqual(["SP101"]);
  expect(hello).toMatchObject({ source: "carried", fixes: "missing", broken: null });
  expect(hello.python.startsWith(`${version}.`)).toBe(true);
});

test("an interpreter's own secondpass that cannot be used gives way to the carried one", { timeout: 60_000 }, async () => {
  const { hello, codes } = await findings(BARE, BROKEN);
  expect(codes).toEqual(["SP101"]);
  expect(hello).toMatchObject({ source: "carried", broken: "ImportError: half of it is missing" });
});

test("a Python that is too old is refused by name", () => {
  const old = "import runpy, sys; sys.version_info = (3, 9, 1); sys.argv = ['launch.py', '', '']";
  const run = spawnSync(BARE, ["-c", `${old}; runpy.run_path(${JSON.stringify(LAUNCH)}, run_name='__main__')`], { encoding: "utf8" });
  expect(run.status).toBe(3);
  expect(heard(run.stderr.trim())).toEqual(new Refusal("is too old; secondpass needs Python 3.10 or newer"));
});

test("what runs in no browser says so", () => {
  const manifest = JSON.parse(readFileSync(join(CLIENT, "package.json"), "utf8")) as {
    browser?: string;
    capabilities: { virtualWorkspaces: { supported: boolean }; untrustedWorkspaces: { supported: string } };
  };
  expect(manifest.browser).toBeUndefined();
  expect(manifest.capabilities.virtualWorkspaces.supported).toBe(false);
  expect(manifest.capabilities.untrustedWorkspaces.supported).toBe("limited");
});
