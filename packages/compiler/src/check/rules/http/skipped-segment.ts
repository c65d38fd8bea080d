import { constantOf } from "@configc/jq/internal";
import type { Command, Expansion, FieldSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";

const skippedSegment = defineRule<{ field: string; path: string }>({
  id: "http/skipped-segment",
  severity: "warning",
  summary: "A path has an empty segment if an optional field is skipped, and nothing prevents that",
  why: "A request with an empty path segment is refused. The field is optional, so a customer may leave it out, and then this step fails for every record. What earlier steps wrote stays behind.",
  guards: ["expansion.default", "field.required", "http.path", "D18"],
  message: ({ field, path }) =>
    `A customer may skip \`${field}\`. Then \`${path}\` has an empty segment, and the request is refused.`,
  because: ({ field }) => [
    `\`${field}\` isn't required, and a customer skips it`,
    "the path has an empty segment: this step fails in every run",
  ],
  help: () => "Make the field required, give it a default, or send the request in a `!switch` only.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0",
      with: {
        "/workflows/0/data_pipeline/target":
          '{"!http": {"method": "POST", "path": "/lists/${custom_data.list.value | default}/people", "body": {"email": "${piped_content.0.email}"}}}',
      },
      bad: '{"label": "List", "id": "list", "type": "dropdown", "required": «false», "options": [{"display": "News", "value": "news"}, {"display": "Offers", "value": "offers"}]}',
      good: '{"label": "List", "id": "list", "type": "dropdown", "options": [{"display": "News", "value": "news"}, {"display": "Offers", "value": "offers"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [skippedSegment],
  checks: {
    reach: "linked",
    expansion(expansion, report, model) {
      const field = skippedField(expansion, model);
      if (field === undefined) return;
      const { node, syntax } = expansion;
      const required = field.node.get("required");
      const path = node.value.split("?")[0] ?? "";
      const args = { field: syntax.path[1]?.text ?? "", path };
      const segment = { node, from: syntax.start, to: syntax.end };
      if (required === undefined) report(skippedSegment, segment, args);
      else report(skippedSegment, required, args, [{ message: "the segment", at: segment }]);
    },
  },
};
export default module;

/** The optional form field that a path has a whole segment of, and nothing where a customer skips it. */
export function skippedField(expansion: Expansion, model: Model): FieldSymbol | undefined {
  const { position, root, fieldExact, fields, command } = expansion;
  if (root !== "custom_data" || (position !== "path" && position !== "url") || !fieldExact) return undefined;
  const field = fields.find(({ required }) => !required);
  if (field === undefined || command === undefined || !givesNothing(expansion)) return undefined;
  // A field that comes later has no value there at all.
  if (command.field !== undefined && command.field.index <= field.index) return undefined;
  if (!isSegment(expansion) || isChosenToRun(expansion, field, model) || isAsked(expansion, model))
    return undefined;
  return field;
}

/** `${custom_data.list.value | default}` */
function givesNothing({ syntax }: Expansion): boolean {
  const [filter, ...others] = syntax.filters;
  return (
    syntax.problem === undefined &&
    filter?.name === "default" &&
    others.length === 0 &&
    (filter.argument?.text ?? "").trim() === ""
  );
}

/** Whether an expansion is all there is between two slashes of a path. */
function isSegment({ node: { value }, syntax: { start, end } }: Expansion): boolean {
  const before = value.slice(0, start);
  return before.endsWith("/") && !before.includes("?") && /^(?:[/?#]|$)/.test(value.slice(end));
}

/** Whether a command runs in some cases only, of which a choice may be that of a customer who didn't skip the field. */
function isChosenToRun({ command, unit }: Expansion, field: FieldSymbol, model: Model): boolean {
  for (let at = command?.parent; at !== undefined; at = at.parent)
    if (at.key === "!switch" && !asksWhetherFound(at) && !isInEachCase(at, field, unit, model)) return true;
  return false;
}

/** Whether each case of a `!switch` is a request that has the field as a segment: whichever is chosen fails. */
function isInEachCase(
  { children }: Command,
  field: FieldSymbol,
  unit: Expansion["unit"],
  model: Model,
): boolean {
  if (unit?.kind !== "workflow" && unit?.kind !== "intake") return false;
  const { expansions } = partOfUnit(unit, model);
  return (
    children.length > 1 &&
    children.every(
      (each) =>
        each?.key === "!http" &&
        expansions.some(
          (expansion) =>
            expansion.command === each &&
            expansion.fields.includes(field) &&
            (expansion.position === "path" || expansion.position === "url") &&
            givesNothing(expansion) &&
            isSegment(expansion),
        ),
    )
  );
}

/** Whether a `!switch` asks no more than whether there is a record: `if .plant == null then 0 else 1 end`. */
function asksWhetherFound({ program }: Command): boolean {
  if (program === undefined || program.diagnostics.length > 0) return false;
  return (
    /\bnull\b|\blength\b|\[\]|""/.test(program.node.value) &&
    program.holes.every(({ root }) => root === "piped_content") &&
    nodesOfKind(program, "String").every((node) => constantOf(node) === "")
  );
}

/** Whether anything else in the same command asks for the field: a step before may fail, or give nothing, where it was skipped. */
function isAsked({ fields, unit, command, node }: Expansion, model: Model): boolean {
  if (unit?.kind !== "workflow" && unit?.kind !== "intake") return true;
  const { programs } = partOfUnit(unit, model);
  return programs.some(
    (program) =>
      program.node !== node &&
      program.command.place === command?.place &&
      program.holes.some((hole) => hole.fields.some((field) => fields.includes(field))),
  );
}
