import { type Call, children, type Expression, type If, type Node } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { passingOf } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import {
  asksOnlyForEmptiness,
  deniesEither,
  type Emptiness,
  emptinessBy,
  type ReadPath,
  readPath,
} from "../../../flow/emptiness.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, defines, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { plain, plainBody } from "../../../flow/plain-body.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { inputReads } from "../../../flow/protocol/value-readers.ts";

/** What a branch may do, and on what condition it is taken. */
export interface Way {
  readonly body: Expression;
  /** The condition that decides last whether it is taken. */
  readonly condition: Expression;
  /** What is certain where it is taken. */
  readonly facts: readonly Emptiness[];
  /** Whether nothing but the emptiness of values decides. */
  readonly isPure: boolean;
  /** Whether it is taken where neither side of an `or` holds. */
  readonly isDenial: boolean;
  /** The case that runs then, where the branch is the number of one. */
  readonly taken: Command | undefined;
}

/** The ways through each condition of a program that has an `else`. Several rules ask for them. */
export const decisionsOf = passingOf((program: JqProgram): ReadonlyMap<If, readonly Way[]> => {
  const decisions = nodesOfKind(program, "If").map((node) => [node, waysOf(node, program)] as const);
  return new Map(decisions.filter(([, ways]) => ways.length > 0));
});

/** The ways through a condition with an `else`; in a `!switch` that it decides, with their cases. */
export function waysOf(node: If, program: JqProgram): readonly Way[] {
  const { branches, otherwise } = node;
  const [first] = branches;
  if (otherwise === undefined || first === undefined) return [];
  const isDecision = node === plainBody(program);
  const caseOf = (body: Expression): Command | undefined => {
    const index = isDecision && program.command.key === "!switch" ? constantOf(body) : undefined;
    return typeof index === "number" ? program.command.children[index] : undefined;
  };
  // Names that stand before the decision have the values of its own input.
  const meant = (facts: readonly Emptiness[]): readonly Emptiness[] =>
    isDecision ? facts.flatMap((fact) => [fact, ...behindVariable(fact, node, program)]) : facts;
  const before: { readonly facts: Emptiness[]; isPure: boolean } = { facts: [], isPure: true };
  const ways: Way[] = [];
  for (const { condition, body } of branches) {
    const isPure = before.isPure && asksOnlyForEmptiness(condition, program);
    const facts = meant([...before.facts, ...emptinessBy(condition, true, program)]);
    ways.push({
      body,
      condition,
      facts,
      isPure,
      isDenial: deniesEither(condition, true),
      taken: caseOf(body),
    });
    before.facts.push(...emptinessBy(condition, false, program));
    before.isPure = isPure;
  }
  const condition = branches.length === 1 ? first.condition : otherwise;
  ways.push({
    body: otherwise,
    condition,
    facts: meant(before.facts),
    isPure: before.isPure,
    isDenial: branches.length === 1 && deniesEither(first.condition, false),
    taken: caseOf(otherwise),
  });
  // A number without a case is told as that.
  const isCases = isDecision && program.command.key === "!switch";
  return isCases &&
    ways.some(({ body, taken }) => taken === undefined && typeof constantOf(body) === "number")
    ? []
    : ways;
}

/** `.email` is what `$email` is in `(.email // "") as $email | if $email == "" then …`. */
function behindVariable({ path, ...fact }: Emptiness, node: If, program: JqProgram): readonly Emptiness[] {
  const [root, ...below] = path;
  if (root?.startsWith("$") !== true) return [];
  const variable = nodesOfKind(program, "Variable").find(
    ({ name, start, end }) => `$${name}` === root && start >= node.start && end <= node.end,
  );
  const source = variable === undefined ? undefined : boundTo(program, variable);
  if (source === undefined) return [];
  const inner = bare(source);
  const [value, by] = inner.kind === "Alternative" ? inner.operands : [source];
  // Of `.email // "none"` the text says nothing of what is behind it.
  if (
    inner.kind === "Alternative" &&
    (by === undefined || inner.operands.length > 2 || constantOf(by) !== "")
  )
    return [];
  const own = value === undefined ? undefined : readPath(value, program)?.filter((name) => name !== "");
  return own === undefined ? [] : [{ ...fact, path: [...own, ...below] }];
}

/** Whether a value is used in a branch, or in the case that it leads to: for certain, or what may be a use, too. */
export function usesIn(
  { body, taken }: Way,
  path: ReadPath,
  program: JqProgram,
  model: Model,
  certainty: Certainty,
): boolean {
  return taken === undefined
    ? reads(body, path, program)
    : commandUses(taken, { path, certainty }, program.command, model);
}

type Certainty = "certain" | "possible";

interface Use {
  readonly path: ReadPath;
  readonly certainty: Certainty;
}

