import { type TextDocument, Uri, window, workspace } from "vscode";
import type { BaseLanguageClient, CodeLens } from "vscode-languageclient";
import { activeConfig } from "../commands.ts";

/** What is run, or asked about. */
export interface Target {
  readonly document: TextDocument;
  /** JSON Pointer. */
  readonly node: string;
}

/** What the lens of a command hands over. */
interface LensTarget {
  readonly uri: string;
  readonly pointer: string;
}

/**
 * What a person means: by a lens, or by a command of the palette, which means the nearest lens of its own above the cursor.
 * So all that lenses do can be done by the keyboard.
 *
 * @param given argument of the command
 * @param command its id
 * @param client knows what can be run where
 * @throws Error where there is nothing of that kind
 */
export async function targetOf(given: unknown, command: string, client: BaseLanguageClient): Promise<Target> {
  const { uri, pointer } = isLensTarget(given) ? given : await nearest(command, client);
  return { document: await workspace.openTextDocument(Uri.parse(uri)), node: pointer };
}

/** All lenses are asked for, also those that a person doesn't want to see. */
async function nearest(id: string, client: BaseLanguageClient): Promise<LensTarget> {
  const { uri } = activeConfig();
  const line = window.activeTextEditor?.selection.active.line ?? 0;
  const textDocument = { uri: uri.toString() };
  const lenses = await client.sendRequest<readonly CodeLens[] | null>("textDocument/codeLens", {
    textDocument,
  });
  const above = (lenses ?? [])
    .filter(({ command, range }) => command?.command === id && range.start.line <= line)
    .sort((a, b) => a.range.start.line - b.range.start.line);
  const target: unknown = above.at(-1)?.command?.arguments?.[0];
  if (!isLensTarget(target))
    throw new Error(
      `There is no ${id === "configc.runPoll" ? "polling intake" : "command for this"} at the cursor or above it: put the cursor into one.`,
    );
  return target;
}

/** Whether a command was called by a lens. */
export function isLensTarget(value: unknown): value is LensTarget {
  const is = value as Partial<LensTarget> | null | undefined;
  return typeof is === "object" && typeof is?.uri === "string" && typeof is.pointer === "string";
}
