import { CodeLens, type ExtensionContext, Range, type TextDocument } from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import { registerLenses } from "../lenses/lasting.ts";
import { namesIn, positionAt } from "../tests/case-names.ts";
import { type Debuggable, debuggablesIn } from "./target.ts";

const titles = { step: "Debug step", poll: "Debug poll", workflow: "Debug workflow" } as const;

/** “Debug step” above each command that is run as a whole, “Debug workflow” above workflows, “Debug test case” above cases. */
export function offerDebugLenses(context: ExtensionContext, client: BaseLanguageClient): void {
  registerLenses(context, "appconfig", async (document) => {
    if (!client.isRunning()) return [];
    const all = await debuggablesIn(client, document);
    return all
      .filter((each) => isWhole(each, all))
      .map(({ kind, node, range: { start, end } }) => {
        const range = new Range(start.line, start.character, end.line, end.character);
        const target = { uri: document.uri.toString(), pointer: node };
        return new CodeLens(range, { title: titles[kind], command: "configc.debug", arguments: [target] });
      });
  });
  registerLenses(context, { pattern: "**/*.apptest.json" }, async (document) => ofCases(document));
}

/** A command in another one is reached by stepping. */
function isWhole({ kind, node }: Debuggable, all: readonly Debuggable[]): boolean {
  return kind !== "step" || !all.some((other) => other.kind === "step" && node.startsWith(`${other.node}/`));
}

function ofCases(document: TextDocument): CodeLens[] {
  const text = document.getText();
  const found = namesIn(text);
  if ("problem" in found) return [];
  return found.names.map(({ name, offset }) => {
    const at = positionAt(text, offset);
    return new CodeLens(new Range(at, at), {
      title: "Debug test case",
      command: "configc.debugCase",
      arguments: [{ test: document.uri.fsPath, case: name }],
    });
  });
}
