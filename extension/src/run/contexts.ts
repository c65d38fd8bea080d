import type { RunInfo, RunStepParams } from "@configc/language-server";
import { commands, type Memento, Range, type Uri, ViewColumn, window, workspace } from "vscode";
import { besideConfig, presentText, replaceText, writeText } from "../files.ts";

/** Values that a run reads, kept in a file beside the config: `crm.apprun.json` for `crm.app.json`. No secret belongs in it. */
interface StoredContext {
  readonly name: string;
  /** Instead of `api.base_url`. */
  readonly base_url?: string;
  /** What commands take, by JSON Pointer. */
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly [root: string]: unknown;
}

const roots = ["custom_data", "data", "polling_state", "webhook", "subdomain", "mapping", "contact"];

/** What a context says for the run of a node. */
export function paramsOf(
  context: StoredContext | undefined,
  node: string,
): Pick<RunStepParams, "context" | "baseUrl" | "input"> {
  if (context === undefined) return {};
  const known = Object.fromEntries(
    roots.filter((name) => name in context).map((name) => [name, context[name]]),
  );
  const input = context.inputs?.[node];
  return {
    context: known as NonNullable<RunStepParams["context"]>,
    ...(typeof context.base_url === "string" && context.base_url !== "" ? { baseUrl: context.base_url } : {}),
    // JSON from a file.
    ...(input === undefined ? {} : { input: input as NonNullable<RunStepParams["input"]> }),
  };
}

/**
 * The context of a run: the only one there is, the one that was chosen last, or the one that a person chooses.
 *
 * @returns undefined to run without values; `cancelled` where the person has to do something first
 */
export async function chooseContext(
  config: Uri,
  info: RunInfo | null,
  memory: Memento,
  always = false,
): Promise<StoredContext | undefined | "cancelled"> {
  // One that isn't saved yet is run without values.
  if (config.scheme === "untitled" && !always) return undefined;
  const file = besideConfig(config, "apprun");
  const contexts = await readContexts(file);
  // Who asks for the choice wants a file in any case.
  if (contexts === undefined)
    return always || (info !== null && info.fields.length > 0)
      ? await offerFile(file, info?.fields ?? [])
      : undefined;
  const key = keyOf(config);
  const chosen = contexts.find(({ name }) => name === memory.get(key));
  if (!always && (chosen !== undefined || contexts.length <= 1)) return chosen ?? contexts[0];
  const picked = await window.showQuickPick(
    contexts.map((context) => ({
      label: context.name,
      description: context === chosen ? "used now" : "",
      detail: Object.keys(context)
        .filter((member) => member !== "name")
        .join(", "),
      context,
    })),
    { title: "Run context", placeHolder: "Which values does the run read?" },
  );
  if (picked === undefined) return "cancelled";
  await memory.update(key, picked.context.name);
  return picked.context;
}

/** Under which the name of the context is kept that was chosen last. */
function keyOf(config: Uri): string {
  return `configc.context:${config.toString()}`;
}

/** The context that was chosen last, else the first. */
function usedOf(contexts: readonly StoredContext[], config: Uri, memory: Memento): StoredContext | undefined {
  return contexts.find(({ name }) => name === memory.get(keyOf(config))) ?? contexts[0];
}

/** Where the setup of a config is tried: as its runs are, by the context that they use. */
export async function placeOf(
  config: Uri,
  memory: Memento,
): Promise<{ readonly baseUrl?: string; readonly subdomain?: string }> {
  const contexts = config.scheme === "untitled" ? [] : await readContexts(besideConfig(config, "apprun"));
  const used = usedOf(contexts ?? [], config, memory);
  const [baseUrl, subdomain] = [used?.base_url, used?.["subdomain"]];
  return {
    ...(typeof baseUrl === "string" && baseUrl !== "" ? { baseUrl } : {}),
    ...(typeof subdomain === "string" ? { subdomain } : {}),
  };
}

