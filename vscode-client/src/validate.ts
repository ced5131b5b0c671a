// What executes a script: `Validate with a traced run`, and `Try this fix in a traced run` beside a finding's fixes. The
// server runs it under the recorder, with progress that can be cancelled; here it is seen to that the folder is trusted.

import * as vscode from "vscode";
import type { Server } from "./server";

interface Verdict {
  rule: string;
  line: number;
  verdict: string;
}

export async function validate(server: Server, uri: vscode.Uri): Promise<void> {
  if (!(await trusted())) return;
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (document?.isDirty && !(await document.save())) return;
  const name = uri.path.split("/").at(-1);
  const verdicts = await executing(`secondpass: traced run of ${name}`, (shown, cancelled) =>
    server.runLong<Verdict[]>("secondpass.validate", [uri.toString()], shown, cancelled),
  );
  if (verdicts) void vscode.window.showInformationMessage(`secondpass: ${told(verdicts)}`);
}

/**
 * Run one fix in a copy, and offer to apply it.
 * @param args the code action's own: URI, revision and index of the finding for the server, title of the fix
 */
export async function tryFix(server: Server, args: unknown[]): Promise<void> {
  if (!(await trusted())) return;
  const said = await executing("secondpass: trying a fix", (shown, cancelled) =>
    server.overhear("secondpass.tryFix", args, shown, cancelled),
  );
  if (said === undefined) return;
  const apply = "Apply this fix";
  const chosen = await vscode.window.showInformationMessage(`secondpass: ${said}`, apply);
  if (chosen === apply) await applyFix(vscode.Uri.parse(String(args[0])), String(args.at(-1)));
}

/** Apply the fix of this title, if it is still offered. */
async function applyFix(uri: vscode.Uri, title: string): Promise<void> {
  const notebook = vscode.workspace.notebookDocuments.find((one) => one.uri.toString() === uri.toString());
  const kind = vscode.CodeActionKind.QuickFix.value;
  for (const place of notebook?.getCells().map((cell) => cell.document.uri) ?? [uri]) {
    for (const { range } of vscode.languages.getDiagnostics(place).filter((one) => one.source === "secondpass")) {
      const offered = await vscode.commands.executeCommand<vscode.CodeAction[]>("vscode.executeCodeActionProvider", place, range, kind, 50);
      const edit = offered.find((one) => one.title === title)?.edit;
      if (edit) {
        await vscode.workspace.applyEdit(edit);
        return;
      }
    }
  }
  throw new Error("the text has changed; the fix is no longer offered");
}

type Work<T> = (shown: vscode.Progress<{ message?: string }>, cancelled: vscode.CancellationToken) => Promise<T>;

/** Run something that executes a script, with progress and cancel; undefined, and a message, where it could not be run. */
async function executing<T>(title: string, work: Work<T>): Promise<T | undefined> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  try {
    return await vscode.window.withProgress(options, work);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (/was cancelled$|is under way$/.test(why)) void vscode.window.showInformationMessage(`secondpass: ${why}`);
    else void complain(why);
    return undefined;
  }
}

async function complain(why: string): Promise<void> {
  const python = "Choose the Python";
  const log = "Show log";
  const chosen = await vscode.window.showWarningMessage(`secondpass: ${why}`, ...(/torch|interpreter/.test(why) ? [python] : []), log);
  if (chosen === python) await vscode.commands.executeCommand("workbench.action.openSettings", "secondpass.python");
  if (chosen === log) await vscode.commands.executeCommand("secondpass.showLog");
}

/** Whether the folder may be executed; where not, says why and offers the way. */
async function trusted(): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true;
  const trust = "Manage workspace trust";
  const chosen = await vscode.window.showInformationMessage(
    "secondpass: a traced run executes your script, so it waits until you trust this folder.",
    trust,
  );
  if (chosen === trust) await vscode.commands.executeCommand("workbench.trust.manage");
  return false;
}

/** `the traced run says: 1 confirmed, 2 not reached`. */
export function told(verdicts: readonly Verdict[]): string {
  if (verdicts.length === 0) return "the traced run ended, and there is nothing to confirm.";
  const counts = new Map<string, number>();
  for (const { verdict } of verdicts) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return `the traced run says: ${[...counts].map(([verdict, number]) => `${number} ${verdict.replaceAll("-", " ")}`).join(", ")}.`;
}
