import type { TextDocument } from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";

/** Something that can be debugged, and where it is declared. */
export interface Debuggable {
  readonly kind: "step" | "poll" | "workflow";
  /** JSON Pointer. */
  readonly node: string;
  /** Of its key or name, from 0. */
  readonly range: ProtocolRange;
}

interface ProtocolRange {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

interface ProtocolLens {
  readonly range: ProtocolRange;
  readonly command?: { readonly command: string; readonly arguments?: readonly unknown[] };
}

const kinds: Readonly<Record<string, Debuggable["kind"]>> = {
  "configc.runStep": "step",
  "configc.runPoll": "poll",
  "configc.simulate": "workflow",
};

/** What of a config can be debugged, in document order: what can be run, which the server's lenses tell. */
export async function debuggablesIn(
  client: BaseLanguageClient,
  document: TextDocument,
): Promise<readonly Debuggable[]> {
  const lenses = await client.sendRequest<readonly ProtocolLens[] | null>("textDocument/codeLens", {
    textDocument: { uri: document.uri.toString() },
  });
  return (lenses ?? []).flatMap(({ range, command }) => {
    const kind = kinds[command?.command ?? ""];
    const node = (command?.arguments?.[0] as { readonly pointer?: unknown } | undefined)?.pointer;
    if (kind === undefined || typeof node !== "string") return [];
    // Intakes are simulated too.
    if (kind === "workflow" && !node.startsWith("/workflows/")) return [];
    return [{ kind, node, range }];
  });
}

/**
 * What a person means who starts to debug at a line: the workflow whose pipeline or name is there, the polling intake, or else the
 * command that is run as a whole.
 *
 * @param line from 0
 * @returns undefined where nothing of the config can be run
 */
export function debuggableAt(all: readonly Debuggable[], line: number): Debuggable | undefined {
  const above = all.filter(({ range }) => range.start.line <= line);
  const nearest = above.at(-1) ?? all[0];
  if (nearest === undefined || nearest.kind !== "step") return nearest;
  const [pipeline] = /^\/workflows\/\d+(?=\/data_pipeline\/)/.exec(nearest.node) ?? [];
  const whole = all.find(
    ({ kind, node }) =>
      (kind === "workflow" && node === pipeline) || (kind === "poll" && nearest.node.startsWith(`${node}/`)),
  );
  if (whole !== undefined) return whole;
  const outer = all.filter(({ kind, node }) => kind === "step" && nearest.node.startsWith(`${node}/`));
  return outer.sort((a, b) => a.node.length - b.node.length)[0] ?? nearest;
}
