import type { SampleFile } from "@configc/language-server";
import {
  commands,
  type ExtensionContext,
  FileType,
  type TextDocumentContentProvider,
  Uri,
  ViewColumn,
  window,
  workspace,
} from "vscode";
import { besideConfig, presentText, readText, replaceText, samplesFolder, writeText } from "../files.ts";
import type { Finished } from "./run.ts";

const SCHEME = "configc-run";
/** Characters of an output that can be compared. */
export const LONGEST_COMPARED = 10_000_000;
/** Two for each comparison. */
const MOST_TEXTS = 20;

/** Shows what changed since the last run of the same step. */
export class Comparison implements TextDocumentContentProvider {
  /** Of the last comparisons: older ones are closed, or stay as they are shown. */
  readonly #texts = new Map<string, string>();
  #count = 0;

  constructor(context: ExtensionContext) {
    context.subscriptions.push(workspace.registerTextDocumentContentProvider(SCHEME, this));
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.#texts.get(uri.toString()) ?? "";
  }

  /** @throws Error for people: where an output is too long to be compared */
  async show({ title, result, values, previous }: Finished): Promise<void> {
    if (previous === undefined) return;
    const before = previous.result.failure === undefined ? previous.output : laidOut(previous.result.failure);
    if (before === undefined)
      throw new Error(
        `The last run gave more than ${LONGEST_COMPARED / 1_000_000} million characters: too much to keep for comparing.`,
      );
    const now =
      result.failure === undefined
        ? await values.text({ part: "output" }, "", LONGEST_COMPARED)
        : laidOut(result.failure);
    const left = this.#document("before", before);
    const right = this.#document("now", now);
    await commands.executeCommand("vscode.diff", left, right, `Last run ↔ this run: ${title}`);
  }

  #document(name: string, text: string): Uri {
    const uri = Uri.from({ scheme: SCHEME, path: `/${++this.#count}/${name}.json` });
    this.#texts.set(uri.toString(), text.endsWith("\n") ? text : `${text}\n`);
    for (const oldest of this.#texts.keys()) {
      if (this.#texts.size <= MOST_TEXTS) break;
      this.#texts.delete(oldest);
    }
    return uri;
  }
}

/** What the server makes of a run's requests and answers: sample files, masked; without those that are there already. */
type MakeSamples = (
  run: Finished,
  present: Readonly<Record<string, string>>,
) => Promise<readonly SampleFile[]>;

/**
 * Keeps what the service answered in `NAME.samples` beside the config, from where types are learned. Secrets and personal data
 * don't get there, only kinds of values.
 */
export async function saveSamples(run: Finished, make: MakeSamples): Promise<void> {
  const folder = samplesFolder(run.document.uri);
  const files = await make(run, await textsIn(folder));
  const [first] = files;
  if (first === undefined) {
    void window.showInformationMessage("This run showed nothing of the service that isn't kept already.");
    return;
  }
  for (const { name, text } of files) await writeText(Uri.joinPath(folder, name), text);
  await window.showTextDocument(Uri.joinPath(folder, first.name), {
    preview: false,
    viewColumn: ViewColumn.One,
  });
  const count = files.length === 1 ? "a sample" : `${files.length} samples`;
  void window.showInformationMessage(
    `Kept ${count} in ${workspace.asRelativePath(folder, false)}, with values masked.`,
  );
}

/** The files of a folder, by name; none where there is no such folder. */
async function textsIn(folder: Uri): Promise<Record<string, string>> {
  const entries = await Promise.resolve(workspace.fs.readDirectory(folder)).catch(() => []);
  const texts = entries
    .filter(([name, type]) => type === FileType.File && name.endsWith(".json"))
    .map(async ([name]) => [name, await readText(Uri.joinPath(folder, name))] as const);
  return Object.fromEntries(await Promise.all(texts));
}

/** Adds the run to the tests of its config, with its requests and answers: `configc test` replays it without a network. */
export async function saveTest({ title, document, params, result, values }: Finished): Promise<void> {
  const { failure } = result;
  const { output, http } = await values.recording();
  const expected =
    failure === undefined
      ? { expect: output }
      : { expectError: { kind: failure.kind, message: failure.message } };
  const credentials = maskedCredentials(params.credentials);
  await addTest(document.uri, title, {
    run: result.node,
    ...(params.input === undefined ? {} : { input: params.input }),
    ...(params.context === undefined ? {} : { context: params.context }),
    ...(credentials === undefined ? {} : { credentials }),
    http,
    ...expected,
  });
}

/**
 * Adds a case to the tests of a config, under a name that a person may change.
 *
 * @param content its other members
 */
export async function addTest(config: Uri, title: string, content: object): Promise<void> {
  const file = besideConfig(config, "apptest");
  const name = await window.showInputBox({
    title: "Save as test case",
    prompt: `Name of the case in ${workspace.asRelativePath(file, false)}`,
    value: title,
  });
  if (name === undefined || name === "") return;
  const tests = await readTests(file, config.path.split("/").pop() ?? "");
  tests.cases.push({ name, ...content });
  await replaceText(file, laidOut(tests));
  // Beside the panel from which it was saved, not over it.
  await window.showTextDocument(file, { viewColumn: ViewColumn.One });
}

async function readTests(file: Uri, config: string): Promise<{ config: string; cases: unknown[] }> {
  let text: string;
  try {
    text = await presentText(file);
  } catch {
    return { config, cases: [] };
  }
  const name = workspace.asRelativePath(file, false);
  let tests: unknown;
  try {
    tests = JSON.parse(text);
  } catch (error) {
    throw new Error(`${name} isn't JSON: ${error instanceof Error ? error.message : error}`);
  }
  const { cases } = (tests ?? {}) as { readonly cases?: unknown };
  if (!Array.isArray(cases)) throw new Error(`${name} has no list of cases.`);
  return tests as { config: string; cases: unknown[] };
}

/** A case has to have credentials of the same kind; what they are is nobody's business. */
function maskedCredentials(given: Finished["params"]["credentials"]) {
  if (given === undefined) return undefined;
  const masked = Object.entries(given).map(([auth, credential]) => [
    auth,
    Object.fromEntries(
      Object.entries(credential).map(([name, value]) => [
        name,
        typeof value === "string" ? "[secret]" : value,
      ]),
    ),
  ]);
  return Object.fromEntries(masked);
}

function laidOut(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
