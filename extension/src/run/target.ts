import { type CodeLens, commands, type TextDocument, Uri, window, workspace } from "vscode";
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
 * @throws Error where there is nothing of that kind
 */
export async function targetOf(given: unknown, command: string): Promise<Target> {
  const { uri, pointer } = isLensTarget(given) ? given : await nearest(command);
  return { document: await workspace.openTextDocument(Uri.parse(uri)), node: pointer };
}

async function nearest(id: string): Promise<LensTarget> {
  const { uri } = activeConfig();
  const line = window.activeTextEditor?.selection.active.line ?? 0;
  const lenses = await commands.executeCommand<readonly CodeLens[]>("vscode.executeCodeLensProvider", uri);
  const above = lenses
    .filter(({ command, range }) => command?.command === id && range.start.line <= line)
    .sort((a, b) => a.range.start.compareTo(b.range.start));
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
