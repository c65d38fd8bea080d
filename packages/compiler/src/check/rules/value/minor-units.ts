import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { unitOf, unitsAround } from "../../../flow/counted.ts";
import { flowOf } from "../../../flow/flow.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { titleOfTrails } from "../../../flow/mapped-title.ts";
import { bare, nodesIn, nodesOfKind } from "../../../flow/nodes.ts";
import { offeredTitles } from "../../../flow/offered-titles.ts";
import { expansionTrails, type Trail, trailsOf } from "../../../flow/origin.ts";
import { boundTo, definitionOf, stagesOf } from "../../../flow/protocol/dependence.ts";
import { isResult } from "../../../flow/result.ts";
import type { TypeFlow } from "../../../flow/type-flow.ts";
import { unitOfName, unitOfTitle } from "../../../flow/unit.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { memberWith } from "./other-role.ts";

const minorUnits = defineRule<{ member: string; title: string; by: string }>({
  id: "value/minor-units",
  severity: "warning",
  summary: "A field that customers map gets cents, and its title doesn't say so",
  why: "Customers read an amount as whole money unless its title says otherwise. In cents it's a hundred times too large, for every record.",
  guards: ["data_pipeline.source", "option.title", "command.!jq"],
  message: ({ member, title, by }) =>
    `\`${by}\` counts cents. Customers map \`${member}\` as “${title}”, which says nothing of cents.`,
  because: ({ title, by }) => [`\`${by}\`: 4500, for 45.00`, `“${title}”: 4500`],
  help: ({ by }) => `Write \`${by} / 100\`, or say “in cents” in the title.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/map/describe_source/options":
          '[{"title": "Email", "id": "email"}, {"title": "List price", "id": "list_price"}]',
      },
      bad: '{"!jq": "{email: .email, list_price: «.list_price_cents»}"}',
      good: '{"!jq": "{email: .email, list_price: (.list_price_cents / 100)}"}',
    },
  ],
});

const typedAmount = defineRule<{ member: string; label: string }>({
  id: "value/typed-amount",
  severity: "warning",
  summary: "A number of cents is what a customer typed or mapped as whole money",
  why: "Customers type 45 and mean 45.00, and so do the fields of their contacts. Sent as cents it is 45 cents, a hundredth of it.",
  guards: ["command.!jq", "command.!http", "field.label"],
  message: ({ member, label }) =>
    `\`${member}\` counts cents, and gets what customers type or map as “${label}” as it is.`,
  because: ({ member, label }) => [`“${label}” is 45`, `\`${member}\` is 45 cents`],
  help: () => "Multiply by 100, or say “in cents” to the customer.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1": '{"label": "Amount", "id": "amount", "type": "text"}',
      },
      bad: '{"!pipe": [{"!jq": "{email: .email, value_cents: «(${custom_data.amount.value} | tonumber)»}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/gifts", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, value_cents: ((${custom_data.amount.value} | tonumber) * 100)}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/gifts", "body": "${piped_content.1}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [minorUnits, typedAmount],
  checks: {
    reach: "saved",
    expansion(expansion, report, model) {
      const member = mayCountCents.test(nameOfMember(expansion)) ? memberWith(expansion) : undefined;
      if (member === undefined || unitOfName(member) !== "minor") return;
      const flow = flowOf(model);
      const label = labelOf(expansion) ?? titleOfAmount(expansionTrails(flow, expansion), flow);
      if (label === undefined || isSaid(label) || unitOfTitle(label) === "minor") return;
      const { node, syntax } = expansion;
      report(typedAmount, { node, from: syntax.start, to: syntax.end }, { member, label });
    },
    program(program, report, model) {
      const { command, node } = program;
      if (mayCountCents.test(node.value) && command.place.name !== "data_pipeline.source")
        for (const { entries } of nodesOfKind(program, "Object"))
          for (const { key, value } of entries) {
            const member = nameOf(key);
            if (member === undefined || value === undefined || unitOfName(member) !== "minor") continue;
            const label = typedAs(value, program, flowOf(model));
            if (label !== undefined && !isSaid(label))
              report(typedAmount, { node, from: value.start, to: value.end }, { member, label });
          }
      if (command.unit?.kind !== "workflow" || command.place.name !== "data_pipeline.source") return;
      if (!isResult(program.command)) return;
      if (!mayCountCents.test(node.value) && unitsAround(command, model) === undefined) return;
      const titles = offeredTitles(command.unit, model);
      for (const { entries } of nodesOfKind(program, "Object"))
        for (const { key, value } of entries) {
          const member = nameOf(key);
          const title = member === undefined ? undefined : titles.get(member);
          if (member === undefined || title === undefined || value === undefined) continue;
          if (unitOfName(member) !== undefined || unitOfTitle(title) !== undefined || isSaid(title)) continue;
          const priced = pricedIn(value);
          const counted = unitOf(priced ?? value, program, model);
          if (counted?.unit !== "minor" || (priced === undefined && isMade(value))) continue;
          report(minorUnits, { node, from: value.start, to: value.end }, { member, title, by: counted.by });
        }
    },
  },
};
export default module;

