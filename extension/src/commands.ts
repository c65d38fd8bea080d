import { commands, type ExtensionContext, window } from "vscode";

/** A command's arguments come from anywhere: it has to look at them itself. */
export type Command = (...given: readonly unknown[]) => unknown;

/** Registers commands; what one throws is shown to whoever called it. */
export function registerCommands(context: ExtensionContext, all: Readonly<Record<string, Command>>): void {
  for (const [name, command] of Object.entries(all))
    context.subscriptions.push(
      commands.registerCommand(name, async (...given: readonly unknown[]) => {
        try {
          return await command(...given);
        } catch (error) {
          void window.showErrorMessage(`configc: ${error instanceof Error ? error.message : String(error)}`);
        }
      }),
    );
}
