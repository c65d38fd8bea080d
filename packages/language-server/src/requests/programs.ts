import {
  laidOutProgram,
  pointerTo,
  programAt,
  programByPointer,
  programInputs,
  writtenProgram,
} from "@configc/compiler/internal";
import { nameOfToken } from "@configc/jq/internal";
import type { Json } from "@configc/runtime";
import type { Position, Range, TextDocumentIdentifier } from "vscode-languageserver";
import type { Feature } from "../feature.ts";
import { programUri } from "../program/program-uri.ts";
import { toRange } from "../range.ts";
import { refusal } from "../run/environment.ts";

/** What `configc/program` takes. */
export interface ProgramParams {
  /** A config, or the document of a program. */
  readonly textDocument: TextDocumentIdentifier;
  /** Of a config: JSON Pointer of the program's string, or of its command … */
  readonly node?: string;
  /** … or a place in it. */
  readonly position?: Position;
}

/** A jq program of a config, to be edited in a document of its own. */
export interface Program {
  /** Of its document. */
  readonly uri: string;
  /** URI of the config. */
  readonly config: string;
  /** What a person calls it. */
  readonly title: string;
  /** Without JSON's escapes, and laid out over several lines. */
  readonly text: string;
  /** JSON Pointer of its command, as it stands now. */
  readonly command: string;
  /** Of its string in the config. */
  readonly range: Range;
}

/** What `configc/writeProgram` takes. */
export interface WriteProgramParams {
  /** The document of a program. */
  readonly textDocument: TextDocumentIdentifier;
  readonly text: string;
}

/** The edit of a config that writes a program back. */
export interface WrittenProgram {
  readonly config: string;
  readonly range: Range;
  /** A JSON string. */
  readonly newText: string;
}

/** What a program can be tried on; `configc/programInputs` gives them. */
export interface TriedInput {
  readonly label: string;
  readonly input: Json;
  /** Whether it is a response, whose hidden `body` is the whole of it (D20). */
  readonly isResponse: boolean;
  /** Values of expansions, by root. */
  readonly context: Readonly<Record<string, Json>>;
}

/** An expansion of a program as it is in its document; `configc/programHoles` gives them. */
export interface ProgramHole {
  /** UTF-16 offsets in the document. */
  readonly start: number;
  readonly end: number;
  /** Root first. */
  readonly path: readonly string[];
  /** What stands for a missing value (D7). */
  readonly default?: string;
}

/** Programs in documents of their own: what they are, how they are written back, and what they can be tried on. */
export const programs: Feature = {
  capabilities: {},
  register({ connection, config, programs }) {
    connection.onRequest("configc/program", (params: ProgramParams): Program | null => {
      const { textDocument, node, position } = params;
      const place = programs.place(textDocument.uri);
      const open = place?.config ?? config(textDocument.uri);
      if (open === undefined) return null;
      const { document, compilation } = open;
      const { model } = compilation;
      const program =
        place?.program ??
        (node !== undefined
          ? programByPointer(model, node)
          : position === undefined
            ? undefined
            : programAt(model, document.offsetAt(position)));
      if (program === undefined) return null;
      const pointer = pointerTo(program.node);
      const title = nameOf(pointer);
      return {
        uri:
          place === undefined ? programUri(title, { config: document.uri, node: pointer }) : textDocument.uri,
        config: document.uri,
        title,
        text: laidOutProgram(program.node.value),
        command: pointerTo(program.command.node),
        range: toRange(document, program.node),
      };
    });
    connection.onRequest("configc/writeProgram", (params: WriteProgramParams): WrittenProgram | null => {
      const { textDocument, text } = params;
      const { config: open, program } = needed(programs.place(textDocument.uri));
      const value = writtenProgram(program.node.value, text.replaceAll("\r\n", "\n"));
      if (value === program.node.value) return null;
      return {
        config: open.document.uri,
        range: toRange(open.document, program.node),
        newText: JSON.stringify(value),
      };
    });
    connection.onRequest("configc/programHoles", ({ textDocument }: Pick<ProgramParams, "textDocument">) => {
      const { holes } = needed(programs.get(textDocument.uri)).program;
      return holes.map(({ syntax: { start, end, path, filters } }): ProgramHole => {
        const [filter] = filters;
        return {
          start,
          end,
          path: path.map(({ text }) => text),
          ...(filter === undefined ? {} : { default: filter.argument?.text ?? "" }),
        };
      });
    });
    connection.onRequest("configc/programInputs", ({ textDocument }: Pick<ProgramParams, "textDocument">) => {
      const { config: open, program } = needed(programs.place(textDocument.uri));
      return programInputs(open.compilation.model, program) satisfies readonly TriedInput[];
    });
  },
};

function needed<T>(found: T | undefined): T {
  if (found !== undefined) return found;
  throw refusal("The program is no longer in its config, or the config isn't open.");
}

/** For a tab: the last name on the way to it, and the step's number. */
function nameOf(pointer: string): string {
  const names = pointer.split("/").map((name) => nameOfToken(name));
  const name = names.findLast(
    (each) => !each.startsWith("!") && !/^\d+$/.test(each) && each !== "jq" && each !== "cases",
  );
  const step = names.findLast((each) => /^\d+$/.test(each));
  const isStep = names.at(-3) === "!pipe";
  return isStep ? `${name ?? "program"} ${Number(step) + 1}` : (name ?? "program");
}
