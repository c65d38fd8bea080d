import type { Expression } from "@configc/jq";
import type { Command, FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName, nameOfValue } from "../../../flow/id-names.ts";
import { bare, nodesIn, textAt } from "../../../flow/nodes.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { graphqlQuery, graphqlSelection } from "../../../samples/graphql.ts";
import { idPlaceOf, pathOf, routedBy } from "./id-places.ts";
import { optionsMadeIn } from "./made-options.ts";

/** Whether customers see the value with something else around it: `"\\(.title) (\\(.day))"`. */
export function isShownWithin(display: Expression, value: Expression, program: JqProgram): boolean {
  const written = textAt(bare(value), program);
  return nodesIn(display).some((node) => node.kind === "Postfix" && textAt(node, program) === written);
}

/**
 * Whether a number or the like is kept where an id is meant: a comment of the field speaks of the id, another field keeps it of the same list,
 * or it is sent as `list_id`, and other fields keep ids.
 */
export function isNamedById(
  name: string,
  display: Expression,
  value: Expression,
  field: FieldSymbol,
  program: JqProgram,
  model: Model,
): boolean {
  if (isIdName(name)) return false;
  const isShown = isShownWithin(display, value, program);
  if (isShown && saysId(field)) return true;
  if (isKeptById(field, model) && (isShown || routedBy(field, model) !== undefined)) return true;
  return isCode.test(name) && siblingsTakeIds(field, model) && idPlaceOf(field, model) !== undefined;
}

/** What people call a record by, beside its id. */
const isCode = /^(?:code|number|no|sku|reference|ref|slug|short_?(?:code|name))$/i;

/** Whether the field's comment speaks of the id of what is chosen. */
export const saysId = (field: FieldSymbol): boolean =>
  /(?:'s|\b(?:its|their|the|goes by|go by|known by|works? by|asks? by)) id\b/.test(
    textOf(field.node, "_comment") ?? "",
  );

/** Whether another field offers the same list by its ids. */
function isKeptById(field: FieldSymbol, model: Model): boolean {
  const [own, ...more] = listsIn(flowOf(model).plainAt(field.node.get("options")));
  if (own === undefined || more.length > 0) return false;
  return [...fieldsWithIds(model)].some((other) => {
    if (other === field) return false;
    const [list, ...others] = listsIn(flowOf(model).plainAt(other.node.get("options")));
    return list === own && others.length === 0;
  });
}

/** The lists that a command asks for. At one path there may be many: what GraphQL selects, and what a parameter or the body names. */
function listsIn(command: Command | undefined): readonly string[] {
  const path = textOf(command?.argument, "path")?.replace(/\/$/, "");
  const own = command === undefined || path === undefined ? [] : [[path, ...namedIn(command)].join("\n")];
  return [...own, ...(command?.children ?? []).flatMap(listsIn)];
}

function namedIn(request: Command): readonly string[] {
  const query = graphqlQuery(request);
  if (query !== undefined) return [...(graphqlSelection(query.value)?.keys() ?? [query.value])];
  const { argument } = request;
  return ["params", "body"].flatMap((part) => {
    const given = argument?.kind === "object" ? argument.get(part) : undefined;
    // A body that a step before makes.
    if (given?.kind === "string") return [`${given.start}`];
    const members = given?.kind === "object" ? given.members : [];
    return members.flatMap(({ name, value }) =>
      namesList.test(name) && value?.kind === "string" ? [`${name}=${value.value}`] : [],
    );
  });
}

/** Parameters that say which of several lists is asked for: `kind=airport`, `method: "clubs.list"`. */
const namesList =
  /^(?:(?:record|entity|object|resource|item|list)_?)?(?:type|kind|method|entity|object|resource|model|module|collection|table|list|action|operation|function|call|query|select|from|of|what|code_?list|dictionary|category)$/i;

/** Whether what is shown has a code of the record, too, beside what is taken as its value. */
export function hasKeyBeside(display: Expression, value: Expression, program: JqProgram): boolean {
  const written = textAt(bare(value), program);
  const owner = written.replace(/\w+$/, "");
  const parts = nodesIn(display)
    .filter((each) => each.kind === "Postfix")
    .map((node) => textAt(node, program));
  return (
    parts.includes(written) &&
    ["id", "uuid", "code", "key", "slug", "number", "reference", "ref", "handle", "sku"].some((key) =>
      parts.includes(owner + key),
    )
  );
}

/** Whether a name is a person's: two people may have the same, so no API knows them by it. */
export function isOfPerson(name: string, field: FieldSymbol, model: Model): boolean {
  if (/^(?:full|real)_?name$/i.test(name)) return true;
  const lists = pathsIn(flowOf(model).plainAt(field.node.get("options")));
  return lists.some((path) =>
    /\b(?:users|people|persons|members|contacts|employees|agents|owners|staff)$/.test(path),
  );
}

export function optionsOf({ node }: FieldSymbol, model: Model) {
  return optionsMadeIn(node.get("options"), "value", "display", model).map(({ program, first, second }) => ({
    program,
    value: first,
    display: second,
  }));
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
export function siblingsTakeIds(field: FieldSymbol, model: Model): boolean {
  const others = fieldsWithIds(model);
  return others.size > (others.has(field) ? 1 : 0);
}

/** Whether the ids of other lists stand in paths. */
export const siblingsInPaths = (field: FieldSymbol, model: Model): boolean =>
  fieldsInPaths(model).some((other) => other !== field);

const fieldsInPaths = derived((model): readonly FieldSymbol[] =>
  [...fieldsWithIds(model)].filter((field) => pathOf(field, model) !== undefined),
);

export function pathsIn(command: Command | undefined): readonly string[] {
  const path = textOf(command?.argument, "path");
  const own = path === undefined ? [] : [path.replace(/\/$/, "")];
  return [...own, ...(command?.children ?? []).flatMap(pathsIn)];
}
