import { commands, window, workspace } from "vscode";

/** A run sends requests in a person's name: a folder that isn't trusted has no say in where to. */
export async function isAllowed(): Promise<boolean> {
  if (workspace.isTrusted) return true;
  const trust = "Trust this workspace…";
  const chosen = await window.showWarningMessage("Configs are run in trusted workspaces only.", trust);
  if (chosen === trust) await commands.executeCommand("workbench.trust.manage");
  return false;
}