/** Whether an expression reads a value, or a part of it, other than to ask whether it is there. */
function reads(node: Expression, path: ReadPath, program: JqProgram): boolean {
  return visits(node, path, program, (read) => isBelow(read, path));
}

/**
 * Whether a branch does with a value what can't be done with a flag: it reads a member of it, reckons with it, or gives it to a function
 * that takes a text, a number or a list. Where the value is empty, that fails or gives nothing.
 */
export function worksWith({ body, taken }: Way, path: ReadPath, program: JqProgram): boolean {
  if (taken !== undefined) return false;
  const isOwn = (at: Node): boolean => samePath(pathOf(at, program), path);
  return visits(
    body,
    path,
    program,
    (read) => isBelow(read, path) && read.length > path.length,
    (at) => {
      if (at.kind === "Arithmetic") return [at.first, ...at.rest.map(({ operand }) => operand)].some(isOwn);
      const [first, second] = at.kind === "Pipeline" ? at.stages : [];
      if (path.length === 1 && path[0] === "." && isConversion(at.kind === "Pipeline" ? first! : at, program))
        return true;
      return first !== undefined && second !== undefined && isOwn(first) && isConversion(second, program);
    },
  );
}

/** What a branch takes a value for that isn't a text: it reads members of it, or reckons with it. */
export function kindInBranch(
  { body, taken }: Way,
  path: ReadPath,
  program: JqProgram,
): "an object" | "a number" | undefined {
  if (taken !== undefined) return undefined;
  const isMember = (read: ReadPath): boolean =>
    isBelow(read, path) && read.length > path.length && !/^-?\d+$/.test(read[path.length]!);
  if (visits(body, path, program, isMember)) return "an object";
  const isReckoned = (at: Node): boolean =>
    isFormatted(at, path, program) ||
    (at.kind === "Arithmetic" &&
      at.rest.every(({ operator }) => operator !== "+") &&
      [at.first, ...at.rest.map(({ operand }) => operand)].some((each) =>
        samePath(pathOf(each, program), path),
      ));
  return visits(body, path, program, () => false, isReckoned) ? "a number" : undefined;
}

/** `.seen_at | strftime("%F")`: what is formatted as it is, is a number of seconds. */
function isFormatted(at: Node, path: ReadPath, program: JqProgram): boolean {
  const [first, call] = at.kind === "Pipeline" ? at.stages : [];
  return (
    first !== undefined &&
    call?.kind === "Call" &&
    /^(?:strftime|todate|gmtime|todateiso8601)$/.test(call.name.text) &&
    !defines(program, call.name.text) &&
    samePath(pathOf(first, program), path)
  );
}

function isConversion(node: Node, program: JqProgram): boolean {
  return node.kind === "Call" && conversions.has(node.name.text) && !defines(program, node.name.text);
}

const conversions: ReadonlySet<string> = new Set(
  "tonumber fromdate fromdateiso8601 strptime mktime todate strftime split ascii_downcase ascii_upcase sub gsub floor round ceil join map test capture".split(
    " ",
  ),
);

const pathOf = (at: Node, program: JqProgram): ReadPath | undefined =>
  at.kind === "Postfix" || at.kind === "Hole" || at.kind === "Variable" || at.kind === "Identity"
    ? readPath(at, program)?.filter((name) => name !== "")
    : undefined;

const samePath = (read: ReadPath | undefined, path: ReadPath): boolean =>
  read !== undefined && read.length === path.length && isBelow(read, path);

/** Whether an expression has a read, or a node, of a kind, where its input is the one that the paths begin at. */
function visits(
  node: Expression,
  path: ReadPath,
  program: JqProgram,
  isWanted: (read: ReadPath) => boolean,
  isWantedNode: (at: Node) => boolean = () => false,
): boolean {
  const isBuiltIn = ({ name: { text } }: Call): boolean => text !== "select" && !defines(program, text);
  const visit = (at: Node): boolean => {
    if (isWantedNode(at)) return true;
    // With another input a path means something else, and a default is for what is empty.
    // A variable is the same with any input: `error($problem)`. In a text it may tell that there is none.
    if (at.kind === "Call")
      return (
        (path[0]!.startsWith("$") || (at.name.text === "error" && path.length > 1)) &&
        isBuiltIn(at) &&
        at.arguments.map(bare).some((given) => given.kind !== "String" && visit(given))
      );
    if (at.kind === "Alternative" || at.kind === "Reduce" || at.kind === "Foreach") return false;
    if (at.kind === "Comparison") return false;
    // What is filled where it is empty isn't read.
    if (at.kind === "Assignment") return visit(at.value);
    if (at.kind === "Pipeline") {
      const index = at.stages.findIndex((stage) => stage.kind !== "Binding" && stage.kind !== "Definition");
      return at.stages.slice(0, index + 1).some(visit);
    }
    // `{email}` reads `.email`.
    if (at.kind === "Entry" && at.value === undefined) return isWanted([".", nameOf(at.key) ?? ""]);
    if (at.kind === "Postfix" || at.kind === "Hole" || at.kind === "Variable") {
      const read = pathOf(at, program);
      if (read !== undefined && isWanted(read)) return true;
      if (at.kind !== "Postfix") return false;
    }
    return children(at).some(visit);
  };
  return visit(node);
}

