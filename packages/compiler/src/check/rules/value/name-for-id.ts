import type { Expression } from "@configc/jq";
import { escapedPattern } from "@configc/jq/internal";
import type { FieldSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentOnShown, commentsOnTwoKeys } from "../../../flow/documented-keys.ts";
import { commentsAround, hasComments } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName, isShownName, nameOfValue } from "../../../flow/id-names.ts";
import { entryOf } from "../../../flow/literal-object.ts";
import { bare, nodesIn, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { listBefore } from "../../../flow/path-lists.ts";
import { saysOf } from "../../../flow/said/of-name.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { idPlaceOf, pathOf, routedBy, sentBy, usesOfValue } from "./id-places.ts";
import { isSame } from "./made-options.ts";
import {
  hasKeyBeside,
  isNamedById,
  isOfPerson,
  isShownWithin,
  optionsOf,
  pathsIn,
  saysId,
  siblingsInPaths,
  siblingsTakeIds,
} from "./option-ids.ts";

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
      for (const found of namesAsValues(model)) {
        const { field, id, name, isSwapped, isSure, at } = found;
        // Another name than the one that is shown may be a key, but not where lists have ids and one is sent.
        if ("isOther" in found) {
          const wanted = siblingsTakeIds(field, model) ? idPlaceOf(field, model) : undefined;
          if (wanted !== undefined && !isSaidName(name, wanted, field, model))
            report(nameForId, at, { id, name, place: wanted, isSwapped });
          continue;
        }
        const place =
          idPlaceOf(field, model) ??
          routedBy(field, model) ??
          (isSwapped || isSure ? pathOf(field, model) : undefined) ??
          belowOwnList(field, model) ??
          (isSure && (siblingsTakeIds(field, model) || saysId(field)) ? sentBy(field, model) : undefined);
        if (place !== undefined && isSaidName(name, place, field, model)) continue;
        if (place !== undefined) report(nameForId, at, { id, name, place, isSwapped });
        else if (!isSwapped && siblingsTakeIds(field, model) && isInPath(field, model))
          report(nameInPath, at, { id, name });
      }
    },
  },
};
export default module;

/** Whether a comment says that the place takes the name, or shows a record that has no id: `A tag is {name, color}`. */
function isSaidName(name: string, place: string, field: FieldSymbol, model: Model): boolean {
  if (!hasComments(model)) return false;
  const [, member] = /^`(\w+)`$/.exec(place) ?? [];
  const command = usesOfValue(field, model).find((each) => each.command !== undefined)?.command;
  const own = escapedPattern(name);
  if (
    member !== undefined &&
    command !== undefined &&
    saysOf(member, new RegExp(`\\b${own}s?\\b`), command, model)
  )
    return true;
  const record = new RegExp(
    `\\b(?:is|are|:) \\{(?=[^{}]*\\b${own}\\b)(?![^{}]*(?:\\bid\\b|…|\\.\\.\\.))[^{}]{1,200}\\}`,
  );
  const { node } = field;
  const options = node.get("options");
  return commentsAround(options ?? node, []).some(({ value }) => record.test(value));
}

/** Fields whose options have for a value the name that they show, or should show. */
const namesAsValues = derivedByPart(({ workflows }, model) =>
  workflows
    .flatMap(({ fields }) => fields)
    .flatMap((field) => {
      const { id, type = "" } = field;
      // What may be typed, too, is no key of a record.
      if (id === undefined || /^text/.test(type)) return [];
      return optionsOf(field, model).flatMap(({ program, value, display }) => {
        const at = partAt(program, value);
        const shown = isIdShown(display, field, model) ? shownIn(value) : undefined;
        if (shown !== undefined) return [{ field, id, name: shown, isSwapped: true, isSure: false, at }];
        const name = nameOfValue(value);
        // Whatever it is called: it isn't the id, which is shown beside it.
        const isIdBeside = isIdName(nameOfValue(display) ?? "") && name !== undefined && !isKey.test(name);
        if (isIdBeside && idPlaceOf(field, model) !== undefined)
          return [{ field, id, name, isSwapped: true, isSure: false, at }];
        if (name === undefined) return [];
        if (!isShownName(name))
          return isNamedById(name, display, value, field, program, model)
            ? [{ field, id, name, isSwapped: false, isSure: true, at }]
            : isSaidForPeople(name, field, model)
              ? [{ field, id, name, isSwapped: false, isSure: true, at }]
              : isSaidBesideId(name, field, model) && idPlaceOf(field, model) !== undefined
                ? [{ field, id, name, isSwapped: false, isSure: false, at }]
                : [];
        const isKeyed = hasKeyBeside(display, value, program);
        if (!isKeyed && !isSame(display, value, program) && !isShownWithin(display, value, program))
          return [{ field, id, name, isSwapped: false, isSure: false, isOther: true, at }];
        return [{ field, id, name, isSwapped: false, isSure: isKeyed || isOfPerson(name, field, model), at }];
      });
    }),
);

