// Start a server process and hear from bundled/launch.py what it runs on.

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { createInterface } from "node:readline";

const MARK = "secondpass-launch: ";

/** Where the interpreter came from, for people. */
export interface Candidate {
  command: string;
  /** Arguments before our own: the launcher of Windows takes the version so. */
  before?: readonly string[];
  why: string;
}

/** What bundled/launch.py says. */
export interface Hello {
  executable: string;
  python: string;
  /** `own`: the interpreter's secondpass; `carried`: the extension's. */
  source: "own" | "carried";
  version: string;
  /** Where libcst comes from, which quick-fixes need. */
  fixes: "own" | "private" | "missing";
  /** A name for this kind of interpreter: what a compiled module is compiled for. */
  tag: string;
  /** Why the interpreter's own secondpass could not be used. */
  broken: string | null;
}

export interface Launched {
  process: ChildProcessWithoutNullStreams;
  candidate: Candidate;
  /** Absent for a command of the setting `secondpass.path`, which says nothing of itself. */
  hello?: Hello;
}

/** Why one candidate did not become a server, in a few words. */
export class Refusal extends Error {}

/** What a line of standard error says: a hello, a refusal, or nothing of ours. */
export function heard(line: string): Hello | Refusal | undefined {
  if (!line.startsWith(MARK)) return undefined;
  try {
    const said = JSON.parse(line.slice(MARK.length)) as Partial<Hello> & { refused?: string };
    return said.refused ? new Refusal(said.refused) : (said as Hello);
  } catch {
    return new Refusal("said something that cannot be read");
  }
}

export interface Folders {
  /** The file bundled/launch.py. */
  script: string;
  libraries: string;
  fixes: string;
  /** Where the process runs: no folder of the user's, so that nothing in it is imported by chance. */
  cwd: string;
}

/**
 * Start a candidate's server; rejects with a Refusal.
 * @param patience milliseconds until it must have spoken
 */
export function launch(candidate: Candidate, at: Folders, log: (line: string) => void, patience = 20_000): Promise<Launched> {
  const args = [...(candidate.before ?? []), at.script, at.libraries, at.fixes];
  const process_ = spawn(candidate.command, args, { cwd: at.cwd, env: environment() });
  return new Promise((resolve, reject) => {
    const said: string[] = [];
    let settled = false;
    const refuse = (why: string) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      process_.kill();
      reject(new Refusal(why));
    };
    const timer = setTimeout(() => refuse(`did not answer within ${patience / 1000} s`), patience);
    process_.on("error", (error: NodeJS.ErrnoException) =>
      refuse(error.code === "ENOENT" ? "is not there" : `cannot be started (${error.message})`),
    );
    process_.on("close", (code) => refuse(`ended with status ${code}${said.length ? `: ${said.at(-1)}` : ""}`));
    createInterface({ input: process_.stderr }).on("line", (line) => {
      const found = heard(line);
      if (found instanceof Refusal) refuse(found.message);
      else if (found) {
        if (settled) return;
        settled = true;
        clearTimeout(timer);
        resolve({ process: process_, candidate, hello: found });
      } else {
        said.push(line);
        log(line);
      }
    });
  });
}

/** Start the command of the setting `secondpass.path`; rejects with a Refusal. */
export function launchCommand(command: string, cwd: string, log: (line: string) => void): Promise<Launched> {
  const process_ = spawn(command, ["server", "--stdio"], { cwd, env: environment() });
  createInterface({ input: process_.stderr }).on("line", log);
  return new Promise((resolve, reject) => {
    process_.on("spawn", () => resolve({ process: process_, candidate: { command, why: "secondpass.path" } }));
    process_.on("error", (error: NodeJS.ErrnoException) =>
      reject(new Refusal(error.code === "ENOENT" ? "is not there" : `cannot be started (${error.message})`)),
    );
  });
}

/** Compiled modules are kept beside the carried libraries, whatever the person wants elsewhere: every start is a second faster. */
function environment(): NodeJS.ProcessEnv {
  return { ...process.env, PYTHONDONTWRITEBYTECODE: undefined };
}
