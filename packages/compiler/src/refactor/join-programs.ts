import { walk } from "@configc/jq";
import type { Expansion } from "../bind/bound-nodes.ts";
import { isIn, type PipedRead, pipedReads, renumber } from "./piped-indexes.ts";
import { givesOne, isConstantInTime, isJqStep, type JqStep, stagesOf, withProgram } from "./programs.ts";
import { isStep, type Refactor, type Site, standsAlone } from "./refactoring.ts";

/** Makes one step of two: of a `!jq` and the one behind it. What that one reads of it by number gets a name. */
export const joinPrograms: Refactor = ({ model, command }: Site) => {
  const { pipe, stepsRun } = command;
  if (!isJqStep(command) || !isStep(command) || pipe === undefined) return [];
  const next = pipe.children[stepsRun + 1];
  if (!isJqStep(next) || !standsAlone(command) || !standsAlone(next)) return [];
  if (!givesOne(model, command.program) || !isConstantInTime(next.program.tree)) return [];
  const reads = pipedReads(model, pipe);
  const own = stepsRun + 1;
  const ofIt = reads?.filter(({ index }) => index === own) ?? [];
  // Whoever else reads it, reads what isn't there any more.
  if (ofIt.some((read) => !isIn(read, next.node))) return [];
  const second = named(next, ofIt);
  if (second === undefined) return [];
  const edits = renumber(
    model,
    reads?.filter((read) => !isIn(read, next.node)),
    (index) => (index > own ? index - 1 : index),
  );
  if (edits === undefined) return [];
  const newText = withProgram(model, command, joined(command, second));
  const title = ofIt.length === 0 ? "Join with the `!jq` after it" : "Inline into the `!jq` after it";
  return [
    { title, kind: "inline", edits: [{ start: command.node.start, end: next.node.end, newText }, ...edits] },
  ];
};

/** What is defined in the first program isn't meant in the second one, and a comment would swallow what follows. */
function joined({ program }: JqStep, second: string): string {
  const { value } = program.node;
  const first = value.includes("#") ? `${value}\n` : value.trimEnd();
  const defines = stagesOf(program).some(({ kind }) => kind === "Definition");
  const left = defines ? `(${first})` : first;
  return `${left}${left.endsWith("\n") ? "" : " "}| ${second.trimStart()}`;
}

/** The second program, in which the output of the first has a name; undefined where a name can't stand for it. */
function named({ program }: JqStep, reads: readonly PipedRead[]): string | undefined {
  const { value } = program.node;
  if (reads.length === 0) return value;
  const name = ["made", "made2", "made3"].find((each) => !value.includes(`$${each}`));
  const wanted = new Set<Expansion>(reads.map(({ expansion }) => expansion));
  let text = "";
  let at = 0;
  const values = valuesOf(program.tree.body);
  for (const [index, expansion] of program.holes.entries()) {
    if (!wanted.has(expansion)) continue;
    // A member that is missing fails there, and is `null` in jq (D9).
    if (!values.has(index) || expansion.syntax.path.length !== 2 || expansion.syntax.filters.length > 0)
      return undefined;
    text += `${value.slice(at, expansion.syntax.start)}$${name}`;
    at = expansion.syntax.end;
    wanted.delete(expansion);
  }
  return name === undefined || wanted.size > 0 ? undefined : `. as $${name} | ${text}${value.slice(at)}`;
}

/** Holes that stand for a value, rather than for a part of a text or a name. */
function valuesOf(body: Parameters<typeof walk>[0]): ReadonlySet<number> {
  const found = new Set<number>();
  const notValues = new Set<number>();
  walk(body, {
    enter(node) {
      if (node.kind === "Hole") found.add(node.hole);
      const key =
        node.kind === "Field" || node.kind === "Entry" || node.kind === "PatternEntry" ? node.key : undefined;
      if (key?.kind === "Hole") notValues.add(key.hole);
      if (
        node.kind === "Interpolation" &&
        node.expression.kind === "Hole" &&
        node.start === node.expression.start
      )
        notValues.add(node.expression.hole);
      return undefined;
    },
  });
  for (const each of notValues) found.delete(each);
  return found;
}
