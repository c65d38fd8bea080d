import type { Expression } from "@configc/jq";
import { bare, isExpression, nodesIn } from "./nodes.ts";
import { lastName } from "./protocol/forms.ts";

/**
 * The list of which a program makes one object as a whole: `.venues` of `[.venues | {display: .name, value: .id}]`. Undefined where it may be
 * one record by its name, or where more may come of it.
 *
 * @param isPaged whether what is read comes page by page, so that names which single records have, too, are those of lists
 */
export function wholeAlone(given: Expression, isPaged: boolean): Expression | undefined {
  const list = bare(given);
  const body = list.kind === "Array" && list.body !== undefined ? bare(list.body) : undefined;
  if (body?.kind !== "Pipeline") return undefined;
  const [first, ...rest] = body.stages;
  const last = rest.at(-1);
  if (first === undefined || last === undefined || !isExpression(first) || !isExpression(last))
    return undefined;
  const path = bare(first);
  if (path.kind !== "Postfix" || !path.suffixes.every(({ kind }) => kind === "Field")) return undefined;
  const name = lastName(path)?.toLowerCase() ?? "";
  if (!(isPlural(name) || (isPaged && containers.has(name))) || !makesObject(last)) return undefined;
  const isKept = rest
    .slice(0, -1)
    .every((stage) => stage.kind === "Binding" || (stage.kind === "Call" && stage.name.text === "select"));
  return isKept ? path : undefined;
}

const containers: ReadonlySet<string> = new Set(["data", "body", "value", "result", "list"]);

/** Whether a name is that of several records, and not that of what one has. */
const isPlural = (name: string): boolean =>
  /[^s]s$/.test(name) &&
  !/(?:us|is|ss|as|ws)$/.test(name) &&
  !/(?:setting|detail|attribute|propertie|field|link|relationship|param|stat|serie|option|mean|note|sale|meta|include|term)s$/.test(
    name,
  );

/** `{id, name}`, `$ids + {order: .}`, made of members of it, or of it as one record. */
function makesObject(given: Expression): boolean {
  const node = bare(given);
  const parts =
    node.kind === "Arithmetic" ? [node.first, ...node.rest.map(({ operand }) => operand)] : [node];
  if (node.kind === "Arithmetic" && !node.rest.every(({ operator }) => operator === "+")) return false;
  // What goes through it has the records after all.
  return (
    parts.some((part) => bare(part).kind === "Object") &&
    !nodesIn(node).some(
      (each) =>
        each.kind === "Iterate" ||
        each.kind === "Index" ||
        (each.kind === "Call" && ofLists.test(each.name.text)),
    )
  );
}

const ofLists =
  /^(?:map|length|first|last|add|any|all|sort|sort_by|min|max|min_by|max_by|join|to_entries|group_by|unique|reverse|flatten|index|IN|keys)$/;
