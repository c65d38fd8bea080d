import { type Expression, type Type, types } from "@configc/jq";
import { groupBy } from "@configc/jq/internal";
import type { Command, JqProgram, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { type Course, coursesOf, given } from "../../../flow/machine/pipeline.ts";
import type { RecordValue, Value } from "../../../flow/machine/value.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { writtenAs } from "../../../flow/protocol/forms.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import { objectItems, textOf, toJson } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";
import { excerpt } from "../../message-text.ts";
import { pipelineCommand } from "./courses.ts";

const unmappedField = defineRule<{ field: string; isProgram: boolean }>({
  id: "pipeline/unmapped-field",
  severity: "warning",
  summary: "A target field that needn't be mapped is read without `| default`",
  why: "Customers must map `required` target fields and may leave out others. An unmapped field is missing from the input of `target`, so reading it without a default fails, for every record of these customers.",
  guards: ["option.required", "data_pipeline.target", "expansion.default", "D9", "D37"],
  message: ({ field, isProgram }) =>
    isProgram
      ? `Where a customer maps only the required fields, \`${field}\` gets null, and fails.`
      : `Customers needn't map \`${field}\`; where they don't, there is no such value, and reading it fails.`,
  because: ({ field, isProgram }) => [
    isProgram
      ? "a customer maps the required fields only"
      : `a customer maps the required fields, and not \`${field}\``,
    "the first record already fails here",
  ],
  help: ({ isProgram }) =>
    isProgram
      ? "Take another way where it is null, or make the field `required` in `describe_target`."
      : "Add `| default`, or make the field `required` in `describe_target`.",
  examples: [
    {
      title: "D37",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/map/describe_target/options":
          '[{"title": "Email", "id": "email", "required": true}, {"title": "Town", "id": "town"}]',
      },
      bad: '{"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"email": "${piped_content.0.email}", "town": "«${piped_content.0.town}»"}}}',
      good: '{"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"email": "${piped_content.0.email}", "town": "${piped_content.0.town | default}"}}}',
    },
    {
      title: "D37: in a program",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/map/describe_target/options":
          '[{"title": "Email", "id": "email", "required": true}, {"title": "Town", "id": "town"}]',
      },
      bad: '{"!pipe": [{"!jq": "{email: .email, town: (.town | «ascii_upcase»)}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, town: (.town // \\"\\" | ascii_upcase)}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": "${piped_content.1}"}}]}',
    },
  ],
});

const refusesUnmapped = defineRule<{ field: string }>({
  id: "pipeline/refuses-unmapped",
  severity: "warning",
  summary: "A pipeline refuses every record without a field that needn't be mapped",
  why: "Customers must map `required` target fields and may leave out others. Where the pipeline ends with an error for want of a value, whoever doesn't map it can finish the setup, and then every record fails.",
  guards: ["option.required", "data_pipeline.target", "D37"],
  message: ({ field }) =>
    `Customers needn't map \`${field}\`; where they don't, \`target\` ends with an error for every record.`,
  because: ({ field }) => [
    `a customer maps the required fields, and not \`${field}\``,
    "each record ends with the app's own error",
  ],
  help: () => "Make the field `required`, or go on without it.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/map/describe_target/options",
      with: {
        "/workflows/0/data_pipeline/target":
          '{"!pipe": [{"!switch": {"jq": "if (.email // \\"\\") == \\"\\" then 0 else 1 end", "cases": [{"!error": "The contact has no email address."}, {"!jq": "."}]}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": "${piped_content.1}"}}]}',
      },
      bad: '[«{"title": "Email", "id": "email"}», {"title": "Name", "id": "name"}]',
      good: '[{"title": "Email", "id": "email", "required": true}, {"title": "Name", "id": "name"}]',
    },
  ],
});

