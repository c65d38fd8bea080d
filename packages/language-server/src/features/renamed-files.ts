import type {
  ClientCapabilities,
  FileOperationRegistrationOptions,
  RenameFile,
  ServerCapabilities,
  TextDocumentEdit,
  WorkspaceEdit,
} from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { Feature, Following } from "../feature.ts";
import { toRange } from "../range.ts";

/** Configs, the tests that name them, and folders that one of them may be in. */
const renamed: FileOperationRegistrationOptions = {
  filters: [
    { scheme: "file", pattern: { glob: "**/*.{app.json,app.jsonc,apptest.json}", matches: "file" } },
    { scheme: "file", pattern: { glob: "**", matches: "folder" } },
  ],
};

/** Whether folders come and go matters to settings; what is renamed takes along what belongs to it. */
const workspace: NonNullable<ServerCapabilities["workspace"]> = {
  workspaceFolders: { supported: true, changeNotifications: true },
  fileOperations: { willRename: renamed, didRename: renamed },
};

/** When a config gets another name, its samples and run contexts get it too, and its tests name it by that. */
export const renamedFiles: Feature = {
  capabilities: { workspace },
  register(server) {
    const { connection, options } = server;
    connection.workspace.onWillRenameFiles(({ files }) => {
      const following = options.followRenames?.(files, server.folders);
      return following === undefined ? null : workspaceEdit(following, server.client);
    });
    connection.workspace.onDidRenameFiles(() => server.lookAgain());
  },
};

/** As much of it as the client can do; null if that is nothing. */
function workspaceEdit(
  { renames, edited }: Following,
  { workspace }: ClientCapabilities,
): WorkspaceEdit | null {
  const { documentChanges, resourceOperations = [] } = workspace?.workspaceEdit ?? {};
  const edits = edited.map(({ uri, text, edit }): TextDocumentEdit => {
    const range = toRange(TextDocument.create(uri, "json", 0, text), edit);
    return { textDocument: { uri, version: null }, edits: [{ range, newText: edit.newText }] };
  });
  if (documentChanges !== true) {
    const changes = edits.map(({ textDocument, edits }) => [textDocument.uri, edits] as const);
    return changes.length === 0
      ? null
      : { changes: Object.fromEntries(changes) as WorkspaceEdit["changes"] & {} };
  }
  const moves = renames.map(({ oldUri, newUri }): RenameFile => ({ kind: "rename", oldUri, newUri }));
  const all = [...edits, ...(resourceOperations.includes("rename") ? moves : [])];
  return all.length === 0 ? null : { documentChanges: all };
}
