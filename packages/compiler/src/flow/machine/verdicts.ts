import type { JqProgram } from "../../bind/bound-nodes.ts";
import { derivedFromText } from "../../bind/derived.ts";
import { nodesIn } from "../nodes.ts";
import { evaluate, NOW } from "./evaluate.ts";
import { type Source, UNKNOWN, type Value } from "./value.ts";

/** What an answer with status 200 says: that what was asked for was done, or that it was refused. */
export type Verdict = "done" | "refused";

/** What a program does for certain with an answer. */
export interface Consequence {
  readonly stops: boolean;
  /** What it gives, where it goes on. */
  readonly gives: Value;
}

/** Members that say what went wrong, and are empty or missing where nothing did. */
const problems = /^(?:errors?|(?:user|field|input|validation)_?errors|problems|faults?|failures|exception)$/i;
/** Members that say whether all went well. */
const flags = /^(?:ok|success|succeeded|is_?(?:ok|success|successful))$/i;

/** The members of a program's text that say whether what was asked for was done. */
export const verdictsIn = (program: JqProgram): ReadonlySet<string> => namesIn(program);

const namesIn = derivedFromText((tree): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const node of nodesIn(tree))
    if (node.kind === "Postfix")
      for (const suffix of node.suffixes)
        if (suffix.kind === "Field" && suffix.key.kind === "Name" && isVerdict(suffix.key.text))
          names.add(suffix.key.text);
  return names;
});

export const isVerdict = (name: string): boolean => problems.test(name) || flags.test(name);
export const isFlag = (name: string): boolean => flags.test(name);

/**
 * What a program does for certain with an answer whose verdicts all say the same and of which nothing else is known: for each form in
 * which services say it, where it is certain.
 */
export function consequencesOf(program: JqProgram, verdict: Verdict): readonly Consequence[] {
  const ways = verdict === "done" ? nothingWrong : somethingWrong;
  return ways.flatMap((say) => consequenceWith(program, say, verdict) ?? []);
}

const nothingWrong: readonly ((name: string) => Value)[] = [
  () => null,
  (name) => (name.endsWith("s") ? { kind: "list", items: [] } : null),
];

const somethingWrong: readonly ((name: string) => Value)[] = [
  (name) => {
    const problem: Value = { kind: "record", members: new Map([["message", "refused"]]), open: true };
    return name.endsWith("s") ? { kind: "list", items: [problem] } : problem;
  },
];

function consequenceWith(
  program: JqProgram,
  say: (name: string) => Value,
  verdict: Verdict,
): Consequence | undefined {
  // What is refused as a whole has no data (GraphQL).
  const isEmpty = verdict === "refused" && [...verdictsIn(program)].every((name) => name === "errors");
  const source: Source = {
    resolve(path) {
      const name = path.at(-1) ?? "";
      if (problems.test(name)) return say(name);
      if (flags.test(name)) return verdict === "done";
      return path[0] === "data" && isEmpty ? null : UNKNOWN;
    },
  };
  const answer: Value = { kind: "part", path: [], source };
  const holes = program.holes.map(({ root, syntax }): Value => {
    const path = syntax.path.slice(2).map(({ text }) => text);
    return root === "piped_content" && syntax.filters.length === 0 ? { kind: "part", path, source } : UNKNOWN;
  });
  let stops = false;
  const onStop = (): void => {
    stops = true;
  };
  const gives = evaluate(program, answer, holes, { now: NOW, onFailure: onStop, onError: onStop });
  return stops || gives !== UNKNOWN ? { stops, gives: stops ? null : gives } : undefined;
}
