import type { Expression, Node, Pipeline } from "@configc/jq";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { isBarren, literalMembers } from "../../../flow/literal-object.ts";
import { bare, nodesIn } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { stepAt, stepBefore } from "../../../flow/producers.ts";
import { boundTo, stagesOf } from "../../../flow/protocol/dependence.ts";
import { inputReads, readOfInput } from "../../../flow/protocol/value-readers.ts";
import { inputPath } from "../../../flow/value-path.ts";
import { wrapsInput } from "./wraps-input.ts";

/** A record that a step builds, in all that it gives or as a member of it. */
export interface BuiltRecord {
  readonly step: Command;
  readonly program: JqProgram;
  readonly node: Expression;
  readonly below: readonly string[];
}

/** What a body is built of: the record itself, and those of the step before that it takes whole, `.profile + {station: …}`. */
export function recordsIn(step: Command | undefined, below: readonly string[]): readonly BuiltRecord[] {
  const own = builtAt(step, below);
  if (own === undefined) return [];
  const before = stepBefore(own.step);
  return [own, ...membersTaken(own.node).flatMap((name) => builtAt(before, [name]) ?? [])];
}

function builtAt(step: Command | undefined, below: readonly string[]): BuiltRecord | undefined {
  const program = step === undefined ? undefined : makerOf(step);
  if (step === undefined || program === undefined || program.diagnostics.length > 0) return undefined;
  let node: Expression | undefined = plainBody(program);
  for (const name of below) node = node === undefined ? undefined : memberMade(node, name);
  return node === undefined ? undefined : { step, program, node, below };
}

/** The program that makes what a step gives: its own, or that of the one case that doesn't refuse. */
function makerOf(step: Command): JqProgram | undefined {
  if (step.key !== "!switch") return step.key === "!jq" ? step.program : undefined;
  const [made, ...others] = step.children.filter((way) => way?.key !== "!error");
  return made?.key === "!jq" && others.length === 0 ? made.program : undefined;
}

/** `profile` of `.profile + {…}`, also where members of that are set behind it. */
function membersTaken(node: Expression): readonly string[] {
  switch (node.kind) {
    case "Group":
      return membersTaken(node.body);
    case "Arithmetic":
      return [node.first, ...node.rest.map(({ operand }) => operand)].flatMap(membersTaken);
    case "Pipeline": {
      const made = stagesOf(node).findLast((stage) => !keepsMembers(stage));
      return made === undefined ? [] : membersTaken(made);
    }
    case "Postfix": {
      const [suffix, ...others] = node.suffixes;
      const isOwn = node.head.kind === "Identity" && suffix?.kind === "Field" && others.length === 0;
      return isOwn && suffix.key.kind === "Name" ? [suffix.key.text] : [];
    }
    default:
      return [];
  }
}

/** What only leaves out what is empty, or sets a member, leaves the others. */
const keepsMembers = (stage: Expression): boolean =>
  stage.kind === "Assignment" || (stage.kind === "Call" && /^(?:with_entries|del)$/.test(stage.name.text));

/** What an expression gives a member: of `. + {lead: …}` too. */
export function memberMade(node: Expression, name: string): Expression | undefined {
  switch (node.kind) {
    case "Group":
      return memberMade(node.body, name);
    case "Object":
      return literalMembers(node)?.get(name);
    case "Pipeline": {
      const last = stagesOf(node).at(-1);
      return last === undefined ? undefined : memberMade(last, name);
    }
    case "Arithmetic":
      return [node.first, ...node.rest.map(({ operand }) => operand)]
        .map((each) => memberMade(each, name))
        .findLast((each) => each !== undefined);
    default:
      return undefined;
  }
}

/** A member of what came that a step has put somewhere else in what it builds; undefined where it keeps its form. */
export function movedIn(record: BuiltRecord, from: Command | undefined): string | undefined {
  const { step, program, node, below } = record;
  const replaced = replacedIn(record, from) ?? spreadIn(record, from);
  if (replaced !== undefined) return replaced;
  const names = namesMade(node);
  if (names !== undefined && below.length === 0 && stepBefore(step) === from && wrapsInput(node)) {
    const known = [...inputReads(program).members].find((name) => !names.has(name));
    if (known !== undefined) return known;
  }
  const members = names === undefined || names.size === 0 ? undefined : membersRead(record, from);
  const moved = (members ?? []).filter((name) => !names!.has(name));
  // A step may read one for something else; of several, or of one among others that stay, the record is built.
  const isBuilt =
    2 * moved.length >= (members ?? []).length ||
    new Set(moved).size >= 2 ||
    (moved.length > 0 && takenAt(record, from) >= 0);
  return isBuilt ? moved[0] : undefined;
}

