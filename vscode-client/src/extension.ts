// Entry of the extension: joins the server's life, the status bar, the commands. It analyses nothing itself.

import { mkdirSync } from "node:fs";
import * as vscode from "vscode";
import { Pages } from "./explain";
import { folderIn } from "./fixes";
import { Graphs } from "./graph";
import { active, setting, watch } from "./interpreters";
import { Offer } from "./offer";
import { Server } from "./server";
import { menu, Status } from "./status";
import { tryFix, validate } from "./validate";

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const began = performance.now();
  const channel = vscode.window.createOutputChannel("secondpass", { log: true });
  const storage = context.globalStorageUri.fsPath;
  mkdirSync(storage, { recursive: true });
  const started = (server = new Server(
    {
      script: context.asAbsolutePath("bundled/launch.py"),
      libraries: context.asAbsolutePath("bundled/libs"),
      fixes: folderIn(storage),
      cwd: storage,
    },
    channel,
  ));
  const offer = new Offer(started, storage, channel);
  const graphs = new Graphs(started, context.extensionUri);
  const pages = new Pages(started);
  const command = (name: string, run: (...args: never[]) => unknown) =>
    vscode.commands.registerCommand(`secondpass.${name}`, (...args: never[]) => guarded(() => run(...args)));

  context.subscriptions.push(
    channel,
    started,
    graphs,
    new Status(started),
    offer.register(),
    pages.register(),
    command("restart", () => started.restart()),
    command("showLog", () => channel.show()),
    command("menu", () => menu(started)),
    command("setUpFixes", () => offer.accept()),
    command("explain", (code?: string) => pages.show(code, rules(context))),
    command("showGraph", (uri?: string, line?: number) => {
      const here = inFront(uri);
      return here && graphs.show(here.toString(), line ?? cursorLine());
    }),
    command("validate", (uri?: string) => {
      const here = inFront(uri);
      return here && validate(started, here);
    }),
    command("tryFix", (...args: unknown[]) => tryFix(started, args)),
    command("openStory", (name: string) => openStory(context, name)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => started.restart()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (["path", "interpreter"].some((name) => event.affectsConfiguration(`secondpass.${name}`))) void started.restart();
    }),
    started.onDidChangeState((state) => {
      if (state.kind === "running") void offer.renew();
    }),
  );
  void started.restart();
  void follow(started, context, channel);
  channel.info(`activated in ${Math.round(performance.now() - began)} ms`);
}

/** Let the server leave cleanly; VS Code waits a few seconds for it. */
export async function deactivate(): Promise<void> {
  await server?.stop();
}

/** Start again when another interpreter is chosen in the Python extension, if that changes anything. */
async function follow(server: Server, context: vscode.ExtensionContext, channel: vscode.LogOutputChannel): Promise<void> {
  const log = (line: string) => channel.warn(line);
  let known = await active(log);
  const changed = async () => {
    const now = await active(log);
    if (now === known) return;
    known = now;
    if (!setting("path") && !setting("interpreter")) await server.restart();
  };
  try {
    const watching = await watch(() => void changed());
    if (watching) context.subscriptions.push(watching);
  } catch (error) {
    channel.warn(`the Python extension tells nothing of its interpreters: ${String(error)}`);
  }
}

/** The file or notebook cell that a command is about. */
function inFront(uri: string | undefined): vscode.Uri | undefined {
  if (typeof uri === "string") return vscode.Uri.parse(uri);
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId === "python") return document.uri;
  void vscode.window.showInformationMessage("secondpass: open a Python file first.");
  return undefined;
}

function cursorLine(): number {
  return (vscode.window.activeTextEditor?.selection.active.line ?? 0) + 1;
}

/** A story of the walkthrough, as a file without a name that can be tried on. */
async function openStory(context: vscode.ExtensionContext, name: string): Promise<void> {
  const file = vscode.Uri.joinPath(context.extensionUri, "walkthrough", `${name.replace(/\W/g, "")}.py`);
  const content = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const document = await vscode.workspace.openTextDocument({ language: "python", content });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside });
}

/** Code and words of each rule, as the settings name them. */
function rules(context: vscode.ExtensionContext): [string, string][] {
  const properties = context.extension.packageJSON.contributes.configuration.properties["secondpass.severity"].properties as Record<
    string,
    { description: string }
  >;
  return Object.entries(properties).map(([code, { description }]) => [code, description]);
}

/** What goes wrong in a command is one line for the person who asked. */
async function guarded(run: () => unknown): Promise<void> {
  try {
    await run();
  } catch (error) {
    const log = "Show log"; // and a message with a button is shown whole
    const chosen = await vscode.window.showInformationMessage(`secondpass: ${error instanceof Error ? error.message : String(error)}`, log);
    if (chosen === log) await vscode.commands.executeCommand("secondpass.showLog");
  }
}
