import { Range, type TextDocument, type TextEdit, type WorkspaceEdit, window, workspace } from "vscode";
import { readText } from "./files.ts";

/**
 * The server knows test files as they are on disk. Where one has unsaved changes, what it would replace stands elsewhere: it is looked for in
 * the text that is there. Where that isn't certain, the text is left alone, and a person is told.
 *
 * @param edit of the renaming of a config or folder; it is changed
 */
export async function inUnsavedTexts(edit: WorkspaceEdit): Promise<WorkspaceEdit> {
  for (const [uri, edits] of edit.entries()) {
    const open = workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
    if (open?.isDirty !== true) continue;
    const saved = (await readText(uri)).split(/\r\n|\r|\n/);
    const places = edits.map((each) => relocated(each, saved, open));
    // In place: `set` of an edit adds to what it has.
    for (const [index, each] of edits.entries()) {
      each.range = places[index] ?? new Range(0, 0, 0, 0);
      if (places[index] === undefined) each.newText = "";
    }
    if (places.includes(undefined))
      void window.showWarningMessage(
        `${workspace.asRelativePath(uri, false)} has unsaved changes: write the new name into its \`config\` yourself.`,
      );
  }
  return edit;
}

/** The place of a member's value in another text. @returns undefined where it isn't there exactly once */
function relocated({ range }: TextEdit, saved: readonly string[], document: TextDocument): Range | undefined {
  const line = saved[range.start.line] ?? "";
  const old = line.slice(range.start.character, range.end.character);
  const member = /"[^"]*"\s*:\s*$/.exec(line.slice(0, range.start.character))?.[0] ?? "";
  const text = document.getText();
  const at = text.indexOf(member + old);
  if (old === "" || at < 0 || text.includes(member + old, at + 1)) return undefined;
  const start = at + member.length;
  return new Range(document.positionAt(start), document.positionAt(start + old.length));
}