const nullInText = defineRule<{ field: string; instead: string }>({
  id: "pipeline/null-in-text",
  severity: "warning",
  summary: "A text has the word “null” where a field isn't mapped",
  why: 'Customers must map `required` target fields and may leave out others. A field that isn\'t mapped is null in a program, and in a text jq writes null as the word: `"\\(.first_name) \\(.last_name)"` becomes “null Smith”, and that is what the other service shows.',
  guards: ["option.required", "data_pipeline.target", "D37"],
  message: ({ field }) =>
    `Customers needn't map \`${field}\`; where they don't, this text has the word “null” in its place.`,
  because: ({ field }) => [
    `a customer maps the required fields, and not \`${field}\``,
    "jq writes null as “null” in a text",
  ],
  help: ({ instead }) =>
    `Write \`${instead}\`, or join only the parts that are there, by \`map(select(. != null)) | join(" ")\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/map/describe_target/options":
          '[{"title": "Email", "id": "email", "required": true}, {"title": "Town", "id": "town"}]',
      },
      bad: '{"!pipe": [{"!jq": "{email: .email, note: \\"Lives in \\\\(«.town»)\\"}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, note: \\"Lives in \\\\(.town // \\"\\")\\"}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": "${piped_content.1}"}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{email: .email, note: \\"Lives in \\\\(.town // \\"\\")\\"}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": "${piped_content.1}"}}]}',
    },
  ],
  fixes: (finding, { document }) => rewriteTo(finding, document),
});

const module: RuleModule = {
  rules: [unmappedField, refusesUnmapped, nullInText],
  checks: {
    workflow(workflow, report, model) {
      const target = pipelineCommand(workflow, "target", model);
      const offered = workflow.direction === "outbound" ? offeredBy(workflow, model) : undefined;
      const input = offered === undefined ? undefined : barest(offered);
      if (target === undefined || offered === undefined || input === undefined) return;
      let names: Set<string | undefined> | undefined;
      const isOffered = (name: string): boolean => {
        names ??= new Set(offered.fields.flatMap(({ id, group }) => [id, group]));
        return names.has(name);
      };
      const told = new Set<unknown>();
      const courses = coursesOf(target, workflow, model, { input });
      for (const { missing } of courses)
        for (const { node, root, syntax } of missing) {
          const at = { node, from: syntax.start, to: syntax.end };
          const key = `${node.start} ${syntax.start}`;
          const name = syntax.path.at(-1)?.text ?? "";
          // What nobody offers is misspelled, and told as that.
          if (root !== "piped_content" || told.has(key) || !isOffered(name)) continue;
          told.add(key);
          report(unmappedField, at, { field: name, isProgram: false });
        }
      if (told.size > 0) return;
      tellNulls(courses, isOffered, report);
      if (courses.every(({ isRefused }) => isRefused))
        return tellRefused(workflow, target, offered, report, model);
      if (courses.every(({ failures }) => failures.length === 0)) return;
      for (const { failures } of coursesOf(target, workflow, model, { input: given }))
        for (const { node } of failures) told.add(node);
      const failure = courses
        .flatMap(({ failures }) => failures[0] ?? [])
        .find(({ node }) => !told.has(node));
      if (failure === undefined) return;
      const { program, node } = failure;
      const at = { node: program.node, from: node.start, to: node.end };
      report(unmappedField, at, { field: excerpt(writtenAs(node, program)), isProgram: true });
    },
  },
};
export default module;

/** Tells of the fields that are null in a text which is sent, with what jq makes of that. */
function tellNulls(courses: readonly Course[], isOffered: (name: string) => boolean, report: Report): void {
  const told = new Set<Expression>();
  for (const { node, program } of courses.flatMap(({ nullsInTexts }) => nullsInTexts)) {
    const read = bare(node);
    const last = read.kind === "Postfix" ? read.suffixes.at(-1) : undefined;
    const name = last?.kind === "Field" && last.key.kind === "Name" ? last.key.text : undefined;
    if (name === undefined || told.has(node) || !isOffered(name) || !isForPeople(node, program)) continue;
    told.add(node);
    report(
      nullInText,
      { node: program.node, from: node.start, to: node.end },
      { field: excerpt(name), instead: `${writtenAs(node, program)} // ""` },
    );
  }
}

