import { demandedPaths, type Expression, type Postfix } from "@configc/jq";
import { escapedPattern } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedAt } from "../../../flow/documented-records.ts";
import { flowOf } from "../../../flow/flow.ts";
import { entryOf, finalObject, literalMembers } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { waysOf } from "../../../flow/protocol/forms.ts";
import { objectItems, toJson } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { allIn } from "../workflow/commands.ts";

type ObjectExpression = Extract<Expression, { kind: "Object" }>;

/** Where its members are seen. */
type Evidence = "read" | "shown" | "elsewhere";

const objectAsField = defineRule<{
  field: string;
  path: string;
  members: readonly string[];
  evidence: Evidence;
}>({
  id: "mapping/object-as-field",
  severity: "warning",
  summary: "A mapped field gets a whole object, although the same program reads its members elsewhere",
  why: "A field that customers map is a single value: a string, a number, a date. A path that ends one step too early gives the object around it, so the contact gets something unreadable or the record is refused.",
  guards: ["data_pipeline.source", "option.id", "D37"],
  message: ({ field, path, members, evidence }) =>
    `\`${field}\` gets the whole object \`${path}\`. ${where[evidence]} its ${members.length === 1 ? "member" : "members"} ${allNames(members)}.`,
  because: ({ path, members, evidence }) => [
    `\`${path}.${members[0]}\` is ${evidence === "shown" ? "shown by a comment" : evidence === "read" ? "read here" : "read elsewhere"}, so \`${path}\` is an object`,
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
    {
      title: "D37: what a comment shows",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/map/describe_source/options":
          '[{"id": "email", "title": "Email"}, {"id": "coach", "title": "Coach"}]',
        "/data_intake/0/_comment": '"A player: {email, coach: {id, name}}."',
      },
      bad: '{"!jq": ". as $p | {email: $p.email, coach: «$p.coach»}"}',
      good: '{"!jq": ". as $p | {email: $p.email, coach: $p.coach.name}"}',
    },
  ],
});

const where: Readonly<Record<Evidence, string>> = {
  read: "Elsewhere this program reads",
  shown: "A comment shows",
  elsewhere: "Another program reads",
};

const module: RuleModule = {
  rules: [objectAsField],
  checks: {
    reach: "document",
    workflow({ node, maps }, report, model) {
      const [map, ...others] = maps;
      const side = map?.node.get("describe_source");
      const options = side?.kind === "object" ? side.get("options") : undefined;
      if (others.length > 0 || options?.kind !== "array") return;
      const pipeline = node.get("data_pipeline");
      const source = pipeline?.kind === "object" ? flowOf(model).plainAt(pipeline.get("source")) : undefined;
      const last = source?.key === "!pipe" ? source.children.at(-1) : source;
      const ids = objectItems(options).flatMap((option) => {
        const id = option.get("id");
        const group = option.get("group");
        if (id?.kind !== "string" || (group !== undefined && group.kind !== "string")) return [];
        return [{ id: id.value, group: group?.value }];
      });
      const told = new Set<Expression>();
      const tell = (program: JqProgram, { field, way, path, members, evidence }: ObjectField): void => {
        if (told.has(way)) return;
        told.add(way);
        report(
          objectAsField,
          { node: program.node, from: way.start, to: way.end },
          { field, path, members, evidence },
        );
      };
      if (last?.key === "!jq" && last.program !== undefined && last.program.diagnostics.length === 0)
        for (const each of objectsIn(last, last.program, ids)) tell(last.program, each);
      for (const { program } of source === undefined ? [] : (allIn(source) ?? []))
        if (program !== undefined && program.diagnostics.length === 0)
          for (const each of objectsBehind(program, ids, model)) tell(program, each);
    },
  },
};
export default module;

interface ObjectField {
  readonly field: string;
  readonly way: Expression;
  readonly path: string;
  readonly members: readonly string[];
  readonly evidence: Evidence;
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
    return plain.length === 0 ? [] : [{ field, way, path: `.${own.path}`, members: plain, evidence: "read" }];
  });
}

/** So many of the mapped fields make an object the record. */
const FEW = 3;

/** Fields of the record that a program makes, also in a branch or for a later step, that are objects by a comment, or by what else is read. */
function objectsBehind(
  program: JqProgram,
  fields: readonly MappedField[],
  model: Model,
): readonly ObjectField[] {
  const plain = fields.filter(({ group }) => group === undefined).map(({ id }) => id);
  const record = nodesOfKind(program, "Object").find(
    (each) => plain.filter((id) => entryOf(each, id) !== undefined).length >= Math.min(FEW, plain.length),
  );
  if (record === undefined || plain.length < 2) return [];
  return plain.flatMap((field): ObjectField[] => {
    const given = entryOf(record, field)?.value;
    const way = given === undefined ? undefined : bare(given);
    const last = way?.kind === "Postfix" ? way.suffixes.at(-1) : undefined;
    if (way?.kind !== "Postfix" || last?.kind !== "Field" || last.key.kind !== "Name") return [];
    // A later step may still take a member of it.
    if (isReadLater(field, program)) return [];
    const path = textAt(way, program);
    const found =
      membersRead(way, path, program) ?? membersKnown(last.key.text, path, record, program, model);
    return found === undefined ? [] : [{ field, way, path, ...found }];
  });
}

type Found = Pick<ObjectField, "members" | "evidence">;

/** `$c.coach.name`, of the same variable. */
function membersRead({ head }: Postfix, path: string, program: JqProgram): Found | undefined {
  const source = head.kind === "Variable" ? boundTo(program, head) : undefined;
  if (source === undefined) return undefined;
  const members = nodesOfKind(program, "Postfix").flatMap((each) => {
    const text = textAt(each, program);
    const isSame = each.head.kind === "Variable" && boundTo(program, each.head) === source;
    const member = isSame && text.startsWith(`${path}.`) ? /^\w+/.exec(text.slice(path.length + 1)) : null;
    return member === null ? [] : [member[0]];
  });
  return members.length === 0 ? undefined : { members: [...new Set(members)], evidence: "read" };
}

/** What a comment shows below a name, or another program reads below it, where a field beside it takes its own record's name. */
function membersKnown(
  name: string,
  path: string,
  record: ObjectExpression,
  program: JqProgram,
  model: Model,
): Found | undefined {
  const shown = documentedAt(program.command, model).get(name) ?? [];
  const members = shown[0]?.members?.map((each) => each.name) ?? [];
  if (shown.length > 0)
    return members.length > 0 && shown.every(({ kind }) => kind === "object")
      ? { members, evidence: "shown" }
      : undefined;
  const around = path.slice(0, path.length - name.length);
  const beside = new RegExp(
    `^${escapedPattern(around)}(?!${escapedPattern(name)}\\.)\\w+\\.(name|title|label)$`,
  );
  const label = record.entries
    .map(({ value }) => (value === undefined ? null : beside.exec(textAt(value, program))))
    .find((match) => match !== null)?.[1];
  if (label === undefined) return undefined;
  const read = new RegExp(`[.\\s(]${escapedPattern(name)}\\.${label}\\b`);
  return model.programs.some((other) => other !== program && read.test(other.node.value))
    ? { members: [label], evidence: "elsewhere" }
    : undefined;
}

/** Whether a later step of the source reads a member of what a program makes under a name, or whatever it is. */
function isReadLater(field: string, { command }: JqProgram): boolean {
  const later = command.pipe?.children.slice(command.stepsRun + 1) ?? [];
  const read = new RegExp(`\\b${escapedPattern(field)}\\b`);
  return later.some((step) => step !== undefined && read.test(JSON.stringify(toJson(step.node))));
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
