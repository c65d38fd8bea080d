import type { Expression, Postfix } from "@configc/jq";
import type { Expansion, JqProgram } from "../../bind/bound-nodes.ts";
import { rootPaths } from "../../bind/roots-input.ts";
import { nameOf } from "../literal-object.ts";
import { bare, nodesOfKind } from "../nodes.ts";
import { plainBody } from "../plain-body.ts";
import { stepAt, stepBefore } from "../producers.ts";
import { definitionInStep } from "./definition-site.ts";
import { boundTo } from "./dependence.ts";
import { ownInputs, stageBefore } from "./stage-before.ts";

/** So many steps are gone back through: each may give on what the one before it gave. */
const MOST = 20;

/** The part of the state that an expression reads; undefined where it is anything else. @param hops steps gone back through until here */
export function keptPath(node: Expression, program: JqProgram, hops = 0): readonly string[] | undefined {
  switch (node.kind) {
    case "Group":
      return keptPath(node.body, program, hops);
    case "Variable": {
      const source = boundTo(program, node);
      return source === undefined ? undefined : keptPath(source, program, hops);
    }
    case "Hole": {
      const hole = program.holes[node.hole];
      const made = hole === undefined ? undefined : definitionInStep(hole);
      if (made !== undefined) return hops < MOST ? keptPath(made.node, made.program, hops + 1) : undefined;
      return statePath(program, node.hole) ?? pathInStep(hole, [], hops);
    }
    case "String": {
      // `"${polling_state.from}"`: a text is the same one in quotes.
      const [part, ...others] = node.format === undefined ? node.parts : [];
      return part?.kind === "Interpolation" && others.length === 0
        ? keptPath(part.expression, program, hops)
        : undefined;
    }
    case "Identity": {
      const before = stageBefore(program).get(node);
      return before === undefined ? pathComingIn(node, program, hops) : keptPath(before, program, hops);
    }
    case "If": {
      // The same on each of two ways.
      const [branch, ...others] = node.branches;
      const path =
        branch === undefined || others.length > 0 ? undefined : keptPath(branch.body, program, hops);
      const other =
        path === undefined || node.otherwise === undefined
          ? undefined
          : keptPath(node.otherwise, program, hops);
      return path !== undefined && other !== undefined && path.join(".") === other.join(".")
        ? path
        : undefined;
    }
    case "Postfix": {
      if (node.head.kind === "Identity" && !stageBefore(program).has(node.head)) {
        const path = inputPath(node, program);
        if (path !== undefined || pathComingIn(node.head, program, hops)?.length !== 0) return path;
        const names = node.suffixes.map((suffix) => fieldName(suffix));
        return names.every((name) => name !== undefined) ? names : undefined;
      }
      const path = node.suffixes.map(fieldName);
      if (!path.every((name) => name !== undefined)) return undefined;
      const from = unassigned(node, program);
      if (keptPath(from, program, hops)?.length === 0) return path;
      const source = from.kind === "Variable" ? bare(boundTo(program, from) ?? from) : from;
      return source.kind === "Hole" ? pathInStep(program.holes[source.hole], path, hops) : undefined;
    }
    default:
      return undefined;
  }
}

/** The part of the state that a step before gives on as it is: `${polling_state}`, and then a program or a `!switch` that reads `.`. */
function pathComingIn(node: Expression, program: JqProgram, hops: number): readonly string[] | undefined {
  if (hops >= MOST || !ownInputs(program).has(node)) return undefined;
  const step = stepBefore(program.command);
  const made = step?.key === "!jq" ? step.program : undefined;
  return made === undefined || made.diagnostics.length > 0
    ? undefined
    : keptPath(plainBody(made), made, hops + 1);
}

/**
 * The part of the state that is a member of what a step makes, where that is the state with other members set:
 * `${piped_content.1.page}` of `.polling_state + {plants: …}`.
 */
