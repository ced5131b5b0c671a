// libcst for the interpreter that lacks it: compiled, so it cannot be carried; fetched once, with one click.
// The fixes that rewrite a whole block need it.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Hello } from "./launch";

/** What is fetched. A folder of its own for each version, so that an upgrade of the extension fetches the new one. */
export const REQUIREMENT = "libcst==1.9.0";

/** The folder of the present requirement, in which each kind of interpreter has its own. */
export function folderIn(storage: string): string {
  return join(storage, REQUIREMENT.replace("==", "-"));
}

/** Whether an earlier version of the extension fetched it for this kind of interpreter: the person said yes already. */
export async function wasSetUp(storage: string, tag: string): Promise<boolean> {
  const versions = existsSync(storage) ? await readdir(storage) : [];
  return versions.some((version) => version.startsWith("libcst-") && existsSync(join(storage, version, tag, "libcst")));
}

/** Why it did not work, with what to do about it. */
export class SetUpFailure extends Error {}

/**
 * Fetch libcst with the interpreter's own pip, or with that of a passing virtual environment.
 * @param signal ends it early; what was fetched so far goes away
 */
export async function setUp(hello: Hello, storage: string, log: (line: string) => void, signal: AbortSignal): Promise<void> {
  const root = folderIn(storage);
  await mkdir(root, { recursive: true });
  const scratch = await mkdtemp(join(root, ".new-"));
  try {
    const target = join(scratch, "libraries");
    const python = await withPip(hello.executable, join(scratch, "pip"), log, signal);
    const pip = ["-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--no-compile", "--only-binary", ":all:"];
    const run = await command(python, [...pip, "--target", target, REQUIREMENT], log, signal);
    if (run.status !== 0) throw new SetUpFailure(reason(run.said, hello));
    await rm(join(root, hello.tag), { recursive: true, force: true });
    await rename(target, join(root, hello.tag));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  for (const version of await readdir(storage)) {
    const old = join(storage, version, hello.tag);
    if (version.startsWith("libcst-") && join(storage, version) !== root) await rm(old, { recursive: true, force: true });
  }
}

async function withPip(python: string, folder: string, log: (line: string) => void, signal: AbortSignal): Promise<string> {
  if ((await command(python, ["-m", "pip", "--version"], log, signal)).status === 0) return python;
  const made = await command(python, ["-m", "venv", folder], log, signal);
  if (made.status !== 0) {
    throw new SetUpFailure(
      `${python} has neither pip nor a complete venv (on Debian and Ubuntu: apt install python3-venv), ` +
        `or install libcst for it yourself`,
    );
  }
  return process.platform === "win32" ? join(folder, "Scripts", "python.exe") : join(folder, "bin", "python");
}

/** The reason in pip's words that matters, as one sentence. */
export function reason(said: readonly string[], hello: Pick<Hello, "python">): string {
  const all = said.join("\n");
  if (/NewConnectionError|ConnectTimeout|getaddrinfo|Name or service not known|Temporary failure in name resolution|ProxyError|Network is unreachable|Connection refused|Max retries/i.test(all))
    return "the package index cannot be reached; findings and hover work without it, try again when there is a network";
  if (/No matching distribution|Could not find a version/i.test(all))
    return `the package index has no ${REQUIREMENT} built for Python ${hello.python}`;
  if (/No space left/i.test(all)) return "there is no space left on the disk";
  if (/CERTIFICATE_VERIFY_FAILED|SSLError/i.test(all)) return "the package index's certificate is not trusted here";
  return said.filter((line) => line.startsWith("ERROR")).at(-1)?.replace(/^ERROR:\s*/, "") ?? said.at(-1) ?? "pip said nothing";
}

interface Ran {
  status: number | null;
  said: string[];
}

function command(python: string, args: string[], log: (line: string) => void, signal: AbortSignal): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const said: string[] = [];
    const run = spawn(python, args, { signal, env: { PIP_RETRIES: "1", PIP_DEFAULT_TIMEOUT: "20", ...process.env, PYTHONUTF8: "1" } });
    const hear = (chunk: Buffer) => {
      for (const line of chunk.toString("utf8").split(/\r?\n/)) {
        if (!line.trim()) continue;
        said.push(line.trim());
        log(`pip: ${line.trim()}`);
      }
    };
    run.stdout.on("data", hear);
    run.stderr.on("data", hear);
    run.on("error", reject);
    run.on("close", (status) => resolve({ status, said }));
  });
}
