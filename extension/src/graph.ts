import type { GraphResult } from "@configc/language-server";
import {
  type ExtensionContext,
  Range,
  type TextDocument,
  Uri,
  ViewColumn,
  type WebviewPanel,
  window,
  workspace,
} from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import type { FromGraph, ToGraph } from "./messages.ts";
import { webviewPage } from "./webview-page.ts";

/** After typing stops. */
const DELAY = 300;

const panels = new Map<string, WebviewPanel>();

/** Shows the picture of an app beside its config; it follows what is typed, and a click goes to the source. */
export function showGraph(
  context: ExtensionContext,
  client: BaseLanguageClient,
  document: TextDocument,
): void {
  const key = document.uri.toString();
  const known = panels.get(key);
  if (known !== undefined) return known.reveal();
  const name = document.uri.path.split("/").pop() ?? "";
  const panel = window.createWebviewPanel("configc.graph", `Graph of ${name}`, ViewColumn.Beside);
  panels.set(key, panel);
  panel.iconPath = Uri.joinPath(context.extensionUri, "media/icon.png");
  panel.webview.html = webviewPage(panel.webview, context.extensionUri, "graph", "Drawing …");
  const draw = async (): Promise<void> => {
    const params = { textDocument: { uri: key }, format: "svg", title: name };
    const drawn = await client.sendRequest<GraphResult | null>("configc/graph", params);
    if (drawn === null || !("text" in drawn)) return;
    await panel.webview.postMessage({ svg: drawn.text, title: `Graph of ${name}` } satisfies ToGraph);
  };
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const changes = workspace.onDidChangeTextDocument((event) => {
    if (event.document !== document) return;
    clearTimeout(waiting);
    waiting = setTimeout(() => void draw(), DELAY);
  });
  panel.webview.onDidReceiveMessage(async (message: FromGraph) => {
    if (message.kind === "ready") return await draw();
    const { start, end } = message;
    const selection = new Range(document.positionAt(start), document.positionAt(end));
    await window.showTextDocument(document, { selection: lineOf(selection), viewColumn: ViewColumn.One });
    return undefined;
  });
  panel.onDidDispose(() => {
    changes.dispose();
    clearTimeout(waiting);
    panels.delete(key);
  });
}

/** A workflow goes on for pages: its beginning is what is looked for. */
function lineOf({ start, end }: Range): Range {
  return new Range(start, start.line === end.line ? end : start);
}