const isBelow = (read: ReadPath, path: ReadPath): boolean => path.every((name, at) => read[at] === name);

/** The same of a command: by its expansions, and by what the program that it begins with takes of its input. */
function commandUses(taken: Command, { path, certainty }: Use, around: Command, model: Model): boolean {
  const { stepsRun, pipe, unit } = around;
  // `.tags` of the `!switch` is what its own input is called elsewhere; in that of the roots, `.polling_state` is a root.
  if (
    path[0] === "." &&
    isRoot.test(path[1] ?? "") &&
    commandUses(taken, { path: path.slice(1), certainty }, around, model)
  )
    return true;
  const own =
    path[0] === "." ? ["piped_content", `${pipe === undefined ? 0 : stepsRun}`, ...path.slice(1)] : path;
  if (unit?.kind !== "intake" && unit?.kind !== "workflow") return true;
  const isInput = own[0] === "piped_content" && own[1] === `${pipe === undefined ? 0 : stepsRun}`;
  const inExpansions = partOfUnit(unit, model).expansions.some(({ command, syntax, node }) => {
    if (node.start < taken.node.start || node.end > taken.node.end) return false;
    const read = syntax.path.map(({ text }) => text);
    if (own[0] !== "piped_content" || command?.pipe === pipe) return isBelow(read, own);
    // The input of a case that is a pipe is the first of its own.
    return isInput && command?.pipe === taken && isBelow(read, ["piped_content", "0", ...own.slice(2)]);
  });
  return inExpansions || (isInput && takes(taken, own.slice(2), certainty));
}

/** Whether a command reads a member of its own input, or a part of that. */
function takes(
  { key, children: inner, program }: Command,
  names: readonly string[],
  certainty: Certainty,
): boolean {
  if (key === "!pipe") return inner[0] !== undefined && takes(inner[0], names, certainty);
  if (key === "!switch" && inner.some((child) => child !== undefined && takes(child, names, certainty)))
    return true;
  if (program === undefined) return false;
  const [name, ...below] = names;
  if (below.length > 0)
    return nodesOfKind(program, "Postfix").some((node) => {
      const read = readPath(node, program)?.filter((each) => each !== "");
      return read?.[0] === "." && isBelow(read.slice(1), names);
    });
  const { members, whole } = inputReads(program);
  if (name === undefined) return members.size > 0;
  return members.has(name) || (certainty === "possible" && whole && !isIdentity(program));
}

/** What a branch gives, beside the values that it reads: its input or a variable as it is, nothing, or an error with its message. */
export function outcomeOf({ body, taken }: Way, program: JqProgram): Outcome {
  return taken === undefined ? outcomeOfExpression(body, program) : outcomeOfCommand(taken);
}

export type Outcome =
  | { readonly kind: "whole"; readonly path: ReadPath }
  | { readonly kind: "nothing" | "other" }
  | { readonly kind: "error"; readonly message: string };

function outcomeOfExpression(body: Expression, program: JqProgram): Outcome {
  const node = plain(body);
  if (node.kind === "Call") {
    const { name, arguments: given } = node;
    if (name.text === "error" && given[0] !== undefined)
      return {
        kind: "error",
        message: textAt(given[0], program).replace(/\\\([^()]*(?:\([^()]*\)[^()]*)*\)/g, ""),
      };
    return { kind: name.text === "empty" || constantOf(node) === null ? "nothing" : "other" };
  }
  const first = node.kind === "Arithmetic" ? bare(node.first) : node;
  const path =
    first.kind === "Identity" || first.kind === "Variable" || first.kind === "Hole"
      ? readPath(first, program)
      : undefined;
  return path === undefined ? { kind: "other" } : { kind: "whole", path };
}

function outcomeOfCommand(command: Command): Outcome {
  const { key, argument, children: steps, program } = command;
  const last = key === "!pipe" ? steps.at(-1) : undefined;
  if (last !== undefined)
    return steps.length === 1 || last.key === "!error" ? outcomeOfCommand(last) : { kind: "other" };
  if (key === "!error") return { kind: "error", message: argument?.kind === "string" ? argument.value : "" };
  return program === undefined || key !== "!jq"
    ? { kind: "other" }
    : outcomeOfExpression(program.tree.body, program);
}

const isRoot = /^(?:custom_data|polling_state|data)$/;

const isIdentity = (program: JqProgram): boolean => plainBody(program).kind === "Identity";
