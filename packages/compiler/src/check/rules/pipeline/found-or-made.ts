import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Part } from "../../../bind/part.ts";
import { emptinessBy, type ReadPath } from "../../../flow/emptiness.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { isLookup } from "../../../flow/lookup.ts";
import { bare, nodesIn, nodesOfKind } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { indexMade } from "../../../flow/producers.ts";
import { inputReads } from "../../../flow/protocol/value-readers.ts";
import { resultsOf } from "../../../flow/result.ts";
import { sourcesOf } from "../../../flow/value-sources.ts";
import type { StringPart } from "../../../parse/document.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { requestText } from "./courses.ts";

/**
 * A `!switch` that makes a record where a lookup found none, and goes on with the one that was found otherwise. Its output is the record on both
 * ways; what the lookup gave is there on one of them only.
 */
interface FoundOrMade {
  readonly choice: Command;
  /** The step whose value is empty where nothing was found, and where in it. */
  readonly step: number;
  readonly path: readonly string[];
  readonly lookup: Command;
  readonly made: Command;
}

export interface LostRecord {
  readonly expansion: Expansion;
  readonly at: StringPart;
  readonly text: string;
  readonly lookup: Command;
  readonly made: string;
  readonly step: number;
}

/** Where the id of a record is read from the lookup behind the step that made it where there was none. */
export function lostRecords({ commands, expansions, programs }: Part): readonly LostRecord[] {
  const choices = commands.filter(({ key }) => key === "!switch");
  // Each is looked for in all that is read.
  if (choices.length === 0 || choices.length > CHOICES) return [];
  const found = choices.flatMap((command) => foundOrMade(command, expansions) ?? []);
  return found.flatMap((each): readonly LostRecord[] => {
    const { choice, lookup, made } = each;
    const told = (expansion: Expansion): LostRecord => {
      const { node, syntax } = expansion;
      const at = { node, from: syntax.start, to: syntax.end };
      const text = node.value.slice(syntax.start, syntax.end);
      return { expansion, at, text, lookup, made: requestText(made), step: choice.stepsRun + 1 };
    };
    const sent = expansions.filter(
      (expansion) =>
        expansion.command?.key === "!http" &&
        isBehind(expansion.command, each) &&
        expansion.syntax.filters.length === 0 &&
        isRecordId(
          pathOf(expansion),
          each,
          expansion.position === "path" || expansion.position === "url",
          expansion,
        ),
    );
    const built = programs.flatMap((program) =>
      isBehind(program.command, each) && program.command.key === "!jq" ? idsBuilt(program, each) : [],
    );
    return [...sent, ...built].map(told);
  });
}

const CHOICES = 50;

const pathOf = ({ syntax }: Pick<Expansion, "syntax">): readonly string[] =>
  syntax.path.map(({ text }) => text);

function foundOrMade(choice: Command, expansions: readonly Expansion[]): FoundOrMade | undefined {
  const { key, pipe, parent, program, children, stepsRun } = choice;
  if (key !== "!switch" || pipe === undefined || parent !== pipe || children.length !== 2) return undefined;
  // Behind it nothing may read anything.
  if (program === undefined || program.diagnostics.length > 0 || pipe.children.length === stepsRun + 1)
    return undefined;
  const body = plainBody(program);
  const [branch, ...others] = body.kind === "If" ? body.branches : [];
  if (body.kind !== "If" || branch === undefined || others.length > 0 || body.otherwise === undefined)
    return undefined;
  for (const isTrue of [true, false]) {
    const none = children[Number(constantOf(isTrue ? branch.body : body.otherwise))];
    const there = children[Number(constantOf(isTrue ? body.otherwise : branch.body))];
    if (none === undefined || there === undefined || none === there) continue;
    const [empty, ...more] = emptinessBy(branch.condition, isTrue, program).filter((each) => each.isEmpty);
    const value = empty === undefined || more.length > 0 ? undefined : stepValue(empty.path, choice);
    if (value === undefined) continue;
    const lookup = pipe.children.slice(0, value.step).findLast((step) => step?.key === "!http");
    const made = makerIn(none);
    if (lookup === undefined || made === undefined || !isLookup(lookup) || !givesRecord(there)) continue;
    // A request that names what was found is none that makes one.
    if (expansions.some((each) => isIn(each.command, none) && reads(each, value.step))) continue;
    return { choice, ...value, lookup, made };
  }
  return undefined;
}

/** The step that a condition asks about, and the names below it. */
function stepValue(read: ReadPath, { pipe, stepsRun }: Command) {
  const [root, index, ...names] = read;
  const isInput = root === ".";
  const step = isInput ? stepsRun : Number(index);
  const path = (isInput ? read.slice(1) : names).filter(isName);
  if (!isInput && root !== "piped_content") return undefined;
  const at = indexMade(pipe!, step);
  return at > 0 && path.length > 0 ? { step: at, path } : undefined;
}

