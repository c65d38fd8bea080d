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
import { type BaseLanguageClient, State } from "vscode-languageclient";
import type { FromGraph, ToGraph } from "./messages.ts";
import { webviewPage } from "./webview-page.ts";

/** After typing stops. */
const DELAY = 300;

type Drawn = Extract<GraphResult, { readonly graph: unknown }>["graph"];

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
  const cursor =
    window.activeTextEditor?.document === document ? window.activeTextEditor.selection.active : undefined;
  let workflow: string | undefined;
  let closed: readonly string[] = [];
  const ask = (more: object): Promise<GraphResult | null> =>
    client.sendRequest<GraphResult | null>("configc/graph", { textDocument: { uri: key }, ...more });
  const draw = async (): Promise<void> => {
    const data = await ask({});
    const nodes = data === null || !("graph" in data) ? [] : data.graph.nodes;
    const workflows = nodes.filter(({ kind }) => kind === "workflow").map(({ title }) => title);
    // It may have another name by now.
    if (workflow !== undefined && !workflows.includes(workflow)) workflow = undefined;
    const chosen = workflow === undefined ? {} : { workflow };
    const closable = nodes.flatMap(({ source, rows }) =>
      source === undefined || rows.length === 0 ? [] : [source.pointer],
    );
    const drawn = await ask({ format: "svg", title: name, closed, ...chosen });
    if (drawn === null || !("text" in drawn)) return;
    const at = cursor === undefined ? undefined : placeOf(nodes, document.offsetAt(cursor));
    await panel.webview.postMessage({
      svg: drawn.text,
      title: `Graph of ${name}`,
      workflows,
      closable,
      closed,
      ...chosen,
      ...(at === undefined ? {} : { at }),
    } satisfies ToGraph);
  };
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const changes = workspace.onDidChangeTextDocument((event) => {
    // By its address: a config that was closed and opened again is another document.
    if (event.document.uri.toString() !== key || event.contentChanges.length === 0) return;
    clearTimeout(waiting);
    // Where the server has stopped, it is drawn when there is one again.
    waiting = setTimeout(() => void draw().catch(() => undefined), DELAY);
  });
  const starts = client.onDidChangeState(({ newState }) => {
    if (newState === State.Running) void draw().catch(() => undefined);
  });
  panel.webview.onDidReceiveMessage(async (message: FromGraph) => {
    if (message.kind === "ready") return await draw();
    if (message.kind === "choose") {
      workflow = message.workflow;
      return await draw();
    }
    if (message.kind === "close") {
      closed = message.closed;
      return await draw();
    }
    const { start, end } = message;
    const present = await workspace.openTextDocument(document.uri);
    const selection = new Range(present.positionAt(start), present.positionAt(end));
    await window.showTextDocument(present, { selection: lineOf(selection), viewColumn: ViewColumn.One });
    return undefined;
  });
  panel.onDidDispose(() => {
    changes.dispose();
    starts.dispose();
    clearTimeout(waiting);
    panels.delete(key);
  });
}

/** JSON Pointer of the card whose source holds an offset. */
function placeOf(nodes: Drawn["nodes"], offset: number): string | undefined {
  const found = nodes.find(
    ({ source }) => source !== undefined && source.span.start <= offset && offset <= source.span.end,
  );
  return found?.source?.pointer;
}

/** A workflow goes on for pages: its beginning is what is looked for. */
function lineOf({ start, end }: Range): Range {
  return new Range(start, start.line === end.line ? end : start);
}
