// Which Pythons to try, in order: the settings, the one chosen in Microsoft's Python extension, PATH.

import * as vscode from "vscode";
import type { Candidate } from "./launch";

/** The part of the Python extension's public API that is used; that extension is never required. */
interface PythonApi {
  environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(path: { path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

/** Milliseconds that the Python extension may take to tell its choice; it tells of a later one by an event. */
const PATIENCE = 3_000;

const ON_PATH: readonly Candidate[] =
  process.platform === "win32"
    ? [
        { command: "py", before: ["-3"], why: "the Windows launcher" },
        { command: "python", why: "PATH" },
      ]
    : ["python3", "python", "python3.14", "python3.13", "python3.12", "python3.11", "python3.10"].map((command) => ({
        command,
        why: "PATH",
      }));

export async function candidates(log: (line: string) => void): Promise<Candidate[]> {
  const found: Candidate[] = [];
  const set = setting("interpreter");
  if (set) found.push({ command: set, why: "secondpass.interpreter" });
  const chosen = await active(log);
  if (chosen) found.push({ command: chosen, why: "chosen in the Python extension" });
  return [...found, ...ON_PATH];
}

/** The interpreter chosen in the Python extension. A folder that is not trusted may have chosen it, and then it waits. */
export async function active(log: (line: string) => void): Promise<string | undefined> {
  if (!vscode.workspace.isTrusted) return undefined;
  try {
    const api = await within(PATIENCE, pythonApi());
    if (!api) return undefined;
    const path = api.environments.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri);
    const environment = await within(PATIENCE, api.environments.resolveEnvironment(path));
    return environment?.executable.uri?.fsPath;
  } catch (error) {
    log(`the Python extension did not tell its interpreter: ${String(error)}`);
    return undefined;
  }
}

/** Call `changed` when another interpreter is chosen, as soon as there is somebody to say so. */
export async function watch(changed: () => void): Promise<vscode.Disposable | undefined> {
  const api = await pythonApi();
  return api?.environments.onDidChangeActiveEnvironmentPath(changed);
}

export function setting(name: "path" | "interpreter" | "python"): string {
  return vscode.workspace.getConfiguration("secondpass").get<string>(name, "").trim();
}

async function pythonApi(): Promise<PythonApi | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>("ms-python.python");
  if (!extension) return undefined;
  const api = extension.isActive ? extension.exports : await extension.activate();
  return api?.environments ? api : undefined;
}

function within<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
  return Promise.race([work, new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), milliseconds))]);
}
