import type { WorkspaceEdit } from "vscode-languageserver";
import type { Server } from "./feature.ts";

/**
 * An edit with the version of each document that it was made for, where the client takes that: it can then refuse one that comes when
 * the text is another one already.
 */
export function versioned(
  { client, part }: Pick<Server, "client" | "part">,
  edit: WorkspaceEdit,
): WorkspaceEdit {
  const { changes, ...rest } = edit;
  if (changes === undefined || client.workspace?.workspaceEdit?.documentChanges !== true) return edit;
  const documentChanges = Object.entries(changes).map(([uri, edits]) => ({
    textDocument: { uri, version: part(uri)?.document.version ?? null },
    edits,
  }));
  return { ...rest, documentChanges };
}