/** Whether a comment says that this is for people, and no key: `A meter has a serial (printed on it) and an id (used by the API)`. */
const isSaidForPeople = (name: string, { node }: FieldSymbol, model: Model): boolean =>
  hasComments(model) && commentOnShown(name, undefined, commentsAround(node, [])) !== undefined;

/** Whether a comment says that a record has an id and something else that it is called by: `A plan has an id and a code`. */
function isSaidBesideId(name: string, { node }: FieldSymbol, model: Model): boolean {
  const said = hasComments(model) ? commentsOnTwoKeys(name, node) : [];
  if (said.length === 0) return false;
  // `a code (used by the API)`
  const isTaken = new RegExp(
    `\\b${escapedPattern(name)}[\`"]? \\([^)]*\\b(?:used|taken|wanted|API|requests?)\\b`,
  );
  // `calls name it by its code`
  const isNamed = new RegExp(
    `\\b(?:by|use|uses|used|takes?|wants?|names?|mean|means) (?:\\w+ )?(?:its |the |their )?[\`"]?${escapedPattern(name)}s?\\b`,
  );
  return !commentsAround(node, []).some(({ value }) => isTaken.test(value) || isNamed.test(value));
}

/** Names of what APIs may take instead of an id. */
const isKey =
  /(?:^|_)(?:u?u?id|guid|gid|code|key|slug|sku|handle|number|no|nr|ref|reference|token|hash|url|uri|href|iri|urn|arn|path|self|link|value|email)$|[a-z](?:Id|Uuid|Guid|Code|Key|Slug|Sku|Number|No|Ref|Token|Url|Uri|Value)$/;

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
  return pathsIn(flowOf(model).plainAt(field.node.get("options"))).some(
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

/** The list that a field offers, where a path names one of its records, and others that are chosen in this app stand in paths by their ids. */
function belowOwnList(field: FieldSymbol, model: Model): string | undefined {
  if (!siblingsInPaths(field, model)) return undefined;
  const listed = pathsIn(flowOf(model).plainAt(field.node.get("options"))).map(lastSegment);
  const [list] = usesOfValue(field, model).flatMap((use) => {
    const before = use.position === "path" ? listBefore(use) : undefined;
    return before !== undefined && listed.includes(singular(before)) && !namedByName.test(before)
      ? [before]
      : [];
  });
  return list === undefined ? undefined : `\`/${list}/\``;
}

const lastSegment = (path: string): string => singular(path.replace(/\?.*/s, "").split("/").at(-1) ?? "");

/** What APIs often know by its name alone. */
const namedByName =
  /(?:domain|tag|label|branch|repo|repositor|bucket|table|queue|topic|index|view|role|currenc|countr)\w*$/i;

/** Whether a path names one of the very records that a field's options list by its value: `/lists/ID` of `/lists`. */
function isInPath(field: FieldSymbol, model: Model): boolean {
  const listed = pathsIn(flowOf(model).plainAt(field.node.get("options")));
  return usesOfValue(field, model).some(
    ({ position, node, syntax }) =>
      position === "path" &&
      listed.some((path) => node.value.slice(0, syntax.start) === `${path}/` && !namedByName.test(path)),
  );
}
