// The one click: offered where a quick-fix is wanted and libcst is missing, done with progress, cancel and retry.
// Most fixes do without; those that rewrite a block whole do not.

import * as vscode from "vscode";
import { setUp, SetUpFailure, wasSetUp } from "./fixes";
import type { Server } from "./server";

const SELECTOR = ["file", "untitled", "vscode-notebook-cell"].map((scheme) => ({ scheme, language: "python" }));

/** Stands in the menu of quick-fixes as long as not all of them can be made. */
export class Offer implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.QuickFix];
  private working: Promise<void> | undefined;

  constructor(
    private readonly server: Server,
    private readonly storage: string,
    private readonly channel: vscode.LogOutputChannel,
  ) {}

  register(): vscode.Disposable {
    return vscode.languages.registerCodeActionsProvider(SELECTOR, this, { providedCodeActionKinds: Offer.kinds });
  }

  provideCodeActions(_: vscode.TextDocument, __: vscode.Range, context: vscode.CodeActionContext): vscode.CodeAction[] {
    const findings = context.diagnostics.filter((one) => one.source === "secondpass");
    if (this.server.hello?.fixes !== "missing" || findings.length === 0) return [];
    const action = new vscode.CodeAction("Set up all quick-fixes (fetches libcst once)", vscode.CodeActionKind.QuickFix);
    action.diagnostics = findings;
    action.command = { command: "secondpass.setUpFixes", title: action.title };
    return [action];
  }

  /** After an upgrade: what was agreed to once is fetched again without a question. */
  async renew(): Promise<void> {
    const { hello } = this.server;
    if (hello?.fixes === "missing" && (await wasSetUp(this.storage, hello.tag))) await this.accept();
  }

  /** The click. Twice is once. */
  accept(): Promise<void> {
    return (this.working ??= this.fetch().finally(() => (this.working = undefined)));
  }

  private async fetch(): Promise<void> {
    const { hello } = this.server;
    if (!hello) {
      void vscode.window.showInformationMessage("secondpass: the server does not run; quick-fixes can be set up when it does.");
      return;
    }
    if (hello.fixes !== "missing") {
      void vscode.window.showInformationMessage("secondpass: quick-fixes are set up.");
      return;
    }
    try {
      await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title: "secondpass: fetching libcst for quick-fixes", cancellable: true },
        (_, token) => {
          const abort = new AbortController();
          token.onCancellationRequested(() => abort.abort());
          return setUp(hello, this.storage, (line) => this.channel.info(line), abort.signal);
        },
      );
      await this.server.restart();
    } catch (error) {
      if (error instanceof Error && error.name === "AbortError") return;
      const why = error instanceof SetUpFailure ? error.message : String(error);
      this.channel.error(`quick-fixes: ${why}`);
      void this.complain(why);
    }
  }

  private async complain(why: string): Promise<void> {
    const again = "Try again";
    const log = "Show log";
    const chosen = await vscode.window.showWarningMessage(`secondpass: quick-fixes could not be set up: ${why}.`, again, log);
    if (chosen === again) await this.accept();
    if (chosen === log) this.channel.show();
  }
}
