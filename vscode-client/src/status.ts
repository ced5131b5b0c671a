// The status bar's item, and the menu behind it.

import * as vscode from "vscode";
import type { Server } from "./server";
import { shown, type State } from "./state";

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("secondpass.status", vscode.StatusBarAlignment.Right, 90);
  private readonly subscriptions: vscode.Disposable[];
  private told = false;
  private passedOver: string | undefined;
  private last: vscode.Uri | undefined;

  constructor(private readonly server: Server) {
    this.item.name = "secondpass";
    this.item.command = "secondpass.menu";
    const update = () => this.update();
    this.subscriptions = [
      this.item,
      server.onDidChangeState(update),
      vscode.window.onDidChangeActiveTextEditor(update),
      vscode.window.onDidChangeActiveNotebookEditor(update),
      vscode.window.onDidChangeVisibleTextEditors(update),
      vscode.languages.onDidChangeDiagnostics(update),
      vscode.workspace.onDidChangeConfiguration(update),
    ];
    this.update();
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
  }

  private update(): void {
    const document = vscode.window.activeTextEditor?.document.uri;
    const on = vscode.workspace.getConfiguration("secondpass", document).get<boolean>("enable", true);
    const state: State = on ? this.server.state : { kind: "off" };
    const { text, tooltip, level } = shown(state, this.findingsInFront());
    this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = { label: `secondpass: ${tooltip}` };
    this.item.backgroundColor = level && new vscode.ThemeColor(`statusBarItem.${level}Background`);
    this.item.show();
    if (state.kind === "running") this.told = false;
    if (state.kind === "running" && state.passedOver !== this.passedOver) {
      this.passedOver = state.passedOver;
      if (state.passedOver) void wrongInterpreter(state.passedOver, state.hello?.executable);
    }
    if (state.kind === "noPython" && !this.told) {
      this.told = true;
      void noPython(state.tried);
    }
    if (state.kind === "failed" && !this.told) {
      this.told = true;
      void failed(state.why);
    }
  }

  /** The number of findings in the Python file or notebook in front, or in the last one where it is still seen. */
  private findingsInFront(): number | undefined {
    const notebook = vscode.window.activeNotebookEditor?.notebook;
    const document = vscode.window.activeTextEditor?.document;
    if (notebook) return findingsIn(notebook.getCells().map((cell) => cell.document.uri));
    if (document?.languageId === "python") this.last = document.uri;
    const seen = vscode.window.visibleTextEditors.some((one) => one.document.uri.toString() === this.last?.toString());
    return this.last && seen ? findingsIn([this.last]) : undefined;
  }
}

function findingsIn(uris: readonly vscode.Uri[]): number {
  const ours = (uri: vscode.Uri) => vscode.languages.getDiagnostics(uri).filter((one) => one.source === "secondpass").length;
  return uris.reduce((sum, uri) => sum + ours(uri), 0);
}

/** A setting names an interpreter that cannot be used: the person who wrote it wants to know. */
async function wrongInterpreter(told: string, taken: string | undefined): Promise<void> {
  const open = "Open settings";
  const chosen = await vscode.window.showWarningMessage(`secondpass: ${told}; ${taken} runs it instead.`, open);
  if (chosen === open) await vscode.commands.executeCommand("workbench.action.openSettings", "secondpass.interpreter");
}

/** One message that says what to do. */
export async function noPython(tried: readonly string[]): Promise<void> {
  const choose = "Set the interpreter";
  const again = "Look again";
  const log = "Show log";
  const told = tried.length ? ` Tried: ${tried.slice(0, 3).join("; ")}.` : "";
  const chosen = await vscode.window.showErrorMessage(
    `secondpass needs Python 3.10 or newer, and found none. Install one, or name one in the settings.${told}`,
    choose,
    again,
    log,
  );
  if (chosen === choose) await vscode.commands.executeCommand("workbench.action.openSettings", "secondpass.interpreter");
  if (chosen === again) await vscode.commands.executeCommand("secondpass.restart");
  if (chosen === log) await vscode.commands.executeCommand("secondpass.showLog");
}

async function failed(why: string): Promise<void> {
  const again = "Restart";
  const open = "Open settings";
  const log = "Show log";
  const buttons = why.includes("secondpass.path") ? [open, again, log] : [again, log];
  const chosen = await vscode.window.showErrorMessage(`secondpass does not run: ${why}.`, ...buttons);
  if (chosen === open) await vscode.commands.executeCommand("workbench.action.openSettings", "secondpass.path");
  if (chosen === again) await vscode.commands.executeCommand("secondpass.restart");
  if (chosen === log) await vscode.commands.executeCommand("secondpass.showLog");
}

interface Item extends vscode.QuickPickItem {
  run?: () => unknown;
}

export async function menu(server: Server): Promise<void> {
  const command = (label: string, id: string, detail?: string): Item => ({
    label,
    detail,
    run: () => vscode.commands.executeCommand(id),
  });
  const items: Item[] = [];
  if (server.hello?.fixes === "missing") {
    items.push(command("$(cloud-download) Set up quick-fixes", "secondpass.setUpFixes", "Fetches libcst for this Python, once"));
  }
  if (server.state.kind === "running" && vscode.window.activeTextEditor?.document.languageId === "python") {
    items.push(command("$(type-hierarchy) Show graph across iterations", "secondpass.showGraph"));
    if (vscode.workspace.isTrusted) items.push(command("$(beaker) Validate with a traced run", "secondpass.validate"));
  }
  items.push(
    command("$(book) Explain a rule", "secondpass.explain"),
    command("$(refresh) Restart server", "secondpass.restart"),
    command("$(output) Show log", "secondpass.showLog"),
    {
      label: "$(gear) Settings",
      run: () => vscode.commands.executeCommand("workbench.action.openSettings", "@ext:secondpass.secondpass"),
    },
  );
  const { state } = server;
  if (state.kind === "noPython") items.unshift({ label: "$(question) What to do", run: () => noPython(state.tried) });
  const chosen = await vscode.window.showQuickPick(items, { title: "secondpass", placeHolder: shown(state, undefined).tooltip.split("\n")[0] });
  await chosen?.run?.();
}
