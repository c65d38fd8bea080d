import type { RanStep, RunPart } from "@configc/language-server";
import { env, type Uri, window, workspace } from "vscode";
import type { ExchangePlace } from "../messages.ts";
import { curlOf } from "./curl.ts";
import type { RunValues } from "./run-values.ts";

/** Characters that a clipboard takes in good time; more are offered as a file. */
const LONGEST_COPIED = 20_000_000;
/** Characters of a file. */
const LONGEST_FILE = 500_000_000;

/** Puts a value into the clipboard, whole, or into a file where it is too long for that. */
export async function copyValue(values: RunValues, part: RunPart, pointer: string): Promise<void> {
  const text = await values.text(part, pointer, LONGEST_COPIED).catch((error: unknown) => {
    if (error instanceof Error && /longer than/.test(error.message)) return undefined;
    throw error;
  });
  if (text !== undefined) return await copyText(text);
  const question = `It is longer than ${LONGEST_COPIED / 1_000_000} million characters: too much for the clipboard.`;
  if ((await window.showWarningMessage(question, "Save as a file…")) === undefined) return;
  const file = await window.showSaveDialog({ filters: { JSON: ["json"] }, title: "Save the value" });
  if (file !== undefined) await save(file, await values.text(part, pointer, LONGEST_FILE));
}

/** Puts requests into the clipboard as commands for a shell, with what authorises masked. */
export async function copyCurl(
  values: RunValues,
  steps: readonly RanStep[],
  places: readonly ExchangePlace[],
): Promise<void> {
  const commands: string[] = [];
  for (const { step, exchange } of places) {
    const request = steps[step]?.exchanges[exchange];
    if (request === undefined) continue;
    const isCut = request.cuts?.some(({ pointer }) => pointer === "/body");
    const whole = isCut
      ? await values.text({ step, exchange, part: "request" }, "", LONGEST_COPIED)
      : undefined;
    commands.push(curlOf(request, whole === undefined ? request.body : textOf(whole)));
  }
  await copyText(commands.join("\n\n"));
}

/** A body that is no JSON comes as a JSON text. */
function textOf(whole: string): string {
  return whole.startsWith('"') ? (JSON.parse(whole) as string) : whole;
}

export async function copyText(text: string): Promise<void> {
  await env.clipboard.writeText(text);
  window.setStatusBarMessage("configc: copied", 3_000);
}

async function save(file: Uri, text: string): Promise<void> {
  await workspace.fs.writeFile(file, new TextEncoder().encode(text));
  void window.showInformationMessage(`Saved as ${workspace.asRelativePath(file, false)}.`);
}
