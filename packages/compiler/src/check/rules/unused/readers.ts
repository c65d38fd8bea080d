import type { Model } from "../../../bind/model.ts";
import type { SyntaxNode } from "../../../parse/syntax-tree.ts";

/**
 * Whether every workflow is known as it is written. Otherwise what uses a declaration may be among what isn't, and no
 * declaration is called unused.
 */
export function areWorkflowsKnown({ document, workflows }: Model): boolean {
  const { root, problems } = document;
  const list = root?.kind === "object" ? root.get("workflows") : undefined;
  return (
    problems.length === 0 &&
    workflows.length > 0 &&
    list?.kind === "array" &&
    list.items.length === workflows.length
  );
}

/** Whether every intake that a workflow reads is declared. */
export function areIntakesResolved({ workflows }: Model): boolean {
  return workflows.every(
    ({ intake, historicalIntake, direction, node }) =>
      (intake?.exact ?? (direction === "outbound" && node.member("data_intake") === undefined)) &&
      (historicalIntake?.exact ?? node.member("historical_data_intake") === undefined),
  );
}

/** Whether a text stands in a part of the document that isn't read, because something around it is misspelled or misplaced. */
export function standsUnread({ document, structure }: Model, text: string): boolean {
  return structure.some((problem) =>
    unread(problem).some(({ start, end }) => document.text.slice(start, end).includes(text)),
  );
}

function unread(problem: Model["structure"][number]): readonly SyntaxNode[] {
  switch (problem.kind) {
    case "unknown-member":
    case "unknown-command":
    case "member-beside-command":
    case "command-in-data":
      return [problem.member];
    case "several-commands":
      return [problem.first, problem.second];
    case "wrong-type":
    case "not-a-command":
      return [problem.node];
    default:
      return [];
  }
}
