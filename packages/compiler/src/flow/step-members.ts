import type { Expression, ObjectEntry } from "@configc/jq";
import type { Command, JqProgram } from "../bind/bound-nodes.ts";
import { derivedFromText } from "../bind/derived.ts";
import { entryOf, finalObject, literalMembers } from "./literal-object.ts";
import { isExpression } from "./nodes.ts";
import { plain } from "./plain-body.ts";
import { stepAt, stepBefore } from "./producers.ts";
import { resultsOf } from "./result.ts";
import { sourcesOf } from "./value-sources.ts";

/** A member that a step makes, in the program where it is written. */
export interface Made {
  readonly name: string;
  readonly entry: ObjectEntry;
  readonly program: JqProgram;
}

/** The members that each way of a step makes which doesn't refuse: a `!jq` has one, a `!switch` one for each case; undefined where they aren't known. */
export function madeBy(step: Command): readonly (readonly Made[])[] | undefined {
  const ways = resultsOf(step).filter(({ key }) => key !== "!error");
  const found = ways.map(({ key, program }): readonly Made[] | undefined => {
    if (key !== "!jq" || program === undefined || program.diagnostics.length > 0) return undefined;
    const object = finalObject(program);
    const names = object === undefined ? undefined : literalMembers(object)?.keys();
    if (object === undefined || names === undefined) return undefined;
    return [...names].flatMap((name) => {
      const entry = entryOf(object, name);
      return entry === undefined ? [] : [{ name, entry, program }];
    });
  });
  return found.every((each) => each !== undefined) ? found : undefined;
}

/** A member that a program puts into the object it gets. */
export interface Added {
  readonly name: string;
  /** The entry or the assignment that does. */
  readonly node: Expression | ObjectEntry;
}

/**
 * The members that a program adds to the object it gets, and which it gives on otherwise: `. + {courier: …}`, `.courier = …`, or that in some case
 * only; undefined for a program that does something else.
 */
export const addedBy: (program: JqProgram) => readonly Added[] | undefined = derivedFromText(({ body }) =>
  addedIn(body),
);

function addedIn(given: Expression): readonly Added[] | undefined {
  const node = plain(given);
  switch (node.kind) {
    case "Identity":
      return [];
    case "If":
      return allOf(
        [...node.branches.map(({ body }) => body), ...(node.otherwise === undefined ? [] : [node.otherwise])],
        addedIn,
      );
    case "Arithmetic":
      return node.rest.every(({ operator }) => operator === "+" || operator === "*")
        ? joined(
            addedIn(node.first),
            allOf(
              node.rest.map(({ operand }) => operand),
              membersIn,
            ),
          )
        : undefined;
    case "Assignment":
      return assigned(node.target, node);
    case "Pipeline":
      return node.stages.every((stage) => isExpression(stage) || stage.kind === "Binding")
        ? allOf(node.stages.filter(isExpression), addedIn)
        : undefined;
    case "Call":
      // A way that refuses gives nothing.
      return node.name.text === "error" ? [] : undefined;
    default:
      return undefined;
  }
}

/** `{courier: …}`, or one of several objects with constant names. */
function membersIn(given: Expression): readonly Added[] | undefined {
  const node = plain(given);
  if (node.kind === "If")
    return node.otherwise === undefined
      ? undefined
      : allOf([...node.branches.map(({ body }) => body), node.otherwise], membersIn);
  const names = node.kind === "Object" ? literalMembers(node)?.keys() : undefined;
  if (node.kind !== "Object" || names === undefined) return undefined;
  return [...names].map((name) => ({ name, node: entryOf(node, name)! }));
}

function assigned(target: Expression, node: Expression): readonly Added[] | undefined {
  const path = plain(target);
  const [suffix, ...others] = path.kind === "Postfix" && path.head.kind === "Identity" ? path.suffixes : [];
  return suffix?.kind === "Field" && suffix.key.kind === "Name" && others.length === 0
    ? [{ name: suffix.key.text, node }]
    : undefined;
}

function allOf(
  nodes: readonly Expression[],
  read: (node: Expression) => readonly Added[] | undefined,
): readonly Added[] | undefined {
  const found = nodes.map(read);
  return found.every((each) => each !== undefined) ? found.flat() : undefined;
}

const joined = (
  a: readonly Added[] | undefined,
  b: readonly Added[] | undefined,
): readonly Added[] | undefined => (a === undefined || b === undefined ? undefined : [...a, ...b]);

/**
 * What each way of an earlier step makes a member that an expression reads, `.known` or `${piped_content.2.known}`; undefined where the
 * expression is something else, or some way makes none.
 */
export function madeBefore(node: Expression, program: JqProgram): readonly Made[] | undefined {
  const read = memberRead(node, program);
  const step = read === undefined ? undefined : makerOf(read.name, read.step);
  const ways = step === undefined ? undefined : madeBy(step);
  const made = ways?.map((way) => way.find(({ name }) => name === read?.name)) ?? [];
  return made.length > 0 && made.every((each) => each !== undefined) ? made : undefined;
}

/** The step that makes a member, before those that only add others: `. + {lead: …}`. */
function makerOf(name: string, step: Command): Command {
  let at = step;
  for (let steps = 0; steps < ADDING_STEPS; steps++) {
    const { key, program } = at;
    const added = key === "!jq" && program?.diagnostics.length === 0 ? addedBy(program) : undefined;
    const before = added?.every((each) => each.name !== name) === true ? stepBefore(at) : undefined;
    if (before === undefined) return at;
    at = before;
  }
  return at;
}

/** More of them in a row nobody writes. */
const ADDING_STEPS = 10;

function memberRead(
  node: Expression,
  program: JqProgram,
): { readonly step: Command; readonly name: string } | undefined {
  const { command } = program;
  const [source, ...others] = sourcesOf(program, node, []);
  if (others.length > 0) return undefined;
  if (source?.kind === "input") {
    const [name, ...below] = source.path;
    const step = stepBefore(command);
    return name === undefined || below.length > 0 || step === undefined ? undefined : { step, name };
  }
  const hole = source?.kind === "hole" && source.path.length === 0 ? program.holes[source.hole] : undefined;
  const [, index, member, ...below] = hole?.syntax.path ?? [];
  if (hole?.root !== "piped_content" || !hole.rootExact || member === undefined || below.length > 0)
    return undefined;
  const step = stepAt(command, Number(index?.text));
  return step === undefined || hole.syntax.filters.length > 0 ? undefined : { step, name: member.text };
}
