import type { Resolution } from "../resolve/resolve.ts";
import { nearest } from "../suggestions.ts";
import type { Assignment, Call, Expression } from "../syntax-tree.ts";
import { memberPaths } from "./places.ts";
import type { Reports } from "./reports.ts";

/** The members of an entry that `from_entries` reads. */
const readOfEntries: ReadonlySet<string> = new Set([
  ...["key", "k", "name", "Name", "Key", "K"],
  ...["value", "v", "Value", "V"],
]);

/** `with_entries(.vlaue |= f)`: what is set in an entry at last, and isn't read when the object is made of it. */
export function reportUnusedWrite(node: Call, resolution: Resolution, reports: Reports): void {
  const assignment = lastAssignment(node.arguments[0]!);
  if (assignment === undefined) return;
  for (const [name] of memberPaths(assignment.target, resolution) ?? []) {
    if (name === undefined || readOfEntries.has(name)) continue;
    const { target } = assignment;
    const members = ["key", "value"];
    const suggestion = nearest(name, members);
    reports.wrong(node, target, "missing-member", {
      name,
      members,
      use: "entry",
      ...(suggestion === undefined ? {} : { suggestion }),
    });
  }
}

function lastAssignment(node: Expression): Assignment | undefined {
  if (node.kind === "Assignment") return node;
  if (node.kind === "Group") return lastAssignment(node.body);
  const last = node.kind === "Pipeline" ? node.stages.at(-1) : undefined;
  return last === undefined || last.kind === "Definition" || last.kind === "Binding" || last.kind === "Label"
    ? undefined
    : lastAssignment(last);
}
