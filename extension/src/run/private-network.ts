import { ConfigurationTarget, commands, type TextDocument, window, workspace } from "vscode";

const SETTING = "configc.run.allowPrivateNetwork";
const ALLOW = "Allow";
const SHOW = "Show the Setting";

/** Whether requests for a document may go to this machine and to private networks. */
export function isPrivateAllowed(document: TextDocument): boolean {
  return workspace.getConfiguration(undefined, document.uri).get<boolean>(SETTING) === true;
}

/** What is said of a refusal, with what allows it here: the text names options of other places. */
export function explained(refusal: string): string {
  if (refusal.includes(SETTING)) return refusal;
  const [why = refusal] = refusal.split(" To reach this machine");
  return `${why} The setting ${SETTING} allows requests to this machine and to private networks.`;
}

/**
 * Asks whether requests may go there.
 *
 * @param refusal why one was refused
 * @returns whether they may from now on
 */
export async function allowPrivate(document: TextDocument, refusal: string): Promise<boolean> {
  const answer = await window.showWarningMessage(explained(refusal), ALLOW, SHOW);
  if (answer === SHOW) await commands.executeCommand("workbench.action.openSettings", SETTING);
  if (answer !== ALLOW) return false;
  // A workspace can't set it: it may come from anybody.
  await workspace.getConfiguration(undefined, document.uri).update(SETTING, true, ConfigurationTarget.Global);
  return true;
}
