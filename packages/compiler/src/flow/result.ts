import { type Type, types } from "@configc/jq";
import type { Command } from "../bind/model.ts";
import type { Location } from "../parse/document.ts";
import { finalObject, literalMembers } from "./literal-object.ts";

/** The commands whose output is the output of a command: the last step of a pipe, each case of a switch. */
export function resultsOf(command: Command): readonly Command[] {
  const found: Command[] = [];
  const pending = [command];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (at.key === "!pipe") {
      const last = at.children.at(-1);
      if (last !== undefined) pending.push(last);
    } else if (at.key === "!switch")
      pending.push(...at.children.filter((child) => child !== undefined).reverse());
    else found.push(at);
  }
  return found;
}

/** Where a value is made: the object construction that a program ends with, else the program, else the command's key. */
export function madeAt(command: Command): Location {
  const { program } = command;
  if (program === undefined) return command.member.key;
  const made = finalObject(program);
  if (made === undefined) return command.member.key;
  return { node: program.node, from: made.start, to: made.end };
}

/** Whether every value of the type is an object that has no such member. */
export function certainlyLacks(type: Type, member: string): boolean {
  const parts = types.partsOf(type);
  return (
    parts.length > 0 &&
    parts.every((part) => part.kind === "object" && part.rest === undefined && !part.members.has(member))
  );
}

/** Whether a program certainly makes an object with all of these members, as far as its text alone says. */
export function visiblyHas({ program }: Command, members: readonly string[]): boolean {
  const made = program === undefined ? undefined : finalObject(program);
  const found = made === undefined ? undefined : literalMembers(made);
  return found !== undefined && members.every((member) => found.has(member));
}
