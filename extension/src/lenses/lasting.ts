import {
  CodeLens,
  type Command,
  commands,
  type Disposable,
  type DocumentSelector,
  type ExtensionContext,
  languages,
  Position,
  type TextDocument,
  workspace,
} from "vscode";
import { reported } from "../commands.ts";
import { type Change, moved, type Place } from "./moved.ts";

/** More that a document had before are forgotten, the oldest first: nobody sees them any more. */
const MOST = 4_000;

/** Where lenses come from. */
export interface LensSource {
  /** Those that begin at a place, as the document is now; others may be among them. */
  at(document: TextDocument, place: Position): Promise<readonly CodeLens[] | undefined>;
  /** The command of one that has none yet. */
  commandOf?(lens: CodeLens): Promise<Command | undefined>;
  /** Has the editor ask for the lenses of a document again. */
  renew?(document: TextDocument): void;
}

/** A lens by what a person sees of it, and the command that it has for as long as its document is open. */
interface Lasting {
  readonly id: string;
  /** Empty for one that has to be resolved. */
  readonly title: string;
  /** Moves with the text; undefined once what stood there is replaced. */
  place: Place | undefined;
  readonly registration: Disposable;
}

interface Known {
  /** The last used come last. */
  readonly lenses: Set<Lasting>;
  /** For each list that is on its way, what has changed since it was asked for. */
  readonly changes: Set<Change[]>;
}

let made = 0;

/**
 * Lenses that can be pressed whenever they are seen.
 *
 * VS Code forgets the arguments of a lens's command when it has got the next list of lenses. But it goes on to show the lens of before: out
 * of view, and after that until it has resolved what came into view, which waits for a quarter of a second, and on a busy machine for the
 * next time that the view moves. Pressed in between, such a lens fails with “Actual command not found”. A command without arguments is never
 * forgotten. So each lens gets one of its own, which looks up what stands at its place when it is pressed.
 */
export class LastingLenses {
  readonly #source: LensSource;
  readonly #documents = new Map<TextDocument, Known>();
  readonly #unresolved = new WeakMap<CodeLens, Lasting>();

  constructor({ subscriptions }: Pick<ExtensionContext, "subscriptions">, source: LensSource) {
    this.#source = source;
    subscriptions.push(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) =>
        this.#follow(document, contentChanges),
      ),
      workspace.onDidCloseTextDocument((document) => this.#forget(document)),
      {
        dispose: () => {
          for (const document of [...this.#documents.keys()]) this.#forget(document);
        },
      },
    );
  }

  /** The lenses of a list, with commands that last. */
  async provide(
    document: TextDocument,
    list: () => Promise<readonly CodeLens[] | undefined>,
  ): Promise<CodeLens[] | undefined> {
    const known = this.#of(document);
    const changes: Change[] = [];
    known.changes.add(changes);
    try {
      const lenses = await list();
      // What was closed meanwhile is shown no more, and would never be forgotten.
      return lenses === undefined || document.isClosed
        ? undefined
        : this.#kept(document, known, lenses, changes);
    } finally {
      known.changes.delete(changes);
    }
  }

  /** One of a list that had no command yet. @param found the same with its command */
  resolved(lens: CodeLens, found: CodeLens): CodeLens {
    const lasting = this.#unresolved.get(lens);
    return lasting === undefined ? found : lastingLens(found, lasting);
  }

  #of(document: TextDocument): Known {
    const known = this.#documents.get(document) ?? { lenses: new Set(), changes: new Set() };
    this.#documents.set(document, known);
    return known;
  }

  #kept(
    document: TextDocument,
    { lenses: all }: Known,
    lenses: readonly CodeLens[],
    changes: readonly Change[],
  ): CodeLens[] {
    const byPlace = new Map([...all].map((each) => [keyOf(each.place, each.title), each]));
    const used = new Set<Lasting>();
    const kept = lenses.map((lens) => {
      const { range, command } = lens;
      const place = moved(range.start, changes);
      const title = command?.title ?? "";
      const before = place && byPlace.get(keyOf(place, title));
      const lasting = before ?? this.#make(document, place, title);
      used.add(lasting);
      if (command !== undefined) return lastingLens(lens, lasting);
      this.#unresolved.set(lens, lasting);
      return lens;
    });
    for (const each of used) {
      all.delete(each);
      all.add(each);
    }
    for (const each of all) {
      if (all.size <= MOST || used.has(each)) break;
      all.delete(each);
      each.registration.dispose();
    }
    return kept;
  }

  #make(document: TextDocument, place: Place | undefined, title: string): Lasting {
    // The underscore keeps it out of the lists of commands that people choose from.
    const id = `_configc.lens.${++made}`;
    const registration = commands.registerCommand(id, () => reported(() => this.#press(document, lasting)));
    const lasting: Lasting = { id, title, place, registration };
    return lasting;
  }

  async #press(document: TextDocument, { place, title }: Lasting): Promise<void> {
    const command =
      place && (await this.#commandAt(document, new Position(place.line, place.character), title));
    if (command === undefined) {
      this.#source.renew?.(document);
      throw new Error("What this lens stood for has changed meanwhile. Press the one that is there now.");
    }
    await commands.executeCommand(command.command, ...(command.arguments ?? []));
  }

  async #commandAt(document: TextDocument, place: Position, title: string): Promise<Command | undefined> {
    const lenses = await this.#source.at(document, place);
    const lens = lenses?.find(
      ({ range, command }) => range.start.isEqual(place) && (command?.title ?? "") === title,
    );
    return lens && (lens.command ?? (await this.#source.commandOf?.(lens)));
  }

  #follow(document: TextDocument, changes: readonly Change[]): void {
    const known = this.#documents.get(document);
    if (known === undefined) return;
    for (const lens of known.lenses) lens.place = lens.place && moved(lens.place, changes);
    for (const list of known.changes) list.push(...changes);
  }

  #forget(document: TextDocument): void {
    for (const { registration } of this.#documents.get(document)?.lenses ?? []) registration.dispose();
    this.#documents.delete(document);
  }
}

/** Registers lenses of our own that last. */
export function registerLenses(
  context: ExtensionContext,
  selector: DocumentSelector,
  list: (document: TextDocument) => Promise<readonly CodeLens[] | undefined>,
): void {
  const lenses = new LastingLenses(context, { at: list });
  context.subscriptions.push(
    languages.registerCodeLensProvider(selector, {
      provideCodeLenses: (document) => lenses.provide(document, () => list(document)),
    }),
  );
}

function lastingLens({ range, command }: CodeLens, { id }: Lasting): CodeLens {
  // Where the server had no answer: VS Code would show “!!MISSING: command!!”.
  if (command === undefined) return new CodeLens(range, { title: "", command: "" });
  const { title, tooltip } = command;
  return new CodeLens(range, { title, command: id, ...(tooltip === undefined ? {} : { tooltip }) });
}

function keyOf(place: Place | undefined, title: string): string {
  return place === undefined ? "" : `${place.line}:${place.character} ${title}`;
}
