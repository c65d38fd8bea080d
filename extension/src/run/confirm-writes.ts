import type { RunInfo } from "@configc/language-server";
import { ConfigurationTarget, type TextDocument, window, workspace } from "vscode";

type Writes = RunInfo["writes"];

const SETTING = "configc.run.confirmWrites";
const SEND = "Send";
const DRY = "Dry Run";
const NEVER = "Send, and Don't Ask Again";
const LISTED = 5;

/** The requests of a run that may change something. @param extent `pipe`: with the steps before the node */
export function writesOf(writes: Writes, node: string, extent: "step" | "pipe"): Writes {
  const isIn = (pointer: string, outer: string): boolean =>
    pointer === outer || pointer.startsWith(`${outer}/`);
  const at = /^(.*\/!pipe)\/(\d+)$/.exec(node);
  if (extent === "step" || at === null) return writes.filter(({ pointer }) => isIn(pointer, node));
  const [, pipe = "", last = "0"] = at;
  return writes.filter(
    ({ pointer }) =>
      isIn(pointer, pipe) && Number(pointer.slice(pipe.length + 1).split("/")[0]) <= Number(last),
  );
}

/** Asks before something is changed at the service, unless a person doesn't want to be asked. */
export async function confirmWrites(
  document: TextDocument,
  writes: Writes,
): Promise<"send" | "dry" | "cancelled"> {
  const settings = workspace.getConfiguration(undefined, document.uri);
  if (writes.length === 0 || settings.get<boolean>(SETTING) === false) return "send";
  const lines = writes.slice(0, LISTED).map(({ method, address }) => `${method} ${address}`);
  if (writes.length > LISTED) lines.push(`and ${writes.length - LISTED} more`);
  const answer = await window.showWarningMessage(
    "This run may change something at the service.",
    {
      modal: true,
      detail: `${lines.join("\n")}\n\nA dry run sends nothing and shows the requests; each is answered by an empty object.`,
    },
    SEND,
    DRY,
    NEVER,
  );
  if (answer === NEVER) await settings.update(SETTING, false, ConfigurationTarget.Global);
  if (answer === DRY) return "dry";
  return answer === undefined ? "cancelled" : "send";
}
