import type { Expression, If } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, IntakeSymbol, JqProgram } from "../../bind/bound-nodes.ts";
import type { Model } from "../../bind/model.ts";
import { bare } from "../nodes.ts";
import { plainBody } from "../plain-body.ts";
import { withoutNot } from "../plain-if.ts";
import { nameRead } from "../vocabulary.ts";
import { type StateWrite, writesIn } from "./state-writes.ts";

/** What a service says of an export or another job that it works on for some time. */
export type JobState = "ready" | "failed" | "waiting";

/** A way in which `request` gives the state, by what the service says of the job there. */
export interface JobWay {
  readonly write: StateWrite;
  readonly state: JobState;
  /** The words by which it is told; none where it is what remains. */
  readonly words: readonly string[];
}

/**
 * The ways of `request` that are told apart by the state of a job, over `!switch` commands and conditions of programs; none where
 * some way depends on another thing or on words that aren't known.
 */
export function jobWays(intake: IntakeSymbol, model: Model): readonly JobWay[] {
  const writes = writesIn(intake, "request", model) ?? [];
  const told = writes.map((write) => ({ write, ...asked(write) }));
  const said = told.flatMap(({ holds }) => holds);
  return told.flatMap(({ write, holds, fails, isKnown }): readonly JobWay[] => {
    if (!isKnown) return [];
    const state = stateOf(holds);
    if (state !== undefined) return [{ write, state, words: holds }];
    // What remains behind a job that is ready is one that isn't yet, unless another way is for that.
    const isRest = holds.length === 0 && stateOf(fails.filter((word) => !failed.test(word))) === "ready";
    return isRest && !said.some((word) => waiting.test(word)) ? [{ write, state: "waiting", words: [] }] : [];
  });
}

const ready = /^(?:ready|done|completed?|finished|succeeded|success|successful|available|ended)$/i;
const failed =
  /^(?:fail(?:ed|ure)?|error(?:ed)?|cancell?ed|aborted|expired|rejected|dead|crashed|broken|timed_?out|timeout)$/i;
const waiting =
  /^(?:waiting|pending|queued|running|processing|in[_-]?progress|preparing|building|working|started|scheduled|active|accepted|submitted)$/i;

function stateOf(words: readonly string[]): JobState | undefined {
  if (words.length === 0) return undefined;
  if (words.every((word) => ready.test(word))) return "ready";
  if (words.every((word) => failed.test(word))) return "failed";
  return words.every((word) => waiting.test(word)) ? "waiting" : undefined;
}

interface Asked {
  /** Words of which the state is one there, and words that it isn't. */
  readonly holds: readonly string[];
  readonly fails: readonly string[];
  /** Whether nothing else decides. */
  readonly isKnown: boolean;
}

function asked({ program, when }: StateWrite): Asked {
  const conditions = [...switchedBy(program.command), ...when.map((each) => ({ ...each, program }))];
  const all = conditions.map((each) => {
    const { condition, holds } = withoutNot(each.condition);
    return { holds: each.holds === holds, words: wordsAsked(condition, each.program) };
  });
  const wordsOf = (wanted: boolean): readonly string[] =>
    all.flatMap(({ holds, words }) => (holds === wanted ? (words ?? []) : []));
  return {
    holds: wordsOf(true),
    fails: wordsOf(false),
    isKnown: all.length > 0 && all.every(({ words }) => words !== undefined),
  };
}

export interface Condition {
  readonly condition: Expression;
  readonly holds: boolean;
  readonly program: JqProgram;
}

/** What decides the cases around a command. */
export function switchedBy(command: Command): readonly Condition[] {
  const found: Condition[] = [];
  for (let at = command; at.parent !== undefined; at = at.parent) {
    const { key, program, children } = at.parent;
    if (key !== "!switch" || program === undefined || program.diagnostics.length > 0) continue;
    const body = bare(plainBody(program));
    const index = children.indexOf(at);
    if (body.kind !== "If") {
      // Whatever it is, nothing is known of it.
      found.push({ condition: body, holds: true, program });
      continue;
    }
    found.push(...leadingTo(index, body).conditions.map((each) => ({ ...each, program })));
  }
  return found;
}

/** The conditions on which a case is taken, over conditions in the branches of others: `if .state == "done" then (if .parts == 0 then 1 else 0 end) else 2 end`. */
function leadingTo(
  index: number,
  { branches, otherwise }: If,
): { readonly conditions: readonly Omit<Condition, "program">[]; readonly isFound: boolean } {
  const conditions: Omit<Condition, "program">[] = [];
  for (const { condition, body } of branches) {
    const inner = bare(body);
    const below = inner.kind === "If" ? leadingTo(index, inner) : undefined;
    const isIt = below?.isFound ?? constantOf(body) === index;
    conditions.push({ condition, holds: isIt });
    if (isIt) return { conditions: [...conditions, ...(below?.conditions ?? [])], isFound: true };
  }
  const isRest = otherwise !== undefined && constantOf(otherwise) === index;
  return { conditions, isFound: isRest };
}

/** The words with which the state of the answer is compared: `.state == "failed" or .state == "cancelled"`. */
function wordsAsked(condition: Expression, program: JqProgram): readonly string[] | undefined {
  const node = bare(condition);
  if (node.kind === "Logical" && node.operator === "or") {
    const all = node.operands.map((operand) => wordsAsked(operand, program));
    return all.some((each) => each === undefined) ? undefined : all.flatMap((each) => each ?? []);
  }
  if (node.kind !== "Comparison" || node.operator !== "==") return undefined;
  const [read, word] =
    constantOf(node.right) === undefined ? [node.right, node.left] : [node.left, node.right];
  const name = nameRead(read, program);
  const said = constantOf(word);
  return name !== undefined &&
    /(?:^|_|[a-z])(?:state|status|phase|stage)$/i.test(name) &&
    typeof said === "string"
    ? [said]
    : undefined;
}
