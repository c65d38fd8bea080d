import type { Expression } from "@configc/jq";
import { groupBy } from "@configc/jq/internal";
import type {
  Command,
  Expansion,
  FieldSymbol,
  JqProgram,
  WorkflowSymbol,
} from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { chosenComparisons } from "../../../flow/chosen-comparisons.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName, isShownName, nameOfValue } from "../../../flow/id-names.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { nounOf, nounOfId, singular } from "../../../flow/nouns.ts";
import { listBefore } from "../../../flow/path-lists.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { type ObjectNode, textOf, toJson } from "../../../parse/syntax-tree.ts";
import { derivedByPart, ofPart } from "../../by-part.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { unemptied } from "../value/id-places.ts";
import { nameBefore, optionsMadeIn } from "../value/made-options.ts";
import { memberWith } from "../value/other-role.ts";

const area = (id: string, value: string): string =>
  `{"label": "Area", "id": "${id}", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/areas"}}, {"!jq": "[.areas[] | {display: .name, value: ${value}}]"}]}}`;
const teams =
  '{"label": "Team", "id": "team", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/areas/${custom_data.area.value}/teams"}}, {"!jq": "[.teams[] | {display: .title, value: .id}]"}]}}';
const shops =
  '{"label": "Shop", "id": "shop", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/areas/${custom_data.other-area.value}/shops"}}, {"!jq": "[.shops[] | {display: .title, value: .id}]"}]}}';
const body =
  '{"!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "team": "${custom_data.team.value}", "shop": "${custom_data.shop.value}"}}}';

