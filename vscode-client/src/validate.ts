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
  const verdicts = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: `secondpass: traced run of ${name}`, cancellable: true },
    (shown, cancelled) => server.runLong<Verdict[]>("secondpass.validate", [uri.toString()], shown, cancelled),
  );
  void vscode.window.showInformationMessage(`secondpass: ${told(verdicts)}`);
}

/** Run one fix in a copy; `args` are the code action's own, and the server shows what the run says. */
export async function tryFix(server: Server, args: unknown[]): Promise<void> {
  if (!(await trusted())) return;
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: "secondpass: trying a fix", cancellable: true },
    (shown, cancelled) => server.runLong("secondpass.tryFix", args, shown, cancelled),
  );
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

/** `the traced run: 1 confirmed, 2 not-reached`. */
export function told(verdicts: readonly Verdict[]): string {
  if (verdicts.length === 0) return "the traced run ended, and there is nothing to confirm.";
  const counts = new Map<string, number>();
  for (const { verdict } of verdicts) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  return `the traced run says: ${[...counts].map(([verdict, number]) => `${number} ${verdict}`).join(", ")}.`;
}
