import type { Expression } from "@configc/jq";
import type { Command, Expansion, FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName, isIdsName, isShownName, nameOfValue } from "../../../flow/id-names.ts";
import { entryOf, nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesIn, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { waysOf } from "../../../flow/protocol/forms.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { graphqlArgument, graphqlVariable } from "../../../samples/graphql.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { isSame, optionsMadeIn } from "./made-options.ts";
import { memberWith } from "./other-role.ts";

const nameForId = defineRule<{ id: string; name: string; place: string; isSwapped: boolean }>({
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
  help: ({ isSwapped }) =>
    isSwapped ? "Swap it with `display`, which has the id." : "Take the id as the `value`.",
  fixes: ({ at, args: { isSwapped } }, { document, model }) => {
    const program = "from" in at ? model.programs.find(({ node }) => node === at.node) : undefined;
    if (!isSwapped || program === undefined || !("from" in at)) return [];
    const { node } = program;
    for (const object of nodesOfKind(program, "Object")) {
      const [display, value] = [entryOf(object, "display")?.value, entryOf(object, "value")?.value];
      if (display === undefined || value?.start !== at.from) continue;
      const text = ({ start, end }: Expression): string => node.value.slice(start, end);
      const edits = [
        replaceInString(document, node, display.start, display.end, text(value)),
        replaceInString(document, node, value.start, value.end, text(display)),
      ];
      return [{ title: "Swap `display` and `value`", safe: false, edits }];
    }
    return [];
  },
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
    {
      title: "The name of a person",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/1",
      with: {
        "/workflows/0/setup/select/form_fields/0/options":
          '{"!pipe": [{"!http": {"path": "/lists"}}, {"!jq": "[.lists[] | {display: .title, value: .id}]"}]}',
        "/workflows/0/data_pipeline/target":
          '{"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": {"email": "${piped_content.0.email}", "coach": "${custom_data.coach.value}"}}}',
      },
      bad: '{"label": "Coach", "id": "coach", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/coaches"}}, {"!jq": "[.coaches[] | {display: .full_name, value: «.full_name»}]"}]}}',
      good: '{"label": "Coach", "id": "coach", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/coaches"}}, {"!jq": "[.coaches[] | {display: .full_name, value: .code}]"}]}}',
    },
    {
      title: "Swapped with what is shown",
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options",
      with: {
        "/workflows/0/data_pipeline/target":
          '{"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": {"email": "${piped_content.0.email}"}}}',
      },
      bad: '{"!pipe": [{"!http": {"path": "/lists"}}, {"!jq": "[.lists[] | {display: .id, value: «(.title + \\", \\" + .language)»}]"}]}',
      good: '{"!pipe": [{"!http": {"path": "/lists"}}, {"!jq": "[.lists[] | {display: (.title + \\", \\" + .language), value: .id}]"}]}',
      fixed:
        '{"!pipe": [{"!http": {"path": "/lists"}}, {"!jq": "[.lists[] | {display: (.title + \\", \\" + .language), value: .id}]"}]}',
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
      for (const { field, id, name, isSwapped, isSure, at } of namesAsValues(model)) {
        const place =
          idPlaceOf(field, model) ??
          (isSwapped || isSure ? pathOf(field, model) : undefined) ??
          (isSure && siblingsTakeIds(field, model) ? sentBy(field, model) : undefined);
        if (place !== undefined) report(nameForId, at, { id, name, place, isSwapped });
        else if (!isSwapped && siblingsTakeIds(field, model) && isInPath(field, model))
          report(nameInPath, at, { id, name });
      }
    },
  },
};
export default module;

/** Fields whose options have for a value the name that they show, or should show. */
const namesAsValues = derivedByPart(({ workflows }, model) =>
  workflows
    .flatMap(({ fields }) => fields)
    .flatMap((field) => {
      const { id } = field;
      if (id === undefined) return [];
      return optionsOf(field, model).flatMap(({ program, value, display }) => {
        const at = partAt(program, value);
        const shown = isIdShown(display, field, model) ? shownIn(value) : undefined;
        if (shown !== undefined) return [{ field, id, name: shown, isSwapped: true, isSure: false, at }];
        const name = nameOfValue(value);
        // Whatever it is called: it isn't the id, which is shown beside it.
        const isIdBeside = isIdName(nameOfValue(display) ?? "") && name !== undefined && !isKey.test(name);
        if (isIdBeside && idPlaceOf(field, model) !== undefined)
          return [{ field, id, name, isSwapped: true, isSure: false, at }];
        if (name === undefined || !isShownName(name)) return [];
        const isKeyed = hasKeyBeside(display, value, program);
        if (!isKeyed && !isSame(display, value, program)) return [];
        return [{ field, id, name, isSwapped: false, isSure: isKeyed || isOfPerson(name, field, model), at }];
      });
    }),
);

/** Whether what is shown has a code of the record, too, beside what is taken as its value. */
function hasKeyBeside(display: Expression, value: Expression, program: JqProgram): boolean {
  const written = textAt(bare(value), program);
  const owner = written.replace(/\w+$/, "");
  const parts = nodesIn(display)
    .filter((each) => each.kind === "Postfix")
    .map((node) => textAt(node, program));
  return (
    parts.includes(written) &&
    ["id", "code", "key", "slug", "number"].some((key) => parts.includes(owner + key))
  );
}

/** Whether a name is a person's: two people may have the same, so no API knows them by it. */
function isOfPerson(name: string, field: FieldSymbol, model: Model): boolean {
  if (/^(?:full|real)_?name$/i.test(name)) return true;
  const lists = pathsIn(flowOf(model).commandAt(field.node.get("options")));
  return lists.some((path) =>
    /\b(?:users|people|persons|members|contacts|employees|agents|owners|staff)$/.test(path),
  );
}

/** A request that a field's value goes into, as it is or by way of a program. */
function sentBy(field: FieldSymbol, model: Model): string | undefined {
  const isSent = (expansion: Expansion): boolean => {
    if (memberWith(expansion) !== undefined) return true;
    const { command } = expansion;
    const { program } = command ?? {};
    const name = command?.place.name ?? "";
    if (program === undefined || !/^intake\.(?:request|create)$|\.target$/.test(name)) return false;
    return nodesOfKind(program, "Entry").some(
      ({ value }) =>
        value !== undefined &&
        nodesIn(value).some((each) => each.kind === "Hole" && program.holes[each.hole] === expansion),
    );
  };
  return usesOfValue(field, model).some(isSent) ? "a request" : undefined;
}

/** Names of what APIs may take instead of an id. */
const isKey =
  /(?:^|_)(?:u?u?id|guid|gid|code|key|slug|sku|handle|number|no|nr|ref|reference|token|hash|url|uri|href|iri|urn|arn|path|self|link|value|email)$|[a-z](?:Id|Uuid|Guid|Code|Key|Slug|Sku|Number|No|Ref|Token|Url|Uri|Value)$/;

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
    name !== undefined && name !== "id" && (isIdName(name) || isIdsName(name));
  for (const expansion of usesOfValue(field, model)) {
    const member = memberWith(expansion);
    if (isSend(member)) return `\`${member}\``;
    const ofQuery = idArgument(expansion);
    if (ofQuery !== undefined) return ofQuery;
    const program = expansion.command?.program;
    if (program === undefined || !program.holes.includes(expansion)) continue;
    for (const object of nodesOfKind(program, "Object"))
      for (const { key, value } of object.entries) {
        const inner = value === undefined ? undefined : bare(value);
        const name = nameOf(key);
        if (inner?.kind === "Hole" && program.holes[inner.hole] === expansion && isSend(name))
          return `\`${name}\``;
        if (name !== undefined && isIdsName(name) && mayBe(inner, expansion, program)) return `\`${name}\``;
      }
  }
  return undefined;
}

