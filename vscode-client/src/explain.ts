// A rule's page, as the server has it: rendered beside the code by VS Code's own Markdown preview, with no network.

import * as vscode from "vscode";
import type { Server } from "./server";

const SCHEME = "secondpass-rule";

export class Pages implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();

  constructor(private readonly server: Server) {}

  register(): vscode.Disposable {
    return vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.path) ?? "";
  }

  /** @param code of the rule; asked for where it is not given */
  async show(code: string | undefined, rules: readonly (readonly [string, string])[]): Promise<void> {
    const asked = async () => {
      const items = rules.map(([label, description]) => ({ label, description }));
      return (await vscode.window.showQuickPick(items, { title: "Explain a rule", matchOnDescription: true }))?.label;
    };
    const chosen = code ?? (await asked());
    if (!chosen) return;
    const text = await this.server.runQuietly<string>("secondpass.explain", [chosen], (uri) => uri.startsWith("http"));
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `${chosen}.md` });
    this.texts.set(uri.path, text);
    await vscode.commands.executeCommand("markdown.showPreviewToSide", uri);
  }
}