const otherOptionValue = defineRule<{
  value: string;
  other: string;
  id: string;
  place: string;
  isCompared: boolean;
}>({
  id: "setup/other-option-value",
  severity: "warning",
  summary: "Two fields offer the same list and go to the same place, but keep different members",
  why: "The API knows a record by one member, such as its code. The field that keeps another one finds nothing.",
  guards: ["field.options", "field_option.value", "D12"],
  message: ({ value, other, id, place, isCompared }) =>
    `This keeps \`${value}\`, and the field \`${id}\` keeps \`${other}\` of the same records. ${isCompared ? `It is compared with ${place}` : `Both are sent as ${place}`}.`,
  because: ({ value, other, place, isCompared }) => [
    isCompared
      ? `${place} has the \`${other}\` of a record, by its name`
      : `one request has \`${other}\` as ${place}`,
    isCompared
      ? `it never equals the \`${value}\` that was chosen`
      : `the other one has \`${value}\` there, of the same records`,
  ],
  help: ({ other }) => `Write \`value: ${other}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields",
      with: { "/workflows/0/data_pipeline/target": body },
      bad: `[${area("area", ".code")}, ${area("other-area", "«.name»")}, ${teams}, ${shops}]`,
      good: `[${area("area", ".code")}, ${area("other-area", ".code")}, ${teams}, ${shops}]`,
    },
  ],
});

const module: RuleModule = {
  rules: [otherOptionValue],
  checks: {
    document(model, report) {
      for (const list of offered(model).values()) {
        if (list.length < 2) continue;
        const known = new Map<string, Offered>();
        // `/audiences/` and `audience_id` want the same of an audience.
        const keptById = new Map<string, Offered>();
        // Those that keep what people read come last: they are told.
        const inOrder = [
          ...list.filter(({ name }) => !isShownName(name)),
          ...list.filter(({ name }) => isShownName(name)),
        ];
        for (const one of inOrder) {
          const kept = isShownName(one.name) ? comparedWithKept(one, list) : undefined;
          if (kept !== undefined) {
            tell(report, one, kept.other, kept.member, true);
            continue;
          }
          for (const place of one.places) {
            const kind = kindWanted(place);
            if (kind !== undefined && isIdName(one.name) && !keptById.has(kind)) keptById.set(kind, one);
            const byId = kind !== undefined && isShownName(one.name) ? keptById.get(kind) : undefined;
            const other = known.get(place) ?? byId;
            if (other === undefined) known.set(place, one);
            else if (
              other.name !== one.name &&
              (isOfPath(place) || isShownName(one.name) !== isShownName(other.name))
            ) {
              tell(report, one, other, place, false);
              break;
            }
          }
        }
      }
    },
  },
};
export default module;

function tell(report: Report, one: Offered, other: Offered, place: string, isCompared: boolean): void {
  const at = partAt(one.program, one.value);
  const related = [{ message: "the same list", at: partAt(other.program, other.value) }];
  const id = other.field.id ?? "";
  const args = { value: one.written, other: other.written, id, place, isCompared };
  report(otherOptionValue, at, args, related);
}

/** Of what kind of record a place wants an id: a member that is called one, or a list in a path. */
function kindWanted(place: string): string | undefined {
  const name = place.replaceAll("`", "");
  return name.startsWith("/") ? nounOf(singular(name.replaceAll("/", ""))) : nounOfId(name);
}

/** What a name is compared with that has what another field keeps of the same records: `to_uic`, where that keeps `uic`. */
function comparedWithKept({ compared }: Offered, list: readonly Offered[]) {
  for (const member of compared)
    for (const other of list)
      if (!isShownName(other.name) && !isIdName(other.name) && wordsOf(member).at(-1) === other.name)
        return { other, member: `\`${member}\`` };
  return undefined;
}

/** Other services may take another member under the same name; of one service's paths they don't. */
const isOfPath = (place: string): boolean => place.startsWith("`/");

export interface Offered {
  readonly request: () => string;
  /** Its path, as it is written. */
  readonly path: string | undefined;
  readonly field: FieldSymbol;
  readonly program: JqProgram;
  readonly value: Expression;
  /** The member that is kept, and how that is written. */
  readonly name: string;
  readonly written: string;
  /** Where requests have what was chosen, by what stands there. */
  readonly places: ReadonlySet<string>;
  /** The members that programs compare it with. */
  readonly compared: ReadonlySet<string>;
}

/** The fields whose options are made of what a request gives, by that request. */
function offered(model: Model): ReadonlyMap<string, readonly Offered[]> {
  const all = offeredFields(model);
  const paths = groupBy(all, ({ path }) => path);
  // Most requests are made for one field alone.
  const shared = all.filter(({ path }) => paths.get(path)!.length > 1);
  return groupBy(shared, ({ request }) => request());
}

function fieldsOffered({ workflows }: Part, model: Model): readonly Offered[] {
  return workflows.flatMap((workflow) => {
    const places = placesOf(workflow, model);
    const compared = comparedIn(workflow, model);
    return workflow.fields.flatMap((field) =>
      offeredBy(field, places.get(field), compared.get(field) ?? nothing, model),
    );
  });
}

const offeredFields = derivedByPart(fieldsOffered, "linked");

/** Those of one part. */
export const offeredIn = (part: Part, model: Model): readonly Offered[] =>
  ofPart(part, model, fieldsOffered, () => fieldsOffered(part, model), undefined, "linked");

function offeredBy(
  field: FieldSymbol,
  places: ReadonlySet<string> | undefined,
  compared: ReadonlySet<string>,
  model: Model,
): readonly Offered[] {
  const isUsed = places !== undefined || compared.size > 0;
  const options = isUsed ? field.node.get("options") : undefined;
  const [made, ...others] = optionsMadeIn(options, "display", "value", model);
  const request = requestIn(flowOf(model).plainAt(options));
  if (made === undefined || others.length > 0 || request === undefined) return [];
  const name = nameBefore(keptName(made.second), options, model);
  if (name === undefined) return [];
  const { program, second: value } = made;
  const { text, path } = request;
  const written = textAt(value, program);
  return [{ request: text, path, field, program, value, name, written, places: places ?? nothing, compared }];
}

/** Of a text that is nothing but a member, too. */
function keptName(node: Expression): string | undefined {
  const inner = bare(node);
  const [part, ...others] = inner.kind === "String" && inner.format === undefined ? inner.parts : [];
  return part !== undefined && part.kind !== "StringText" && others.length === 0
    ? nameOfValue(part.expression)
    : nameOfValue(inner);
}

/** The one request that a command makes, as it is written, and its path. */
function requestIn(
  command: Command | undefined,
): { readonly text: () => string; readonly path: string | undefined } | undefined {
  const requests = (command?.children ?? []).filter((each) => each?.key === "!http");
  const argument = requests.length === 1 ? requests[0]?.argument : undefined;
  if (argument?.kind !== "object" || command?.key !== "!pipe") return undefined;
  let text: string | undefined;
  return { text: () => (text ??= textOfRequest(argument)), path: textOf(argument, "path") };
}

function textOfRequest(argument: ObjectNode): string {
  const method = (textOf(argument, "method") ?? "GET").toUpperCase();
  // A filter makes a list shorter; its records stay of one kind.
  const parts = ["path", "url", "body", ...(method === "GET" ? [] : ["params"])].map((name) => {
    const node = argument.get(name);
    return node === undefined ? null : toJson(node);
  });
  return JSON.stringify([method, ...parts]);
}

const nothing: ReadonlySet<string> = new Set();

/** The members that a workflow's programs compare with what was chosen in its fields. */
function comparedIn(workflow: WorkflowSymbol, model: Model): ReadonlyMap<FieldSymbol, ReadonlySet<string>> {
  const found = new Map<FieldSymbol, Set<string>>();
  for (const program of partOfUnit(workflow, model).programs) {
    if (program.holes.length === 0 || program.diagnostics.length > 0) continue;
    for (const { chosen, name } of chosenComparisons(program))
      for (const field of chosen.fields) found.set(field, (found.get(field) ?? new Set<string>()).add(name));
  }
  return found;
}

/** Where the workflow and its intakes have what was chosen in its fields. */
function placesOf(workflow: WorkflowSymbol, model: Model): ReadonlyMap<FieldSymbol, ReadonlySet<string>> {
  const units = [workflow.intake?.target, workflow.historicalIntake?.target, workflow];
  const parts = new Set(units.flatMap((unit) => (unit === undefined ? [] : partOfUnit(unit, model))));
  const found = new Map<FieldSymbol, Set<string>>();
  const add = (field: FieldSymbol, place: string): void => {
    const own = found.get(field) ?? new Set<string>();
    found.set(field, own.add(place));
  };
  for (const { expansions, programs } of parts) {
    for (const expansion of expansions) {
      const place = isValue(expansion) ? placeOf(expansion) : undefined;
      if (place !== undefined) for (const field of expansion.fields) add(field, place);
    }
    for (const program of programs) for (const [field, name] of membersGiven(program)) add(field, name);
  }
  return found;
}

/** Fields whose value a program gives a member, by that. */
function membersGiven(program: JqProgram): readonly (readonly [FieldSymbol, string])[] {
  if (!program.holes.some(({ root }) => root === "custom_data")) return [];
  return nodesOfKind(program, "Entry").flatMap(({ key, value }) => {
    const inner = value === undefined ? undefined : unemptied(value);
    const hole = inner?.kind === "Hole" ? program.holes[inner.hole] : undefined;
    const name = nameOf(key);
    if (hole === undefined || name === undefined || anything.test(name) || !isValue(hole)) return [];
    return hole.fields.map((field) => [field, `\`${name}\``] as const);
  });
}

const isValue = ({ root, fieldExact, syntax }: Expansion): boolean =>
  root === "custom_data" && fieldExact && syntax.path[2]?.text === "value";

/** What stands before a value in a path, or the member that has it. */
function placeOf(expansion: Expansion): string | undefined {
  const { node, position, syntax } = expansion;
  if (position === "path") {
    const before = listBefore(expansion);
    if (before !== undefined) return `\`/${before}/\``;
    const param = /[?&]([\w-]+)=$/.exec(node.value.slice(0, syntax.start))?.[1];
    return param === undefined || anything.test(param) ? undefined : `\`${param}\``;
  }
  const member = memberWith(expansion);
  return member === undefined || anything.test(member) ? undefined : `\`${member}\``;
}

/** Members whose names don't say what is in them. */
const anything =
  /^(?:id|ids|name|value|values|key|type|data|title|text|q|query|filter|search|input|note|message|tag|tags|label)$/i;
