import { commands, type ExtensionContext, type TextDocument, Uri, window, workspace } from "vscode";

/** A command's arguments come from anywhere: it has to look at them itself. */
export type Command = (...given: readonly unknown[]) => unknown;

/** Registers commands; what one throws is shown to whoever called it. */
export function registerCommands(context: ExtensionContext, all: Readonly<Record<string, Command>>): void {
  for (const [name, command] of Object.entries(all))
    context.subscriptions.push(
      commands.registerCommand(name, (...given: readonly unknown[]) => reported(() => command(...given))),
    );
}

/** Does what a person asked for. Where that fails they are told: nobody else is there to catch it. */
export async function reported<T>(work: () => T): Promise<Awaited<T> | undefined> {
  try {
    return await work();
  } catch (error) {
    void window.showErrorMessage(`configc: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/**
 * The config that a command means: a file of the explorer, or what the person looks at.
 *
 * @param given argument of the command
 * @throws Error where that is no config
 */
export async function configOf(given: unknown): Promise<TextDocument> {
  return given instanceof Uri ? await workspace.openTextDocument(given) : activeConfig();
}

/** @throws Error where the person looks at something else */
export function activeConfig(): TextDocument {
  const document = window.activeTextEditor?.document;
  if (document?.languageId !== "appconfig") throw new Error("Open a config first.");
  return document;
}
