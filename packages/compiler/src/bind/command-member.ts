import { nearest } from "@configc/jq/internal";
import { type CommandKey, commandSpecs, isCommandKey } from "../language/index.ts";
import type { MemberNode, ObjectNode } from "../parse/syntax-tree.ts";
import type { StructureProblem } from "./structure-problem.ts";

/** The member that makes an object a command; adds what is wrong with it to `structure`. */
export function commandMember(
  node: ObjectNode,
  title: string,
  staticToo: boolean,
  structure: StructureProblem[],
): MemberNode | undefined {
  let first: MemberNode | undefined;
  let second: MemberNode | undefined;
  for (const member of node.members) {
    if (!member.name.startsWith("!")) continue;
    if (first === undefined) first = member;
    else second ??= member;
  }
  if (first !== undefined) {
    if (second !== undefined) structure.push({ kind: "several-commands", first, second });
    if (!isCommandKey(first.name)) structure.push({ kind: "unknown-command", member: first });
    // Of two commands the one that holds others says the most; what it saves and reads isn't a second mistake.
    if (second !== undefined && !holdsCommands(first) && holdsCommands(second)) return second;
    return first;
  }
  const forgotten = node.members.find(({ name }) => isCommandKey(`!${name}`));
  if (forgotten === undefined) structure.push({ kind: "not-a-command", node, title, staticToo });
  else structure.push({ kind: "unknown-command", member: forgotten });
  return forgotten;
}

/** The command that a member means: also one without its `!`, or a misspelled one. */
export function commandMeant({ name }: MemberNode): CommandKey | undefined {
  if (isCommandKey(name)) return name;
  const keys = commandSpecs.map(({ key }) => key);
  return (isCommandKey(`!${name}`) ? `!${name}` : nearest(name, keys)) as CommandKey | undefined;
}

/** `!pipe` and `!switch`. */
function holdsCommands({ name }: MemberNode): boolean {
  return name === "!pipe" || name === "!switch";
}
