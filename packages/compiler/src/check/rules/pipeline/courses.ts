import type { Command, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import type { Related } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { type Course, coursesOf, given, type Sent } from "../../../flow/machine/pipeline.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { textOf } from "../../../parse/syntax-tree.ts";

/** `source` or `target` of a workflow's pipeline. */
export function pipelineCommand(
  { node }: WorkflowSymbol,
  name: "source" | "target",
  model: Model,
): Command | undefined {
  const pipeline = node.get("data_pipeline");
  return pipeline?.kind === "object" ? flowOf(model).commandAt(pipeline.get(name)) : undefined;
}

const known = derived((): Map<Command, readonly Course[]> => new Map());

/** The ways in which `target` goes with a record of which nothing is known, read once for all rules. */
export function targetCourses(workflow: WorkflowSymbol, model: Model): readonly Course[] {
  const target = pipelineCommand(workflow, "target", model);
  if (target === undefined || target.key !== "!pipe") return [];
  const all = known(model);
  const courses = all.get(target) ?? coursesOf(target, workflow, model, { input: given });
  all.set(target, courses);
  return courses;
}

/** What a course's lookups that find nothing are called, and where they stand. */
export function lookupsWithout(course: Course): {
  readonly texts: readonly string[];
  readonly related: readonly Related[];
} {
  const none = [...course.found].flatMap(([command, isFound]) => (isFound ? [] : [command]));
  return {
    texts: none.map((command) => requestText(command)),
    related: none.map((command) => ({ message: "finds nothing", at: command.member.key })),
  };
}

/** `GET /people` */
export function requestText({ argument }: Command): string {
  const method = (textOf(argument, "method") ?? "GET").toUpperCase();
  return `${method} ${textOf(argument, "path") ?? textOf(argument, "url") ?? ""}`.trim();
}

/** Whether an expansion is all of a path's segment, or all of a URL. */
export function isSegment({ expansion: { node, position, syntax } }: Sent): boolean {
  if (position !== "path" && position !== "url") return false;
  const { start, end } = syntax;
  const before = node.value.charAt(start - 1);
  return (start === 0 || before === "/") && /^(?:[/?#]|$)/.test(node.value.slice(end));
}

/** An expansion as it is written. */
export const written = ({ expansion: { node, syntax } }: Sent): string =>
  node.value.slice(syntax.start, syntax.end);

/** A step that gives null for want of one member, where another of its members is read later. */
export function lostObject({ nothing, requests, programs }: Course) {
  const reads = [...requests, ...programs].flatMap(({ sent }) => sent.map(({ expansion }) => expansion));
  for (const { program, node } of nothing) {
    const step = program.command.stepsRun + 1;
    const names = new Set(
      nodesOfKind(program, "Object").flatMap(({ entries }) =>
        entries.flatMap(({ key, value }) => (key.kind === "Name" && value !== node ? key.text : [])),
      ),
    );
    const read = reads.find(
      ({ root, syntax: { path } }) =>
        root === "piped_content" && path[1]?.text === `${step}` && names.has(path[2]?.text ?? ""),
    );
    if (read !== undefined) return { program, node, step, name: read.syntax.path[2]?.text ?? "" };
  }
  return undefined;
}
