// `Show graph across turns`: the server's picture in a webview, one panel for each file.

import { randomBytes } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import * as vscode from "vscode";
import { page, type Jump } from "./graphPage";
import type { Server } from "./server";

export class Graphs implements vscode.Disposable {
  private readonly panels = new Map<string, vscode.WebviewPanel>();

  constructor(
    private readonly server: Server,
    private readonly extension: vscode.Uri,
  ) {}

  /** @param line 1-based; the graph of the finding nearest to it is drawn */
  async show(uri: string, line: number): Promise<void> {
    const html = await this.draw(uri, line);
    const panel = this.panels.get(uri) ?? this.open(uri);
    panel.webview.html = page({
      html,
      nonce: randomBytes(16).toString("hex"),
      script: panel.webview.asWebviewUri(vscode.Uri.joinPath(this.extension, "dist", "graph.js")).toString(),
    });
    panel.reveal(undefined, false);
  }

  dispose(): void {
    for (const panel of this.panels.values()) panel.dispose();
  }

  private async draw(uri: string, line: number): Promise<string> {
    // The server writes the picture to a file of its own and would open it in a browser.
    const shown = await this.server.runQuietly<string>("secondpass.showGraph", [uri, line], (one) => one.startsWith("file:"));
    const file = fileURLToPath(shown);
    const html = await readFile(file, "utf8");
    await rm(dirname(file), { recursive: true, force: true });
    return html;
  }

  private open(uri: string): vscode.WebviewPanel {
    const name = vscode.Uri.parse(uri).path.split("/").at(-1);
    const panel = vscode.window.createWebviewPanel(
      "secondpass.graph",
      `Graph: ${name}`,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: false },
      { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(this.extension, "dist")] },
    );
    panel.iconPath = new vscode.ThemeIcon("type-hierarchy") as unknown as vscode.Uri;
    panel.webview.onDidReceiveMessage((to: Jump) => void jump(to));
    panel.onDidDispose(() => this.panels.delete(uri));
    this.panels.set(uri, panel);
    return panel;
  }
}

async function jump(to: Jump): Promise<void> {
  const uri = vscode.Uri.file(to.path);
  const notebook = vscode.workspace.notebookDocuments.find((one) => one.uri.fsPath === uri.fsPath);
  if (notebook && to.cell !== undefined) {
    const cells = [new vscode.NotebookRange(to.cell, to.cell + 1)];
    const shown = vscode.window.visibleNotebookEditors.find((one) => one.notebook === notebook)?.viewColumn;
    await vscode.window.showNotebookDocument(notebook, { selections: cells, viewColumn: shown ?? vscode.ViewColumn.One });
    return;
  }
  const place = new vscode.Range(to.line - 1, to.column - 1, to.line - 1, to.column - 1);
  const column = vscode.window.visibleTextEditors.find((one) => one.document.uri.fsPath === uri.fsPath)?.viewColumn;
  await vscode.window.showTextDocument(uri, { selection: place, viewColumn: column ?? vscode.ViewColumn.One });
}
