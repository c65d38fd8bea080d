import { demandedPaths, type Expression } from "@configc/jq";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { entryOf, finalObject, literalMembers } from "../../../flow/literal-object.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { waysOf } from "../../../flow/protocol/forms.ts";
import { objectItems } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";

const objectAsField = defineRule<{ field: string; path: string; members: readonly string[] }>({
  id: "mapping/object-as-field",
  severity: "warning",
  summary: "A mapped field gets a whole object, although the same program reads its members elsewhere",
  why: "A field that customers map is a single value: a string, a number, a date. A path that ends one step too early gives the object around it, so the contact gets something unreadable or the record is refused.",
  guards: ["data_pipeline.source", "option.id", "D37"],
  message: ({ field, path, members }) =>
    `\`${field}\` gets the whole object \`${path}\`. Elsewhere this program reads its ${members.length === 1 ? "member" : "members"} ${allNames(members)}.`,
  because: ({ path, members }) => [
    `\`${path}.${members[0]}\` is read here, so \`${path}\` is an object`,
    "the mapped field gets the object itself",
  ],
  help: ({ path, members }) => `Read one of its members, such as \`${path}.${members[0]}\`.`,
  examples: [
    {
      title: "D37",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/map/describe_source/options":
          '[{"id": "email", "title": "Email"}, {"id": "name", "title": "Name"}]',
      },
      bad: '{"!jq": "{email: «.person», name: .person.name}"}',
      good: '{"!jq": "{email: .person.email, name: .person.name}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [objectAsField],
  checks: {
    workflow({ node, maps }, report, model) {
      const [map, ...others] = maps;
      const side = map?.node.get("describe_source");
      const options = side?.kind === "object" ? side.get("options") : undefined;
      if (others.length > 0 || options?.kind !== "array") return;
      const pipeline = node.get("data_pipeline");
      const source = pipeline?.kind === "object" ? flowOf(model).plainAt(pipeline.get("source")) : undefined;
      const last = source?.key === "!pipe" ? source.children.at(-1) : source;
      if (last?.key !== "!jq" || last.program === undefined || last.program.diagnostics.length > 0) return;
      const ids = objectItems(options).flatMap((option) => {
        const id = option.get("id");
        const group = option.get("group");
        if (id?.kind !== "string" || (group !== undefined && group.kind !== "string")) return [];
        return [{ id: id.value, group: group?.value }];
      });
      for (const { field, way, path, members } of objectsIn(last, last.program, ids))
        report(
          objectAsField,
          { node: last.program.node, from: way.start, to: way.end },
          { field, path: `.${path}`, members },
        );
    },
  },
};
export default module;

interface ObjectField {
  readonly field: string;
  readonly way: Expression;
  readonly path: string;
  readonly members: readonly string[];
}

/** An option of the mapping. */
interface MappedField {
  readonly id: string;
  readonly group: string | undefined;
}

/** Fields that get the whole value at a path, of which the program reads members. */
function objectsIn(
  command: Command,
  program: JqProgram,
  fields: readonly MappedField[],
): readonly ObjectField[] {
  const object = finalObjectOf(program);
  const made = object === undefined ? undefined : literalMembers(object);
  if (object === undefined || made === undefined) return [];
  const paths = pathsRead(command, program);
  return fields.flatMap(({ id: field, group }): ObjectField[] => {
    const inGroup = group === undefined ? object : made.get(group);
    if (inGroup?.kind !== "Object") return [];
    const value = entryOf(inGroup, field)?.value;
    const ways = value === undefined ? [] : waysOf(value, program);
    const [way, ...others] = ways;
    // With a fallback, either may be meant.
    if (way === undefined || others.length > 0) return [];
    const own = paths.find(({ start, end }) => start === way.start && end === way.end);
    if (own === undefined) return [];
    const members = paths.flatMap(({ path }) =>
      path.startsWith(`${own.path}.`) ? [path.slice(own.path.length + 1).split(".")[0] as string] : [],
    );
    const plain = [...new Set(members)];
    return plain.length === 0 ? [] : [{ field, way, path: own.path, members: plain }];
  });
}

/** The object that a program makes, or the one branch of an `if` makes. */
function finalObjectOf(program: JqProgram): ReturnType<typeof finalObject> {
  const object = finalObject(program);
  const body = plainBody(program);
  if (object !== undefined || body.kind !== "If") return object;
  const bodies = [...body.branches.map((branch) => branch.body), body.otherwise];
  const objects = bodies.flatMap((body) => {
    const last = body?.kind === "Pipeline" ? body.stages.at(-1) : body;
    return last?.kind === "Object" ? [last] : [];
  });
  return objects.length === 1 ? objects[0] : undefined;
}

/** The constant paths that a program reads of its input, by `.` or by the number of the step that gave it. */
function pathsRead(
  command: Command,
  program: JqProgram,
): readonly { readonly path: string; readonly start: number; readonly end: number }[] {
  const direct = demandedPaths(program.tree).flatMap(({ segments, start, end }) =>
    segments.every(({ key }) => typeof key === "string")
      ? [{ path: segments.map(({ key }) => key).join("."), start, end }]
      : [],
  );
  const expanded = program.holes.flatMap(({ root, rootExact, syntax }) => {
    const [, index, ...path] = syntax.path.map(({ text }) => text);
    const isOwn = root === "piped_content" && rootExact && Number(index) === command.stepsRun;
    if (!isOwn || syntax.problem !== undefined || syntax.filters.length > 0 || path.length === 0) return [];
    return [{ path: path.join("."), start: syntax.start, end: syntax.end }];
  });
  return [...direct, ...expanded];
}