function pathInStep(
  hole: Expansion | undefined,
  names: readonly string[],
  hops: number,
): readonly string[] | undefined {
  if (hops >= MOST) return undefined;
  if (hole?.root !== "piped_content" || !hole.rootExact || hole.syntax.problem !== undefined)
    return undefined;
  const [, index, ...own] = hole.syntax.path.map(({ text }) => text);
  const step = hole.command === undefined ? undefined : stepAt(hole.command, Number(index));
  const made = step?.key === "!jq" ? step.program : undefined;
  const path = [...own, ...names];
  if (made === undefined || made.diagnostics.length > 0) return undefined;
  const body = plainBody(made);
  const whole = keptPath(body, made, hops + 1);
  if (whole !== undefined) return [...whole, ...path];
  const [key] = path;
  if (key === undefined || body.kind !== "Arithmetic" || keptPath(body.first, made, hops + 1)?.length !== 0)
    return undefined;
  const isLeft = body.rest.every(({ operator, operand }) => operator === "+" && leaves(operand, key));
  return isLeft ? path : undefined;
}

/** Whether an object has no member of a name, each of its own being known. */
function leaves(given: Expression, key: string): boolean {
  const node = bare(given);
  return (
    node.kind === "Object" &&
    node.entries.every((entry) => {
      const name = nameOf(entry.key);
      return name !== undefined && name !== key;
    })
  );
}

const fieldName = (suffix: Postfix["suffixes"][number]): string | undefined =>
  suffix.kind === "Field" && suffix.key.kind === "Name" ? suffix.key.text : undefined;

/** What `.key` is read from: stages before that set other keys leave this one as it was. */
function unassigned({ head, suffixes }: Postfix, program: JqProgram): Expression {
  const [suffix] = suffixes;
  const key = suffix?.kind === "Field" && suffix.key.kind === "Name" ? suffix.key.text : undefined;
  let from = head.kind === "Identity" && key !== undefined ? stageBefore(program).get(head) : undefined;
  let last: Expression = head;
  while (from?.kind === "Assignment") {
    const set = assignedKey(from);
    if (set === undefined || set[0] === key) return head;
    last = from;
    from = stageBefore(program).get(from);
  }
  return last === head || from === undefined ? head : from;
}

/** The keys below `.polling_state` that a path of a program's input names, where that is the object of the roots (D16). */
function inputPath({ suffixes }: Postfix, program: JqProgram): readonly string[] | undefined {
  const demanded = rootPaths(program).find(
    ({ segments }) =>
      segments[0]?.key === "polling_state" &&
      segments.length >= suffixes.length &&
      suffixes.every(({ start, end }, index) => {
        const segment = segments[index];
        return segment !== undefined && segment.start >= start && segment.end <= end;
      }),
  );
  return demanded?.segments.slice(1, suffixes.length).map(({ key }) => `${key}`);
}

/** Whether an expression gives the whole state as it was. */
export function isState(node: Expression, program: JqProgram): boolean {
  return keptPath(node, program)?.length === 0;
}

/** Whether an expression gives the state as it was, whatever names it. */
export const keepsWholeState = (node: Expression, program: JqProgram): boolean =>
  isState(bare(node), program);

/** The key of the state whose value an expression gives as it was; undefined where it gives anything else. */
export function keptKey(node: Expression, program: JqProgram): string | undefined {
  const path = keptPath(node, program);
  return path?.length === 1 ? path[0] : undefined;
}

/** Whether what a program reads of its input at an offset is a key of the state that dependences know of. */
export function isFollowed(program: JqProgram, offset: number): boolean {
  return nodesOfKind(program, "Postfix").some(
    (node) => node.start <= offset && offset < node.end && keptPath(node, program) !== undefined,
  );
}

/** The keys below `polling_state` that an expansion of a program reads. */
export function statePath({ holes }: JqProgram, index: number): readonly string[] | undefined {
  const hole = holes[index];
  if (hole?.root !== "polling_state" || !hole.rootExact || hole.syntax.problem !== undefined)
    return undefined;
  return hole.syntax.path.slice(1).map(({ text }) => text);
}

/** The key that an assignment sets, and what to: of `.page += 1` the whole. */
export function assignedKey(
  stage: Extract<Expression, { kind: "Assignment" }>,
): readonly [string, Expression] | undefined {
  const { target, value, operator } = stage;
  const [suffix, ...others] =
    target.kind === "Postfix" && target.head.kind === "Identity" ? target.suffixes : [];
  if (others.length > 0 || suffix?.kind !== "Field" || suffix.key.kind !== "Name") return undefined;
  return [suffix.key.text, operator === "=" ? value : stage];
}
