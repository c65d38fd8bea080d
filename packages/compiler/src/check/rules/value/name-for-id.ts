import type { Command, Expansion, FieldSymbol } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName, isShownName, nameOfValue } from "../../../flow/id-names.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { isSame, optionsMadeIn, partOf } from "./made-options.ts";
import { memberWith } from "./other-role.ts";

const nameForId = defineRule<{ id: string; name: string; place: string }>({
  id: "value/name-for-id",
  severity: "warning",
  summary: "The value of an option is a name, and it goes where an id is wanted",
  why: "What a customer chooses comes back as the option's `value`. If that is the name that the option shows, the request asks for a record that has it as its id: it finds nothing, or is refused, for every customer.",
  guards: ["field.options", "field_option.value", "D12"],
  message: ({ id, name, place }) =>
    `The value of an option of \`${id}\` is its \`${name}\`, and goes to ${place}, where an id is wanted.`,
  because: ({ name, place }) => [
    `a customer chooses an option whose \`${name}\` is “Spring” and whose id is 7`,
    `${place} gets “Spring” instead of 7`,
  ],
  help: () => "Take the id as the `value`.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options",
      with: {
        "/workflows/0/data_pipeline/target":
          '{"!http": {"method": "POST", "path": "/subscribers", "body": {"email": "${piped_content.0.email}", "list_id": "${custom_data.list.value}"}}}',
      },
      bad: '{"!pipe": [{"!http": {"path": "/lists"}}, {"!jq": "[.lists[] | {display: .title, value: «.title»}]"}]}',
      good: '{"!pipe": [{"!http": {"path": "/lists"}}, {"!jq": "[.lists[] | {display: .title, value: .id}]"}]}',
    },
  ],
});

const nameInPath = defineRule<{ id: string; name: string }>({
  id: "value/name-in-path",
  severity: "hint",
  summary: "A path names a record by what its option shows, where others are named by their ids",
  why: "Lists of the same API give ids elsewhere in the app. If this one does too, the path with a name in it leads nowhere.",
  guards: ["field.options", "field_option.value", "D12", "D18"],
  message: ({ id, name }) =>
    `The value of an option of \`${id}\` is its \`${name}\`, and stands in a path below the list it is from; elsewhere options have ids.`,
  because: ({ name }) => [
    `a customer chooses an option whose \`${name}\` is “Spring” and whose id is 7`,
    "the path has “Spring” instead of 7",
  ],
  help: () => "Take the id as the `value`.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "Owner", "id": "owner", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/users"}}, {"!jq": "[.users[] | {display: .name, value: .id}]"}]}}',
        "/workflows/0/data_pipeline/target":
          '{"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": {"email": "${piped_content.0.email}", "owner": "${custom_data.owner.value}"}}}',
      },
      bad: '{"!pipe": [{"!http": {"path": "/lists"}}, {"!jq": "[.lists[] | {display: .title, value: «.title»}]"}]}',
      good: '{"!pipe": [{"!http": {"path": "/lists"}}, {"!jq": "[.lists[] | {display: .title, value: .id}]"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [nameForId, nameInPath],
  checks: {
    document(model, report) {
      for (const { field, id, name, at } of namesAsValues(model)) {
        const place = idPlaceOf(field, model);
        if (place !== undefined) report(nameForId, at, { id, name, place });
        else if (siblingsTakeIds(field, model) && isInPath(field, model))
          report(nameInPath, at, { id, name });
      }
    },
  },
};
export default module;

/** Fields whose options have for a value the name that they show. */
const namesAsValues = derivedByPart(({ workflows }, model) =>
  workflows
    .flatMap(({ fields }) => fields)
    .flatMap((field) => {
      const { id } = field;
      if (id === undefined) return [];
      return optionsOf(field, model).flatMap(({ program, value, display }) => {
        const name = nameOfValue(value);
        if (name === undefined || !isShownName(name) || !isSame(display, value, program)) return [];
        return [{ field, id, name, at: partOf(program, value) }];
      });
    }),
);

function optionsOf({ node }: FieldSymbol, model: Model) {
  return optionsMadeIn(node.get("options"), "value", "display", model).map(({ program, first, second }) => ({
    program,
    value: first,
    display: second,
  }));
}

/** Where the values of fields are used, found once for all of them. */
const usesOfValues = derived(({ expansions }): ReadonlyMap<FieldSymbol, readonly Expansion[]> => {
  const uses = new Map<FieldSymbol, Expansion[]>();
  for (const expansion of expansions) {
    if (expansion.syntax.path[2]?.text !== "value") continue;
    for (const field of expansion.fields) {
      const known = uses.get(field);
      if (known === undefined) uses.set(field, [expansion]);
      else known.push(expansion);
    }
  }
  return uses;
});

const usesOfValue = (field: FieldSymbol, model: Model): readonly Expansion[] =>
  usesOfValues(model).get(field) ?? [];

/** Where a field's value goes that is called an id. */
function idPlaceOf(field: FieldSymbol, model: Model): string | undefined {
  const isSend = (name: string | undefined): name is string =>
    name !== undefined && name !== "id" && isIdName(name);
  for (const expansion of usesOfValue(field, model)) {
    const member = memberWith(expansion);
    if (isSend(member)) return `\`${member}\``;
    const program = expansion.command?.program;
    if (program === undefined || !program.holes.includes(expansion)) continue;
    for (const object of nodesOfKind(program, "Object"))
      for (const { key, value } of object.entries) {
        const inner = value === undefined ? undefined : bare(value);
        const name = nameOf(key);
        if (inner?.kind === "Hole" && program.holes[inner.hole] === expansion && isSend(name))
          return `\`${name}\``;
      }
  }
  return undefined;
}

/** The fields whose options have ids for values. */
const fieldsWithIds = derived(
  (model): ReadonlySet<FieldSymbol> =>
    new Set(
      model.workflows
        .flatMap(({ fields }) => fields)
        .filter((field) => optionsOf(field, model).some(({ value }) => isIdName(nameOfValue(value) ?? ""))),
    ),
);

/** Whether other lists of the document are chosen from by id: then its API has ids. */
function siblingsTakeIds(field: FieldSymbol, model: Model): boolean {
  const others = fieldsWithIds(model);
  return others.size > (others.has(field) ? 1 : 0);
}

/** What APIs often know by its name alone. */
const namedByName =
  /(?:domain|tag|label|branch|repo|repositor|bucket|table|queue|topic|index|view|role|currenc|countr)\w*$/i;

/** Whether a path names one of the very records that a field's options list by its value: `/lists/ID` of `/lists`. */
function isInPath(field: FieldSymbol, model: Model): boolean {
  const listed = pathsIn(flowOf(model).commandAt(field.node.get("options")));
  return usesOfValue(field, model).some(
    ({ position, node, syntax }) =>
      position === "path" &&
      listed.some((path) => node.value.slice(0, syntax.start) === `${path}/` && !namedByName.test(path)),
  );
}

function pathsIn(command: Command | undefined): readonly string[] {
  const path = textOf(command?.argument, "path");
  const own = path === undefined ? [] : [path.replace(/\/$/, "")];
  return [...own, ...(command?.children ?? []).flatMap(pathsIn)];
}
