import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../bind/bound-nodes.ts";
import { literalMembers } from "./literal-object.ts";
import { bare, nodesOfKind } from "./nodes.ts";
import { boundTo } from "./protocol/dependence.ts";
import { isEventName, isSingularOf, type Registered, registeredEvents } from "./registered-events.ts";
import { stepsOf } from "./value-path.ts";

/** A value that a program takes for the name of an event that came. */
interface EventLookup {
  /** `.event`, or `${piped_content.1.event}` */
  readonly value: Expression;
  /** `event` */
  readonly name: string;
}

/** The events that an intake registers, by the requests in its `create`. */
export function eventsOf(intake: IntakeSymbol): Registered | undefined {
  const create = intake.commands.get("create");
  const requests = create === undefined ? [] : [create];
  for (const command of requests)
    for (const child of command.children) if (child !== undefined) requests.push(child);
  return registeredEvents(intake, requests);
}

/**
 * The values called like an event by which a program looks in a table of registered events, `{"order.paid": "Paid"}[.event]`, or
 * which it compares with one.
 */
export function eventLookups(program: JqProgram, { name: list, events }: Registered): readonly EventLookup[] {
  const { value: text } = program.node;
  if (program.diagnostics.length > 0 || !events.some((event) => text.includes(`"${event}"`))) return [];
  const asked: Expression[] = [];
  for (const { head, suffixes } of nodesOfKind(program, "Postfix")) {
    const made = bare(head.kind === "Variable" ? (boundTo(program, head) ?? head) : head);
    const [suffix] = suffixes;
    const keys = made.kind === "Object" ? [...(literalMembers(made)?.keys() ?? [])] : [];
    const known = keys.filter((key) => events.includes(key)).length;
    // An import may make events of its own.
    if (
      suffix?.kind === "Index" &&
      known > 0 &&
      (known === keys.length || (known > 1 && 2 * known > keys.length))
    )
      asked.push(suffix.index);
  }
  for (const { left, right } of nodesOfKind(program, "Comparison"))
    for (const [constant, value] of [
      [left, right],
      [right, left],
    ] as const)
      if (events.includes(constantOf(bare(constant)) as string)) asked.push(value);
  return asked.flatMap((each) => {
    const node = bare(each);
    const value = bare(node.kind === "Variable" ? (boundTo(program, node) ?? node) : node);
    const name = nameOf(value, program);
    if (name === undefined || !isEventName(name, list)) return [];
    // `kinds: ["call", "visit"]`: a record may have a kind of its own.
    return isSingularOf(name, list) &&
      !calledEvent.test(name) &&
      !events.every((event) => /[._/:-]/.test(event))
      ? []
      : [{ value, name }];
  });
}

const calledEvent = /event|topic|trigger/i;

/** The last member that a value is read by. */
function nameOf(value: Expression, { holes }: JqProgram): string | undefined {
  if (value.kind === "Hole") return holes[value.hole]?.syntax.path.at(-1)?.text;
  return value.kind === "Postfix" ? stepsOf(value.suffixes)?.at(-1) : undefined;
}