/** Keys and hashes may have any word in them, and whoever writes "null" knows of it. */
function isForPeople({ start, end }: Expression, program: JqProgram): boolean {
  if (/"null"|\bnull(?: |\\b)?"|"[^"\\]*\bnull\b/.test(program.node.value)) return false;
  return nodesOfKind(program, "Object").every(({ entries }) =>
    entries.every(
      ({ key, value }) =>
        value === undefined ||
        value.start > start ||
        value.end < end ||
        !/key|hash|ref|dedup|idempot|nonce|sign|log|id$/i.test(nameOf(key) ?? ""),
    ),
  );
}

/** So many fields are tried. */
const TRIED = 20;

/** Tells of the field alone without which every record is refused, while all are taken with it. */
function tellRefused(
  workflow: WorkflowSymbol,
  target: Command,
  offered: Read,
  report: Report,
  model: Model,
): void {
  const goesOn = (input: Value): boolean =>
    coursesOf(target, workflow, model, { input }).some(({ isRefused }) => !isRefused);
  const optional = offered.fields.filter(({ required }) => !required);
  if (optional.length === 0 || optional.length > TRIED || !goesOn(given)) return;
  for (const field of optional) {
    const input = barest({
      ...offered,
      fields: offered.fields.map((each) => (each === field ? { ...each, required: true } : each)),
    });
    if (field.node === undefined || input === undefined || !goesOn(input)) continue;
    report(refusesUnmapped, field.node, { field: field.id });
    return;
  }
}

/** What customers can map to; undefined where that isn't known. */
export function offeredBy({ maps }: WorkflowSymbol, model: Model): Read | undefined {
  const [map, ...others] = maps;
  const describe = map?.node.get("describe_target");
  const options = describe?.kind === "object" ? describe.get("options") : undefined;
  if (options === undefined || others.length > 0) return undefined;
  return options.kind === "array" ? listed(options) : made(options, model);
}

/** What `target` gets of somebody who maps only what is required; undefined where groups and fields without one are mixed. */
const barest = (read: Read): RecordValue | undefined =>
  mappedTo(read, ({ id, required }) => (required ? { ...given, path: [id] } : undefined));

/** What `target` gets of a contact with these values, without those that aren't there. */
export function mappedTo(
  { fields, isAll }: Read,
  valued: (field: Offered) => Value | undefined,
): RecordValue | undefined {
  const groups = groupBy(fields, ({ group }) => group);
  if (groups.size > 1 && groups.has(undefined)) return undefined;
  const flat = groups.get(undefined);
  if (flat !== undefined) return recordOf(flat, isAll, valued);
  const members = [...groups].flatMap(([group, own]): [string, Value][] =>
    own.some((field) => valued(field) !== undefined) ? [[group ?? "", recordOf(own, isAll, valued)]] : [],
  );
  return { kind: "record", members: new Map(members), open: !isAll };
}

function recordOf(
  fields: readonly Offered[],
  isAll: boolean,
  valued: (field: Offered) => Value | undefined,
): RecordValue {
  const members = new Map<string, Value>();
  for (const field of fields) {
    const value = valued(field);
    if (value !== undefined) members.set(field.id, value);
  }
  const absent = new Set<string>();
  for (const { id } of fields) if (!members.has(id)) absent.add(id);
  return { kind: "record", members, open: !isAll, absent };
}

export interface Offered {
  readonly id: string;
  readonly group: string | undefined;
  readonly required: boolean;
  readonly node?: JsonNode;
}

interface Read {
  readonly fields: readonly Offered[];
  /** Whether there are no others. */
  readonly isAll: boolean;
}

function listed(options: JsonNode): Read | undefined {
  if (options.kind !== "array") return undefined;
  const fields = objectItems(options).flatMap((option): Offered[] => {
    const id = option.get("id");
    if (id?.kind !== "string" && id?.kind !== "number") return [];
    const required = option.get("required");
    const isRequired = required !== undefined && toJson(required) !== false;
    return [{ id: `${id.value}`, group: textOf(option, "group"), required: isRequired, node: option }];
  });
  return { fields, isAll: fields.length === options.items.length && fields.length > 0 };
}

/** Of options that a command gives, those whose ids are written in it. */
function made(options: JsonNode, model: Model): Read | undefined {
  const lists = types.partsOf(flowOf(model).output(flowOf(model).plainAt(options)));
  const fields: Offered[] = [];
  for (const list of lists) {
    if (list.kind !== "array") return undefined;
    for (const item of types.partsOf(list.items)) {
      if (item.kind !== "object" || item.rest !== undefined || item.members.has("group")) return undefined;
      const id = item.members.get("id")?.type;
      if (id?.kind !== "string" || id.value === undefined) continue;
      fields.push({
        id: id.value,
        group: undefined,
        required: mayBeTrue(item.members.get("required")?.type),
      });
    }
  }
  return fields.length === 0 ? undefined : { fields, isAll: false };
}

function mayBeTrue(type: Type | undefined): boolean {
  return (
    type !== undefined &&
    types
      .partsOf(type)
      .some((part) => part.kind !== "null" && !(part.kind === "boolean" && part.value === false))
  );
}
