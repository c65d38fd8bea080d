import type { Expression } from "@configc/jq";
import { escapedPattern } from "@configc/jq/internal";
import type { Expansion, FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { staticOptions } from "../../../flow/chosen.ts";
import { chosenComparisons } from "../../../flow/chosen-comparisons.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { isIdName, isShownName, nameOfValue } from "../../../flow/id-names.ts";
import { bare, nodesIn } from "../../../flow/nodes.ts";
import { saysOf } from "../../../flow/said/of-name.ts";
import { type ObjectNode, objectItems, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { nameBefore, optionsMadeIn } from "./made-options.ts";

const comparedKind = defineRule<{ id: string; kept: string; name: string; isName: boolean }>({
  id: "value/compared-kind",
  severity: "warning",
  summary: "A name is compared with a chosen id, or an id with a chosen name",
  why: "What a customer chose is the `value` of an option. Where that is an id, a name never equals it, so nothing that was chosen is ever found.",
  guards: ["D12", "D23", "field_option.value"],
  message: ({ id, kept, name, isName }) =>
    isName
      ? `\`${name}\` is what people read, and the options of \`${id}\` have \`${kept}\` as their value. They are never equal.`
      : `\`${name}\` is ${isIdName(name) ? "an id" : "no name"}, and the options of \`${id}\` have \`${kept}\` as their value. They are never equal.`,
  because: ({ id, kept, name }) => [
    `a customer chooses an option of \`${id}\`: its \`${kept}\` is saved`,
    `the record's \`${name}\` is compared with it`,
  ],
  help: ({ kept }) => `Compare with the \`${kept}\` of the record.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/select/form_fields/0/options":
          '{"!pipe": [{"!http": {"path": "/forms"}}, {"!jq": "[.forms[] | {display: .title, value: .id}]"}]}',
      },
      bad: '{"!jq": "if «.form.title» == ${custom_data.form.value} then {email: .email} else null end"}',
      good: '{"!jq": "if .form.id == ${custom_data.form.value} then {email: .email} else null end"}',
    },
  ],
});

const comparedDisplay = defineRule<{
  id: string;
  name: string;
  /** Of one option, where it is written. */
  shown: string | undefined;
  value: string | undefined;
}>({
  id: "value/compared-display",
  severity: "warning",
  summary: "A member is compared with what an option shows, which is never equal to it",
  why: "Customers read `display`. Records have what the option has as its `value`. Where the two differ for every option, nothing that was chosen is ever found.",
  guards: ["D12", "D23", "field_option.display"],
  message: ({ id, name }) =>
    `\`${name}\` is compared with what the options of \`${id}\` show. Records have their \`value\` instead.`,
  because: ({ name, shown, value }) =>
    shown === undefined
      ? []
      : [`a customer chooses “${shown}”, which has the value \`${value}\``, `no \`${name}\` is “${shown}”`],
  help: ({ id }) => `Compare with \`custom_data.${id}.value\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/select/form_fields/0/options":
          '[{"display": "New entries", "value": "created"}, {"display": "Changed entries", "value": "changed"}]',
      },
      bad: '{"!jq": "if «.kind» == ${custom_data.form.display} then {email: .email} else null end"}',
      good: '{"!jq": "if .kind == ${custom_data.form.value} then {email: .email} else null end"}',
    },
  ],
});

const module: RuleModule = {
  rules: [comparedKind, comparedDisplay],
  checks: {
    reach: "saved",
    program(program, report, model) {
      if (program.diagnostics.length > 0 || program.holes.length === 0) return;
      for (const { chosen, name, node } of chosenComparisons(program)) {
        const kept = keptBy(chosen, model);
        if (kept === undefined) continue;
        const isName = isShownName(name) && kept.isId && isShown(name, kept.shown);
        const isId = !kept.isId && (isIdName(name) || (isKeyName(name) && isShownName(kept.name)));
        if (!isName && !isId) continue;
        // `form_id is the name of a form`
        if (saysOf(name, new RegExp(`\\b${escapedPattern(kept.name)}\\b`), program.command, model)) continue;
        const at = { node: program.node, from: node.start, to: node.end };
        report(comparedKind, at, { id: chosen.syntax.path[1]!.text, kept: kept.name, name, isName });
      }
      for (const { chosen, name, node } of chosenComparisons(program, "display")) {
        const [field, ...others] = chosen.fields;
        if (field === undefined || others.length > 0 || chosen.fieldExact !== true) continue;
        // Where the value is an id, it is told as that.
        const isTold = isIdName(name) || (isSameName(name, field.id) && keptOf(field, model)?.isId === true);
        if (isTold || isLabelName.test(name) || !neverShows(field, model)) continue;
        if (saysDisplay(name, field, program, model)) continue;
        const at = { node: program.node, from: node.start, to: node.end };
        const option = tellingOption(field.node);
        report(comparedDisplay, at, {
          id: chosen.syntax.path[1]!.text,
          name,
          shown: textOf(option, "display"),
          value: textOf(option, "value"),
        });
      }
    },
  },
};
export default module;

/** What the options of a field are made of. */
interface Kept {
  readonly name: string;
  readonly isId: boolean;
  /** The members that customers see. */
  readonly shown: readonly string[];
}

const keptByField = derived((): Map<FieldSymbol, Kept | undefined> => new Map());

export function keptBy({ fields, fieldExact }: Expansion, model: Model): Kept | undefined {
  const [field, ...others] = fields;
  if (field === undefined || others.length > 0 || fieldExact !== true) return undefined;
  const known = keptByField(model);
  if (!known.has(field)) known.set(field, keptOf(field, model));
  return known.get(field);
}

function keptOf({ node }: FieldSymbol, model: Model): Kept | undefined {
  const made = optionsMadeIn(node.get("options"), "value", "display", model).map(({ first, second }) => ({
    name: nameBefore(nameOfValue(first), node.get("options"), model),
    shown: shownIn(second).map((each) => nameBefore(each, node.get("options"), model) ?? each),
  }));
  const [one] = made;
  const { name } = one ?? {};
  if (name === undefined || made.some((each) => each.name !== name)) return undefined;
  const shown = made.flatMap((each) => each.shown);
  const isId = isIdName(name) || (isKeyName(name) && !shown.includes(name));
  // Names that are kept where ids are shown are told at the options.
  if (!isId && shown.some(isIdName)) return undefined;
  // The keys of an object that are shown are names.
  return isId || isShownName(name) || name === "key" ? { name, isId, shown } : undefined;
}

/** What identifies a record beside its name. */
export const isKeyName = (name: string): boolean =>
  isIdName(name) ||
  /(?:^|_)(?:code|key|slug|sku|handle|no|nr|number)$|[a-z](?:Code|Key|Slug|Sku|No|Nr|Number)$/.test(name);

/** The names of the members that a text is made of. */
const shownIn = (display: Expression): readonly string[] =>
  nodesIn(display).flatMap((node) => (node.kind === "Postfix" ? (nameOfValue(node) ?? []) : []));

/** Whether a member is what options show of their records: `stage_name` of the `name`. */
const isShown = (name: string, shown: readonly string[]): boolean =>
  shown.some((each) => name === each || name.toLowerCase().endsWith(each.toLowerCase())) &&
  !shown.some(isKeyName);

/** A field and a member with its name: told by a rule about labels. */
const isSameName = (a: string, b = ""): boolean =>
  a.replace(/[^a-z\d]/gi, "").toLowerCase() === b.replace(/[^a-z\d]/gi, "").toLowerCase();

/** Whether options show texts that no record has: words with blanks for words of a program, or what is put together. */
function neverShows({ node }: FieldSymbol, model: Model): boolean {
  const options = objectItems(node.get("options"));
  if (options.length > 0)
    return (
      options.every((option) => {
        const [display, value] = [textOf(option, "display"), textOf(option, "value")];
        return display !== value && value !== undefined && /^[a-z\d._:-]+$/.test(value);
      }) && tellingOption(node) !== undefined
    );
  const made = optionsMadeIn(node.get("options"), "display", "value", model);
  return (
    made.length > 0 && made.every(({ first, second }) => isMade(first) && nameOfValue(second) !== undefined)
  );
}

/** An option whose value differs from its label in more than letter case: a record may have “Open” where the value is `open`. */
const tellingOption = (node: FieldSymbol["node"]): ObjectNode | undefined =>
  objectItems(node.get("options")).find((option) => {
    const display = textOf(option, "display");
    return display !== undefined && !isSameName(display, textOf(option, "value"));
  });

/** `kind_label` is what people read. */
const isLabelName = /(?:^|_)(?:labels?|titles?|display|text)$|[a-z](?:Label|Title|Display|Text)$/;

/** Whether a comment says of the member that it is what an option shows: `kind is "New entries" or "Changed entries"`. */
const saysDisplay = (name: string, field: FieldSymbol, { command }: JqProgram, model: Model): boolean =>
  hasComments(model) &&
  staticOptions(field).some(({ display, value }) => {
    const isShownAlone = display !== value && display.length > 2;
    return (
      isShownAlone && saysOf(name, new RegExp(`(?<!\\w)${escapedPattern(display)}(?!\\w)`), command, model)
    );
  });

/** `"\\(.name) (\\(.order))"`, `.name + ", " + .city` */
function isMade(display: Expression): boolean {
  const node = bare(display);
  if (node.kind === "String")
    return node.parts.some(({ kind }) => kind === "StringText") && node.parts.length > 1;
  return node.kind === "Arithmetic" && nodesIn(node).some(({ kind }) => kind === "StringText");
}