/** What a GraphQL query says of a variable: it declares an `ID`, or gives it to an argument that is called one. */
function idArgument(expansion: Expansion): string | undefined {
  const variable = graphqlVariable(expansion);
  if (variable === undefined) return undefined;
  const argument = graphqlArgument(expansion, variable);
  if (argument !== undefined && argument !== "id" && isIdName(argument)) return `\`${argument}\``;
  return variable.type === "ID" ? `\`$${variable.name}: ID\`` : undefined;
}

/** Whether a value is an expansion, or a list of it, on one of its ways. */
function mayBe(node: Expression | undefined, expansion: Expansion, program: JqProgram): boolean {
  if (node === undefined) return false;
  return waysOf(node, program).some((way) => {
    if (way.kind === "Array") return mayBe(way.body, expansion, program);
    return way.kind === "Hole" && program.holes[way.hole] === expansion;
  });
}

/** Where an id is shown, and what it should show goes to a place that wants the id. */
export function exchangedIn(
  display: Expression,
  value: Expression,
  field: FieldSymbol,
  model: Model,
): { readonly name: string; readonly place: string } | undefined {
  const own = nameOfValue(value);
  const isIdBeside = isIdName(nameOfValue(display) ?? "") && own !== undefined && !isKey.test(own);
  const name = isIdShown(display, field, model)
    ? (shownIn(value) ?? (isIdBeside ? own : undefined))
    : undefined;
  if (name !== undefined && name === own && !isShownName(name) && idPlaceOf(field, model) === undefined)
    return undefined;
  const place = name === undefined ? undefined : (idPlaceOf(field, model) ?? pathOf(field, model));
  return name === undefined || place === undefined ? undefined : { name, place };
}

/** Whether customers see what identifies a record: its `id`, or `.list` of what is listed at `/lists`. */
function isIdShown(display: Expression, field: FieldSymbol, model: Model): boolean {
  const name = nameOfValue(display);
  if (name === undefined || isIdName(name)) return name !== undefined;
  return pathsIn(flowOf(model).commandAt(field.node.get("options"))).some(
    (path) => singular(path.split("/").at(-1) ?? "") === name,
  );
}

/** The name that a value is, or is put together with. */
function shownIn(value: Expression): string | undefined {
  const name = nameOfValue(value);
  if (name !== undefined) return isShownName(name) ? name : undefined;
  const node = bare(value);
  if (node.kind !== "Arithmetic" && node.kind !== "String") return undefined;
  return nodesIn(node)
    .map((each) => (each.kind === "Postfix" ? nameOfValue(each) : undefined))
    .find((each) => each !== undefined && isShownName(each));
}

/** A path of which the field's value is a segment. */
function pathOf(field: FieldSymbol, model: Model): string | undefined {
  const isSegment = ({ position, node, syntax }: Expansion): boolean =>
    position === "path" &&
    node.value.charAt(syntax.start - 1) === "/" &&
    /^(?:[/?]|$)/.test(node.value.slice(syntax.end));
  return usesOfValue(field, model).some(isSegment) ? "a path" : undefined;
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
