import { Range, type Uri, WorkspaceEdit, workspace } from "vscode";
import type { Range as ProtocolRange } from "vscode-languageclient";

/**
 * The file that goes with a config: `crm.apprun.json` beside `crm.app.json`.
 *
 * @throws Error for a config that isn't saved yet, and so is nowhere
 */
export function besideConfig(config: Uri, ending: string): Uri {
  if (config.scheme === "untitled")
    throw new Error("Save the config first: this goes into a file beside it.");
  return config.with({ path: `${config.path.replace(/(?:\.app)?\.jsonc?$/, "")}.${ending}.json` });
}

/** The folder of samples that goes with a config: `crm.samples` beside `crm.app.json`. */
export function samplesFolder(config: Uri): Uri {
  const file = besideConfig(config, "samples");
  return file.with({ path: file.path.replace(/\.json$/, "") });
}

/** @throws FileSystemError where there is none */
export async function readText(file: Uri): Promise<string> {
  return new TextDecoder().decode(await workspace.fs.readFile(file));
}

export async function writeText(file: Uri, text: string): Promise<void> {
  await workspace.fs.writeFile(file, new TextEncoder().encode(text));
}

/** What a file says, with what is typed into it and not saved yet. @throws FileSystemError where there is none */
export async function presentText(file: Uri): Promise<string> {
  const open = workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString());
  return open?.getText() ?? (await readText(file));
}

/** Writes a file that may be open: what is typed there and not saved yet is replaced too, so it has to be made of `presentText`. */
export async function replaceText(file: Uri, text: string): Promise<void> {
  const open = workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString());
  if (open === undefined) return await writeText(file, text);
  const edit = new WorkspaceEdit();
  edit.replace(file, new Range(0, 0, open.lineCount, 0), text);
  await workspace.applyEdit(edit);
  await open.save();
}

/** The editor's own range of the protocol's. */
export function rangeOf({ start, end }: ProtocolRange): Range {
  return new Range(start.line, start.character, end.line, end.character);
}