const mayCountCents =
  /(?:cents?|rappen|centimes?|centavos?|groszy?|öre|øre|kopecks|paise)(?![a-z])|minor|pence|(?:Cents?|Rappen|Centimes?|Centavos?|Groszy?)(?![a-z])|Minor|Pence|subunit|pennies/;

const nameOfMember = ({ node }: Expansion): string =>
  node.parent?.kind === "member" ? node.parent.name : "";

/** What customers read above an amount that a value is, as they typed or mapped it. */
function typedAs(value: Expression, program: JqProgram, flow: TypeFlow): string | undefined {
  const within = (each: Expression): string | undefined => typedAs(each, program, flow);
  const node = bare(value);
  switch (node.kind) {
    case "Variable": {
      const source = boundTo(program, node);
      return source === undefined ? undefined : within(source);
    }
    case "Pipeline": {
      const [first, ...others] = stagesOf(node);
      const keeps = others.every((stage) => keepsAmount(stage, program));
      return first !== undefined && keeps ? within(first) : undefined;
    }
    case "Alternative":
      return within(node.operands[0]!);
    case "String": {
      const [part, ...others] = node.parts;
      return part?.kind === "Interpolation" && others.length === 0 ? within(part.expression) : undefined;
    }
    case "If": {
      const ways = [...node.branches.map(({ body }) => body), ...(node.otherwise ? [node.otherwise] : [])];
      const typed = ways.filter((way) => constantOf(way) !== null);
      return typed.length === 1 ? within(typed[0]!) : undefined;
    }
    case "Hole": {
      const hole = program.holes[node.hole];
      return hole === undefined
        ? undefined
        : (labelOf(hole) ?? titleOfAmount(trailsOf(flow, program, node), flow));
    }
    case "Postfix":
      return titleOfAmount(trailsOf(flow, program, node), flow);
    default:
      return undefined;
  }
}

/** Whether a stage gives the number that it gets, or nothing where there is none: `if . == "" then null else tonumber end`. */
function keepsAmount(stage: Expression, program: JqProgram): boolean {
  const node = bare(stage);
  if (node.kind === "Identity") return true;
  if (node.kind === "Call") return constantOf(node) === null || keepsNumber(node, program);
  if (node.kind === "Pipeline") return stagesOf(node).every((each) => keepsAmount(each, program));
  if (node.kind !== "If") return false;
  const ways = [...node.branches.map(({ body }) => body), ...(node.otherwise ? [node.otherwise] : [])];
  return ways.every((way) => keepsAmount(way, program));
}

/** Whether a call gives the number that it gets, as a definition does that reckons nothing. */
function keepsNumber(call: Expression & { kind: "Call" }, program: JqProgram): boolean {
  const definition = definitionOf(program, call);
  if (definition === undefined)
    return /^(?:tonumber|round|floor|ceil|tostring|values|numbers)$/.test(call.name.text);
  return !nodesIn(definition.body).some(({ kind }) => kind === "Arithmetic");
}

/** The label of the text field that an expansion is. */
function labelOf({ root, fields, syntax }: Expansion): string | undefined {
  const [field, ...others] = root === "custom_data" ? fields : [];
  const isTyped = field?.type === "text" && others.length === 0 && syntax.path[2]?.text === "value";
  return isTyped ? textOf(field.node, "label") : undefined;
}

/** The title of the mapped field that an amount is, unless its id says what it counts. */
function titleOfAmount(trails: readonly Trail[], flow: TypeFlow): string | undefined {
  const [trail] = trails;
  const id = trail?.origin.kind === "place" ? trail.origin.path.at(-1) : undefined;
  return id === undefined || unitOfName(id) !== undefined ? undefined : titleOfTrails(trails, flow);
}

/** Whether a title says that it counts the minor unit of a currency, in the languages of customers: `céntimos`, `öre`, `¢`. */
export const isSaid = (title: string): boolean =>
  /c[eé]nt|minor|pence|penn(?:y|ies)|pfennig|rappen|[öø]re\b|grosz|hal[eé]ř|unit|¢/i.test(title);

/** What a text writes as whole money: `"£\(.total_pence)"`, `"\(.total_cents) EUR"`. */
function pricedIn(value: Expression): Expression | undefined {
  const node = bare(value);
  if (node.kind !== "String") return undefined;
  const read = node.parts.flatMap((part) => (part.kind === "Interpolation" ? [part.expression] : []));
  const text = node.parts.map((part) => (part.kind === "StringText" ? part.value : "#")).join("");
  return read.length === 1 &&
    /^(?:[£€$]|GBP|EUR|USD) ?#$|^# ?(?:[£€]|GBP|EUR|USD|euros|pounds|dollars)$/.test(text)
    ? read[0]
    : undefined;
}

/** A sum or a text says less of what it counts. */
const isMade = (value: Expression): boolean => value.kind === "String";