/** What was filled in, by field: as `custom_data` has it (D12). */
export type Answers = Readonly<Record<string, { readonly value: unknown; readonly display?: unknown }>>;

/**
 * Keeps what was filled in as values of runs: in the context that was chosen last, else in the first, else in a new file.
 *
 * @throws Error that says what is wrong with the file
 */
export async function keepAnswers(config: Uri, answers: Answers, memory: Memento): Promise<void> {
  const file = besideConfig(config, "apprun");
  const contexts = (await readContexts(file)) ?? [{ name: "default", inputs: {} }];
  const used = usedOf(contexts, config, memory);
  const kept = contexts.map((each) => {
    const { custom_data } = each;
    const before = typeof custom_data === "object" ? custom_data : {};
    return each === used ? { ...each, custom_data: { ...before, ...answers } } : each;
  });
  await replaceText(file, laidOut(kept));
  void window.showInformationMessage(`Runs read these values now; they are kept in ${nameOf(file)}.`);
}

async function offerFile(file: Uri, fields: RunInfo["fields"]): Promise<undefined | "cancelled"> {
  const few = fields.slice(0, 2).map(({ label }) => `“${label}”`);
  const more = fields.length > few.length ? `, and ${fields.length - few.length} more` : "";
  const values = fields.length === 0 ? "saved data and inputs" : `${few.join(", ")}${more}`;
  const preview = {
    label: "$(open-preview) Fill in the form…",
    detail: "in the preview of the setup, which can keep the answers for runs",
    way: "preview",
  } as const;
  const picked = await window.showQuickPick(
    [
      ...(fields.length === 0 ? [] : [preview]),
      { label: `$(new-file) Create ${nameOf(file)}`, detail: `to write down ${values}`, way: "create" },
      {
        label: "$(circle-slash) Run without values",
        detail: "an expansion that reads one will fail",
        way: "without",
      },
    ],
    { title: "Run context", placeHolder: "There are no values for runs yet" },
  );
  switch (picked?.way) {
    case undefined:
      return "cancelled";
    case "without":
      return undefined;
    case "preview":
      await commands.executeCommand("configc.previewSetup");
      return "cancelled";
  }
  await writeText(file, skeleton(fields));
  const document = await workspace.openTextDocument(file);
  const at = document.positionAt(document.getText().indexOf('""') + 1);
  await window.showTextDocument(document, { viewColumn: ViewColumn.Beside, selection: new Range(at, at) });
  void window.showInformationMessage(`Fill in the values in ${nameOf(file)}, then run again.`);
  return "cancelled";
}

function nameOf(file: Uri): string {
  return workspace.asRelativePath(file, false);
}

function skeleton(fields: RunInfo["fields"]): string {
  const values = fields.map(({ id, type }) => {
    const empty = type === "multiselect" ? [] : "";
    const shown = type === "multiselect" || type === "dropdown" ? { display: empty } : {};
    return [id, { value: empty, ...shown }];
  });
  const context = { name: "default", custom_data: Object.fromEntries(values), inputs: {} };
  return laidOut([context]);
}

function laidOut(contexts: readonly StoredContext[]): string {
  return `${JSON.stringify({ contexts }, undefined, 2)}\n`;
}

/** @throws Error that says what is wrong with the file */
async function readContexts(file: Uri): Promise<StoredContext[] | undefined> {
  let text: string;
  try {
    text = await presentText(file);
  } catch {
    return undefined;
  }
  const name = nameOf(file);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${name} isn't JSON: ${error instanceof Error ? error.message : error}`);
  }
  const { contexts } = (value ?? {}) as { readonly contexts?: unknown };
  if (!Array.isArray(contexts) || !contexts.every((each) => typeof each?.name === "string"))
    throw new Error(`${name} must hold {"contexts": [{"name": …, "custom_data": …}]}.`);
  return contexts as StoredContext[];
}