/** What a program reads of its input behind what only refuses some: `if .email == null then error("…") else . end | {…}`. */
function behindGuards(program: JqProgram): ReturnType<typeof inputReads> | undefined {
  const { body } = program.tree;
  const stages = body.kind === "Pipeline" ? body.stages : [];
  const first = stages.findIndex((stage) => {
    const node = stage.kind === "If" ? stage : undefined;
    const ways = [...(node?.branches.map((each) => each.body) ?? []), node?.otherwise];
    return !ways.every((way) => way !== undefined && (isBarren(way) || bare(way).kind === "Identity"));
  });
  if (body.kind !== "Pipeline" || first <= 0) return undefined;
  const rest = stages.slice(first);
  return readOfInput({ ...program.tree, body: { ...body, stages: rest, start: rest[0]!.start } });
}

/** The member of what came whose own members are the record: `${piped_content.0.person} + {list: …}`. */
function spreadIn({ step, program, node }: BuiltRecord, from: Command | undefined): string | undefined {
  const made = bare(node);
  const first = made.kind === "Arithmetic" ? bare(made.first) : undefined;
  const hole = first?.kind === "Hole" ? program.holes[first.hole] : undefined;
  const [, at, member, ...below] = hole?.syntax.path.map(({ text }) => text) ?? [];
  const isWhole = hole?.root === "piped_content" && member !== undefined && below.length === 0;
  return isWhole && stepAt(step, Number(at)) === from ? member : undefined;
}

/** A member of what came that is made another one of, and then left out: `. + {volume_m3: (.volume_ft3 * 0.028)} | del(.volume_ft3)`. */
function replacedIn({ step, program, node, below }: BuiltRecord, from: Command | undefined) {
  const made = bare(node);
  const stages = made.kind === "Pipeline" ? stagesOf(made).map(bare) : [];
  const left = stages.flatMap((stage) =>
    stage.kind === "Call" && stage.name.text === "del" ? stage.arguments : [],
  );
  if (left.length === 0) return undefined;
  const [first] = stages;
  const hole = first?.kind === "Hole" ? program.holes[first.hole] : undefined;
  const isOfFrom =
    hole === undefined
      ? below.length === 0 && stepBefore(step) === from
      : hole.root === "piped_content" &&
        hole.syntax.path.length === 2 &&
        stepAt(step, Number(hole.syntax.path[1]?.text)) === from;
  if (!isOfFrom) return undefined;
  const inLeft = (at: Node): boolean => left.some((each) => each.start <= at.start && at.end <= each.end);
  const others = new Set(
    nodesIn(made).flatMap((each) =>
      each.kind === "Postfix" && !inLeft(each) ? (inputPath(each)?.[0] ?? []) : [],
    ),
  );
  const names = left
    .flatMap((each) => (each.kind === "Comma" ? each.items : [each]))
    .flatMap((each) => {
      const [name, ...more] = inputPath(each) ?? [];
      return name === undefined || more.length > 0 ? [] : [name];
    });
  return names.find((name) => others.has(name));
}

