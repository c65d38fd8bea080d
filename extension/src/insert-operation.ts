import type { DescribedOperation } from "@configc/language-server";
import { TextEdit, WorkspaceEdit, window, workspace } from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import { activeConfig } from "./commands.ts";
import { rangeOf } from "./files.ts";

/** “Insert an operation…”: a request of the API's OpenAPI document, with a program that takes its answer. */
export async function insertOperation(client: BaseLanguageClient): Promise<void> {
  const document = activeConfig();
  const position = window.activeTextEditor?.selection.active;
  const { version } = document;
  const params = { textDocument: { uri: document.uri.toString() }, position };
  const operations = await client.sendRequest<DescribedOperation[]>("configc/operations", params);
  if (operations.length === 0)
    throw new Error(
      "There is no operation to insert here. Put the cursor into a command, and name the API's OpenAPI document in `samples` of configc.config.json.",
    );
  const items = operations.map((operation) => ({
    label: operation.label,
    description: operation.summary,
    operation,
  }));
  const picked = await window.showQuickPick(items, {
    title: "Insert an Operation",
    placeHolder: "Which operation of the API?",
    matchOnDescription: true,
  });
  if (picked === undefined) return;
  // Another program may have written it while the list was open: the edits are for the text of then.
  if (document.version !== version || document.isClosed)
    throw new Error("The config has changed while you chose. Insert the operation once more.");
  const edit = new WorkspaceEdit();
  edit.set(
    document.uri,
    picked.operation.edits.map(({ range, newText }) => TextEdit.replace(rangeOf(range), newText)),
  );
  await workspace.applyEdit(edit);
}
