import { type Disposable, Range, type TextDocument, workspace } from "vscode";
import type { Range as ProtocolRange } from "vscode-languageclient";
import { type Change, moved } from "./lenses/moved.ts";

/** Follows a document from now on, so that ranges of its present text are found in a later one. */
export class ChangesSince implements Disposable {
  readonly #changes: Change[] = [];
  readonly #listener: Disposable;

  constructor({ uri }: TextDocument) {
    this.#listener = workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (document.uri.toString() === uri.toString()) this.#changes.push(...contentChanges);
    });
  }

  get isEmpty(): boolean {
    return this.#changes.length === 0;
  }

  /** Where a range is now. @returns undefined where its beginning or what is behind it was replaced */
  now({ start, end }: ProtocolRange): Range | undefined {
    const [from, to] = [moved(start, this.#changes), moved(end, this.#changes)];
    return from && to && new Range(from.line, from.character, to.line, to.character);
  }

  dispose(): void {
    this.#listener.dispose();
  }
}