/** Places in lists are left out: a list has none where it is empty. */
const isName = (name: string): boolean => name !== "" && name !== "[]" && !/^-?\d+$/.test(name);

/** The request of a case that makes a record, if that is what the case gives. */
function makerIn(none: Command): Command | undefined {
  if (!givesRecord(none)) return undefined;
  const steps = none.key === "!pipe" ? none.children : [none];
  const [made, ...others] = steps.filter(
    (step) => step?.key === "!http" && /^(?:POST|PUT)$/i.test(textOf(step.argument, "method") ?? ""),
  );
  return others.length === 0 ? made : undefined;
}

/** Whether a case goes on with something, on each way. */
const givesRecord = (command: Command): boolean =>
  resultsOf(command).every(
    ({ key, program }) =>
      key === "!http" ||
      (key === "!jq" &&
        program !== undefined &&
        !/\berror\b|\bempty\b/.test(program.node.value) &&
        constantOf(bare(plainBody(program))) === undefined),
  );

function isIn(command: Command | undefined, around: Command): boolean {
  for (let at = command; at !== undefined; at = at.parent) if (at === around) return true;
  return false;
}

const reads = ({ root, syntax, command }: Expansion, step: number): boolean =>
  root === "piped_content" &&
  command?.pipe !== undefined &&
  indexMade(command.pipe, Number(syntax.path[1]?.text)) === step;

/** Whether a command runs behind a choice on both of its ways. */
function isBehind(command: Command, { choice, step }: FoundOrMade): boolean {
  const { pipe, stepsRun } = choice;
  if (command.pipe !== pipe || command.stepsRun <= stepsRun) return false;
  for (let at = command.parent; at !== undefined && at !== pipe; at = at.parent)
    if (at.key !== "!switch" || !isIndependent(at, step)) return false;
  // What stops in between may stop where nothing was found.
  return pipe!.children
    .slice(stepsRun + 1, command.stepsRun)
    .every((each) => each !== undefined && !mayStop(each));
}

/** Whether what a `!switch` goes by has nothing to do with what was looked up. */
function isIndependent({ program }: Command, step: number): boolean {
  if (program === undefined || program.diagnostics.length > 0) return false;
  const { members, whole } = inputReads(program);
  if (whole || members.size > 0) return false;
  return program.holes.every(
    ({ root, rootExact, syntax }) =>
      rootExact &&
      (root === "custom_data" || (root === "piped_content" && Number(syntax.path[1]?.text) < step)),
  );
}

const mayStop = ({ key, program, children }: Command): boolean =>
  key === "!error" ||
  program?.node.value.includes("error") === true ||
  children.some((child) => child === undefined || mayStop(child));

/** Whether a path leads to the id of what was looked up, or in a path to anything of it. */
function isRecordId(
  [root, index, ...names]: readonly string[],
  { step, path, choice }: FoundOrMade,
  isSegment: boolean,
  { rootExact, command }: Pick<Expansion, "rootExact" | "command">,
): boolean {
  if (root !== "piped_content" || !rootExact || command?.pipe !== choice.pipe) return false;
  if (indexMade(choice.pipe!, Number(index)) !== step) return false;
  const read = names.filter(isName);
  if (!path.every((name, at) => read[at] === name)) return false;
  const last = read.at(-1) ?? "";
  return isIdName(last) || (isSegment && read.length > path.length);
}

/** The expansions that a program makes the id of an object's record of: `{guest_id: (${piped_content.1.guests} | .[0].id)}`. */
function idsBuilt(program: JqProgram, found: FoundOrMade): readonly Expansion[] {
  const { holes } = program;
  if (!holes.some((hole) => reads(hole, found.step))) return [];
  // What an `if` decides may be right on either way.
  const decided = nodesOfKind(program, "If");
  return nodesOfKind(program, "Object").flatMap(({ entries }) =>
    entries.flatMap(({ key, value, start, end }) => {
      const name = nameOf(key);
      if (name === undefined || value === undefined || !isIdName(name) || isOfBefore.test(name)) return [];
      if (decided.some((each) => each.start <= start && end <= each.end) || !isPlainRead(value)) return [];
      const [source, ...others] = sourcesOf(program, value, []);
      const hole = source?.kind === "hole" && others.length === 0 ? holes[source.hole] : undefined;
      if (hole === undefined || source?.kind !== "hole" || hole.syntax.filters.length > 0) return [];
      const path = [...pathOf(hole), ...source.path];
      return isRecordId(path, found, false, hole) ? [hole] : [];
    }),
  );
}

/** Names of what was there before. */
const isOfBefore = /old|prev|prior|exist|known|found|was|former/i;

const isPlainRead = (value: Expression): boolean =>
  nodesIn(value).every(({ kind }) => kind !== "If" && kind !== "Alternative" && kind !== "Try");
