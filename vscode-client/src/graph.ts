// `Show graph across iterations`: the server's picture in a webview, one panel for each file, drawn anew as its findings change.

import { randomBytes } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import * as vscode from "vscode";
import { page, type Jump } from "./graphPage";
import type { Server } from "./server";

interface Shown {
  panel: vscode.WebviewPanel;
  /** Of what is asked for: 1-based. */
  line: number;
  /** What is seen, as the server sent it. */
  html: string;
}

const NO_GRAPH = "<title>No graph</title><main><p>No graph is walked twice here any more.</p></main>";

export class Graphs implements vscode.Disposable {
  private readonly open = new Map<string, Shown>();
  private readonly watching: vscode.Disposable;

  constructor(
    private readonly server: Server,
    private readonly extension: vscode.Uri,
  ) {
    this.watching = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      const changed = new Set(uris.map((uri) => uri.path)); // the cells of a notebook have its path
      for (const uri of this.open.keys()) if (changed.has(vscode.Uri.parse(uri).path)) void this.renew(uri);
    });
  }

  /** @param line 1-based; the graph of the finding nearest to it is drawn */
  async show(uri: string, line: number): Promise<void> {
    const html = await this.draw(uri, line);
    const shown = this.open.get(uri) ?? { panel: this.create(uri), line, html: "" };
    this.open.set(uri, shown);
    shown.line = line;
    this.fill(shown, html);
    shown.panel.reveal(undefined, false);
  }

  dispose(): void {
    this.watching.dispose();
    for (const { panel } of this.open.values()) panel.dispose();
  }

  private async renew(uri: string): Promise<void> {
    const shown = this.open.get(uri);
    if (!shown || !vscode.workspace.textDocuments.some((one) => one.uri.toString() === uri)) return;
    try {
      this.fill(shown, await this.draw(uri, shown.line));
    } catch (error) {
      // a server that is on its way tells its findings when it is there
      if (String(error).includes("nothing to draw")) this.fill(shown, NO_GRAPH);
    }
  }

  private fill(shown: Shown, html: string): void {
    if (shown.html === html) return;
    shown.html = html;
    const { webview } = shown.panel;
    webview.html = page({
      html,
      nonce: randomBytes(16).toString("hex"),
      script: webview.asWebviewUri(vscode.Uri.joinPath(this.extension, "dist", "graph.js")).toString(),
    });
  }

  private async draw(uri: string, line: number): Promise<string> {
    // The server writes the picture to a file of its own and would open it in a browser.
    const shown = await this.server.runQuietly<string>("secondpass.showGraph", [uri, line], (one) => one.startsWith("file:"));
    const file = fileURLToPath(shown);
    const html = await readFile(file, "utf8");
    await rm(dirname(file), { recursive: true, force: true });
    return html;
  }

  private create(uri: string): vscode.WebviewPanel {
    const name = vscode.Uri.parse(uri).path.split("/").at(-1);
    const panel = vscode.window.createWebviewPanel(
      "secondpass.graph",
      `Graph: ${name}`,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: false },
      { enableScripts: true, localResourceRoots: [vscode.Uri.joinPath(this.extension, "dist")] },
    );
    panel.iconPath = new vscode.ThemeIcon("type-hierarchy") as unknown as vscode.Uri;
    panel.webview.onDidReceiveMessage((to: Jump) => void jump(to));
    panel.onDidDispose(() => this.open.delete(uri));
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
