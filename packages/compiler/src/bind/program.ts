import { check, type JqDiagnostic, type Program, walk } from "@configc/jq";
import type { StringNode } from "../parse/syntax-tree.ts";
import { TextCache } from "../parse/text-cache.ts";
import type { Command, Expansion, JqProgram } from "./bound-nodes.ts";

/** Some hundred programs for each of ten large documents; what is made of them takes fifty times as many bytes. */
const CACHED_CHARACTERS = 100_000;

interface CheckedText {
  readonly tree: Program;
  readonly diagnostics: readonly JqDiagnostic[];
  readonly derived: Map<unknown, unknown>;
}

// A program's holes follow from its text, so its tree depends on the text alone and is shared (`design.md`, "Incremental").
const cache = new TextCache<CheckedText>(CACHED_CHARACTERS);

const breaking: ReadonlySet<JqDiagnostic["code"]> = new Set([
  "syntax",
  "unexpected-end",
  "unterminated-string",
  "unclosed",
]);

/** After a mistake in the syntax, what else is found may follow from it: only the first one is said (D2). */
function withoutConsequences(diagnostics: readonly JqDiagnostic[]): readonly JqDiagnostic[] {
  const first = diagnostics.find(({ code }) => breaking.has(code));
  return first === undefined ? diagnostics : [first];
}

/** Parses the jq program in a string; its expansions become holes (D10). */
export function bindProgram(node: StringNode, command: Command, holes: readonly Expansion[]): JqProgram {
  const checked = cache.of(node.value, (text) => {
    const { program, diagnostics } = check(text, {
      holes: holes.map(({ syntax }) => ({ start: syntax.start, end: syntax.end })),
    });
    return { tree: program, diagnostics: withoutConsequences(diagnostics), derived: new Map() };
  });
  return { node, command, holes, inPlace: new Map(), ...checked };
}

/** The holes whose value the program takes: all but those in its comments, which are ignored (D10). */
export function evaluatedHoles({ node, holes, tree, diagnostics }: JqProgram): readonly Expansion[] {
  // Where the program has a mistake it isn't certain what is a comment.
  if (holes.length === 0 || diagnostics.length > 0 || !node.value.includes("#")) return holes;
  const taken = new Set<number>();
  walk(tree, {
    enter(part) {
      if (part.kind === "Hole") taken.add(part.hole);
      return undefined;
    },
  });
  // One without its closer takes the rest of the program with it, which is no comment.
  return holes.filter((hole, index) => taken.has(index) || hole.syntax.problem?.kind === "unclosed");
}
