import type { RunInfo, RunStepParams } from "@configc/language-server";
import { type Memento, type Uri, ViewColumn, window, workspace } from "vscode";
import { besideConfig, readText, writeText } from "../files.ts";

/** Values that a run reads, kept in a file beside the config: `crm.apprun.json` for `crm.app.json`. No secret belongs in it. */
export interface StoredContext {
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
  const key = `configc.context:${config.toString()}`;
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

async function offerFile(file: Uri, fields: RunInfo["fields"]): Promise<undefined | "cancelled"> {
  const name = workspace.asRelativePath(file, false);
  const values =
    fields.length === 0 ? "saved data and inputs" : fields.map(({ label }) => `“${label}”`).join(", ");
  const picked = await window.showQuickPick(
    [
      {
        label: `Create ${name}`,
        detail: `for the values of ${values}; fill them in, then run again`,
        create: true,
      },
      { label: "Run without values", detail: "an expansion that reads one will fail", create: false },
    ],
    { title: "Run context", placeHolder: "There are no values for runs yet" },
  );
  if (picked === undefined) return "cancelled";
  if (!picked.create) return undefined;
  await writeText(file, skeleton(fields));
  await window.showTextDocument(file, { viewColumn: ViewColumn.Beside });
  return "cancelled";
}

function skeleton(fields: RunInfo["fields"]): string {
  const values = fields.map(({ id, type }) => {
    const empty = type === "multiselect" ? [] : "";
    const shown = type === "multiselect" || type === "dropdown" ? { display: empty } : {};
    return [id, { value: empty, ...shown }];
  });
  const context = { name: "default", custom_data: Object.fromEntries(values), inputs: {} };
  return `${JSON.stringify({ contexts: [context] }, undefined, 2)}\n`;
}

/** @throws Error that says what is wrong with the file */
async function readContexts(file: Uri): Promise<StoredContext[] | undefined> {
  let text: string;
  try {
    // What is typed and not saved yet counts.
    const open = workspace.textDocuments.find(({ uri }) => uri.toString() === file.toString());
    text = open?.getText() ?? (await readText(file));
  } catch {
    return undefined;
  }
  const name = workspace.asRelativePath(file, false);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${name} isn't JSON: ${error instanceof Error ? error.message : error}`);
  }
  const { contexts } = (value ?? {}) as { readonly contexts?: unknown };
  if (!Array.isArray(contexts) || !contexts.every((each) => typeof each?.name === "string"))
    throw new Error(`${name} has to hold {"contexts": [{"name": …, "custom_data": …}]}.`);
  return contexts as StoredContext[];
}