/** The members that a program reads of what another step gives; undefined where it may take all of it. */
function membersRead(record: BuiltRecord, from: Command | undefined): readonly string[] | undefined {
  const { step, program, node: made, below } = record;
  const isMade = ({ start, end }: { readonly start: number; readonly end: number }): boolean =>
    made.start <= start && end <= made.end;
  const found: string[] = [];
  if (stepBefore(step) === from) {
    const { members, whole } = behindGuards(program) ?? inputReads(program);
    // Which of them a part of what a step gives has, isn't told apart.
    if (whole || (below.length > 0 && members.size > 0)) return undefined;
    found.push(...members);
  }
  const whole = new Set<number>();
  for (const [index, { root, syntax }] of program.holes.entries()) {
    const [, at, member] = syntax.path.map(({ text }) => text);
    if (root !== "piped_content" || stepAt(step, Number(at)) !== from) continue;
    if (member === undefined) whole.add(index);
    else if (isMade(syntax)) found.push(member);
  }
  if (whole.size === 0) return found;
  const stages = made.kind === "Pipeline" ? stagesOf(made) : [];
  const taken = takenAt(record, from);
  if (taken >= 0) {
    const body = { ...(made as Pipeline), stages: stages.slice(taken + 1) };
    const { members, whole: isAll } = readOfInput({ ...program.tree, body });
    if (isAll) return undefined;
    found.push(...members);
  }
  const isAll = (node: Expression): boolean => {
    const value = node.kind === "Variable" ? boundTo(program, node) : node;
    return value?.kind === "Hole" && whole.has(value.hole);
  };
  // What takes all of it puts it below a name, as the names of what is made are known.
  for (const node of nodesIn(program.tree)) {
    if (node.kind !== "Postfix" || node.head.kind !== "Variable" || !isAll(node.head)) continue;
    const [suffix] = node.suffixes;
    if (suffix?.kind !== "Field" || suffix.key.kind !== "Name") return undefined;
    if (isMade(node)) found.push(suffix.key.text);
  }
  return found;
}

/** The stage that is all of what a step gave, and behind which something is made of it: `${piped_content.0} | {mass_kg: (.tonnes * 1000)}`. */
function takenAt({ step, program, node }: BuiltRecord, from: Command | undefined): number {
  const stages = node.kind === "Pipeline" ? stagesOf(node).slice(0, -1) : [];
  return stages.findIndex((stage) => {
    const read = bare(stage);
    const { root, syntax } = (read.kind === "Hole" ? program.holes[read.hole] : undefined) ?? {};
    const [, at, ...below] = syntax?.path.map(({ text }) => text) ?? [];
    return root === "piped_content" && below.length === 0 && stepAt(step, Number(at)) === from;
  });
}

/** The names of the members that an expression gives, on any way; undefined where some aren't written. */
function namesMade(node: Expression): ReadonlySet<string> | undefined {
  switch (node.kind) {
    case "Object": {
      const members = literalMembers(node);
      return members && new Set(members.keys());
    }
    case "Group":
      return namesMade(node.body);
    case "Pipeline": {
      // What only leaves out what is empty leaves the names.
      const made = stagesOf(node).findLast((stage) => !leavesNames(stage));
      return made === undefined ? undefined : namesMade(made);
    }
    case "If":
      return node.otherwise === undefined
        ? undefined
        : union([...node.branches.map(({ body }) => body), node.otherwise].filter((way) => !isBarren(way)));
    case "Arithmetic":
      return node.rest.every(({ operator }) => operator === "+" || operator === "*")
        ? union([node.first, ...node.rest.map(({ operand }) => operand)])
        : undefined;
    default:
      return undefined;
  }
}

/** `with_entries(select(.value != null))`, `del(.[] | nulls)`, and that in a case beside a refusal. */
function leavesNames(given: Expression): boolean {
  const stage = bare(given);
  if (stage.kind === "Call") {
    const [left] = stage.arguments;
    return (
      stage.name.text === "with_entries" ||
      (stage.name.text === "del" && left !== undefined && isOfEach(left))
    );
  }
  if (stage.kind !== "If" || stage.otherwise === undefined) return false;
  const ways = [...stage.branches.map(({ body }) => body), stage.otherwise].filter((way) => !isBarren(way));
  return ways.length > 0 && ways.every((way) => bare(way).kind === "Identity" || leavesNames(way));
}

/** `.[]`, `.[] | nulls`: of all members those that are empty, not one by its name. */
function isOfEach(given: Expression): boolean {
  const node = bare(given);
  const first = node.kind === "Pipeline" ? stagesOf(node)[0] : node;
  const read = first === undefined ? undefined : bare(first);
  return read?.kind === "Postfix" && read.head.kind === "Identity" && read.suffixes[0]?.kind === "Iterate";
}

function union(nodes: readonly Expression[]): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const node of nodes) {
    const own = namesMade(node);
    if (own === undefined) return undefined;
    for (const name of own) names.add(name);
  }
  return names;
}
