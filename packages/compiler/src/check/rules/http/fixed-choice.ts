import { constantOf, groupBy } from "@configc/jq/internal";
import type { Command, Expansion, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import type { Location } from "../../../parse/document.ts";
import { isWhole, parseTemplate } from "../../../parse/template.ts";
import type { RuleModule } from "../../checks.ts";

const fixedChoice = defineRule<{ name: string; value: string; field: string }>({
  id: "http/fixed-choice",
  severity: "warning",
  summary: "A fixed id is sent under a name under which the same pipeline sends what the customer chose",
  why: "The options of the field are those of the customer's own account. An id that was left from a test is none of theirs: records are looked for, or written, in a place that isn't there or belongs to another choice.",
  guards: ["http.params", "http.body", "http.path", "D12"],
  message: ({ name, value, field }) =>
    `\`${name}\` is always \`${value}\` here. Elsewhere this pipeline takes it from \`${field}\`, which the customer chooses.`,
  because: ({ value, field }) => [
    `a customer chooses another \`${field}\` than \`${value}\``,
    `this request still asks for \`${value}\``,
  ],
  help: ({ field }) => `Write \`\${custom_data.${field}.value}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/0/options":
          '{"!pipe": [{"!http": {"path": "/lists"}}, {"!jq": "[.lists[] | {display: .name, value: .id}]"}]}',
      },
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"list_id": «"l-2041"», "email": "${piped_content.0.email}"}}}, {"!http": {"method": "PUT", "path": "/people/${piped_content.1.id}", "body": {"list_id": "${custom_data.list.value}"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"list_id": "${custom_data.list.value}", "email": "${piped_content.0.email}"}}}, {"!http": {"method": "PUT", "path": "/people/${piped_content.1.id}", "body": {"list_id": "${custom_data.list.value}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [fixedChoice],
  checks: {
    workflow(workflow, report, model) {
      const fixed = givenIn(workflow, model);
      if (!fixed.some(({ value }) => value !== undefined)) return;
      const chosen = new Map<string, string | undefined>();
      for (const { name, field } of fixed)
        if (field !== undefined)
          chosen.set(name, chosen.has(name) && chosen.get(name) !== field ? undefined : field);
      for (const { name, value, at } of fixed) {
        const field = value === undefined ? undefined : chosen.get(name);
        if (field !== undefined) report(fixedChoice, at, { name, value: value!, field });
      }
    },
  },
};
export default module;

/** What a request or program gives a name: an id as it is written, or what was chosen in a field. */
interface Given {
  readonly name: string;
  readonly value: string | undefined;
  readonly field: string | undefined;
  readonly at: Location;
}

/** An id of a record, and no word: `s-2023`, `20481`, `8f14e45f`. */
const isId = (text: string): boolean =>
  !ofAll.test(text) && /^[\w-]*\d[\w-]*$/.test(text) && /\d{3}|[a-z]+[-_]\d|[\da-f]{8}/i.test(text);

/** `all-2000`, `default-100`: what is there for everybody is called so. */
const ofAll =
  /(?:^|[-_])(?:all|any|default|everyone|everybody|global|system|main|root|shared|common|public)(?:$|[-_])/i;

function givenIn(workflow: WorkflowSymbol, model: Model): readonly Given[] {
  const { commands, programs, expansions } = partOfUnit(workflow, model);
  const isOfPipeline = ({ place }: Command): boolean => place.name.startsWith("data_pipeline.");
  const choices = new Map<unknown, string>();
  for (const { node, ...expansion } of expansions) {
    const field = fieldOf(expansion);
    if (field !== undefined) choices.set(node, field);
  }
  if (choices.size === 0 && !programs.some(({ holes }) => holes.some((hole) => fieldOf(hole) !== undefined)))
    return [];
  const byNode = groupBy(expansions, ({ node }) => node as unknown);
  const found: Given[] = [];
  for (const command of commands) {
    const { key, argument } = command;
    if (key !== "!http" || argument?.kind !== "object" || !isOfPipeline(command)) continue;
    for (const place of ["params", "body"]) {
      const object = argument.get(place);
      if (object?.kind !== "object") continue;
      for (const { name, value } of object.members) {
        if (value?.kind !== "string") continue;
        const template = parseTemplate(value.value);
        const field = template !== undefined && isWhole(template) ? choices.get(value) : undefined;
        if (field !== undefined) found.push({ name, value: undefined, field, at: value });
        else if (template === undefined && isId(value.value))
          found.push({ name, value: value.value, field: undefined, at: value });
      }
    }
    const path = argument.get("path");
    if (path?.kind !== "string") continue;
    // `/seasons/s-2023/crews` beside `/seasons/${custom_data.season.value}`
    for (const match of path.value.matchAll(/(?:^|\/)([a-z][a-z_-]*)\/([^/?#]+)/gi)) {
      const [whole, name, segment] = match as unknown as [string, string, string];
      const from = match.index + whole.length - segment.length;
      const hole = byNode
        .get(path)
        ?.find(({ syntax }) => syntax.start === from && syntax.end === from + segment.length);
      const field = hole === undefined ? undefined : fieldOf(hole);
      const at = { node: path, from, to: from + segment.length };
      if (field !== undefined) found.push({ name: `/${name}/`, value: undefined, field, at });
      else if (!segment.includes("$") && isId(segment))
        found.push({ name: `/${name}/`, value: segment, field: undefined, at });
    }
  }
  for (const program of programs) {
    if (program.diagnostics.length > 0 || !isOfPipeline(program.command)) continue;
    for (const { entries } of nodesOfKind(program, "Object"))
      for (const { key, value } of entries) {
        const name = nameOf(key);
        const node = value === undefined ? undefined : bare(value);
        if (name === undefined || node === undefined) continue;
        const hole = node.kind === "Hole" ? program.holes[node.hole] : undefined;
        const field = hole === undefined ? undefined : fieldOf(hole);
        const text = constantOf(node);
        const at = partAt(program, node);
        if (field !== undefined) found.push({ name, value: undefined, field, at });
        else if (typeof text === "string" && isId(text))
          found.push({ name, value: text, field: undefined, at });
      }
  }
  return found;
}

/** The required field with options from the service whose chosen value an expansion is. */
function fieldOf({
  root,
  fields,
  fieldExact,
  syntax,
}: Pick<Expansion, "root" | "fields" | "fieldExact" | "syntax">): string | undefined {
  const [field, ...others] = fields;
  const isValue = syntax.path.length === 3 && syntax.path[2]?.text === "value" && syntax.filters.length === 0;
  if (root !== "custom_data" || fieldExact !== true || !isValue || others.length > 0) return undefined;
  return field?.node.get("options")?.kind === "object" ? field.id : undefined;
}
