import type { Expansion, FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { isPlural, mayBeSame, nounOf, nounOfId } from "../../../flow/nouns.ts";
import {
  kindOf,
  kindOfExpansion,
  kindOfField,
  kindsNamedIn,
  type RecordKind,
} from "../../../flow/record-kind.ts";
import type { StringPart } from "../../../parse/document.ts";
import { derivedByPart, ofPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { doubledIn } from "./doubled-member.ts";
import { memberWith } from "./other-role.ts";

const otherRecord = defineRule<{ read: string; given: string; wanted: string; place: string }>({
  id: "value/other-record",
  severity: "hint",
  summary: "The id of one kind of record goes where that of another kind is wanted",
  why: "An id counts only among records of its own kind. Among others it belongs to nothing, or to another record: requests find nothing, or change the wrong one.",
  guards: ["command.!http", "command.!jq", "D17", "D18"],
  message: ({ read, given, wanted, place }) =>
    `\`${read}\` is an id of \`${given}\`, but ${place} wants an id of \`${wanted}\`.`,
  because: ({ read, given, wanted, place }) => [
    `\`${read}\` is an id of \`${given}\`, by its name or its list`,
    `${place} wants an id of \`${wanted}\`, by its name`,
  ],
  help: ({ wanted }) => `Use an id of \`${wanted}\`.`,
  examples: [
    {
      title: "In a path",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/orders", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{order_id: .orders[0].id, product_id: .orders[0].product_id}"}, {"!http": {"method": "POST", "path": "/products/«${piped_content.2.order_id}»/reviews", "body": {"order": "${piped_content.2.order_id}", "product": "${piped_content.2.product_id}"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/orders", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{order_id: .orders[0].id, product_id: .orders[0].product_id}"}, {"!http": {"method": "POST", "path": "/products/${piped_content.2.product_id}/reviews", "body": {"order": "${piped_content.2.order_id}", "product": "${piped_content.2.product_id}"}}}]}',
    },
    {
      title: "D12: under the name of another field",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "Owner", "id": "owner", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/users"}}, {"!jq": "[.users[] | {display: .name, value: .id}]"}]}}',
      },
      bad: '{"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"email": "${piped_content.0.email}", "owner_id": "«${custom_data.list.value}»", "by": "${custom_data.owner.value}"}}}',
      good: '{"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"email": "${piped_content.0.email}", "owner_id": "${custom_data.owner.value}", "by": "${custom_data.owner.value}"}}}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherRecord],
  checks: {
    document(model, report) {
      for (const { at, ...args } of found(model)) report(otherRecord, at, args);
    },
  },
};
export default module;

/** Found again in all parts once the document names other kinds of records. */
function found(model: Model): readonly Found[] {
  const kinds = [...kindsNamed(model)].sort().join();
  return model.parts.flatMap((part) => {
    const known = ofPart(part, model, foundIn, (): KnownFound => ({ kinds: undefined, found: [] }));
    if (known.kinds !== kinds) {
      known.kinds = kinds;
      known.found = foundIn(part, model);
    }
    return known.found;
  });
}

interface KnownFound {
  kinds: string | undefined;
  found: readonly Found[];
}

interface Found {
  readonly read: string;
  readonly given: string;
  readonly wanted: string;
  readonly place: string;
  readonly at: StringPart;
}

function foundIn({ expansions, programs }: Part, model: Model): readonly Found[] {
  const inExpansions = expansions.flatMap((expansion) => {
    const wanted = wantedOf(expansion, model);
    if (wanted === undefined) return [];
    const { node, syntax } = expansion;
    const given = kindOfExpansion(expansion, flowOf(model));
    return told(given, wanted, { node, from: syntax.start, to: syntax.end }, model);
  });
  return [...inExpansions, ...programs.flatMap((program) => foundInProgram(program, model))];
}

function foundInProgram(program: JqProgram, model: Model): readonly Found[] {
  return nodesOfKind(program, "Object").flatMap((object) =>
    object.entries.flatMap(({ key, value }) => {
      const member = nameOf(key);
      if (member === undefined || value === undefined || isShown(member)) return [];
      const wanted = wantedBy(member, fieldsAt(program), model);
      if (wanted === undefined) return [];
      // That is told as what it is.
      if (doubledIn(object, program).some((each) => each.member === member)) return [];
      const inner = bare(value);
      const given = kindOf(inner, program, flowOf(model));
      return told(given, wanted, { node: program.node, from: inner.start, to: inner.end }, model);
    }),
  );
}

const nounsByPart = derivedByPart(kindsNamedIn);
/** Every kind of record that paths and form fields of the document name. */
const kindsNamed = derived((model): ReadonlySet<string> => new Set(nounsByPart(model)));

/** What a place asks for, by its name. */
interface Wanted {
  readonly noun: string;
  readonly place: string;
}

function told(
  given: RecordKind | undefined,
  { noun: wanted, place }: Wanted,
  at: StringPart,
  model: Model,
): readonly Found[] {
  if (given === undefined || [...given.nouns].some((noun) => mayBeSame(noun, wanted))) return [];
  // Both kinds must be told by something else too: the document asks for records of either.
  const named = kindsNamed(model);
  if (![...given.nouns].some((noun) => named.has(noun))) return [];
  return [{ read: given.read, given: [...given.nouns].join(", "), wanted, place, at }];
}

/** What an expansion stands for in a path, or as a member of a request. */
function wantedOf(expansion: Expansion, model: Model): Wanted | undefined {
  const { root, position, node, syntax } = expansion;
  if (root !== "piped_content" && root !== "data" && root !== "custom_data") return undefined;
  if (position === "path") {
    const before = /\/([\w-]+)\/$/.exec(node.value.slice(0, syntax.start))?.[1];
    if (before === undefined || !isPlural(before) || !/^(?:[/?]|$)/.test(node.value.slice(syntax.end)))
      return undefined;
    const noun = nounOf(before);
    // What is chosen may be called otherwise than its records: only another field's kind is certainly another one.
    const isOtherField =
      root !== "custom_data" || fieldsBeside(expansion.fields).some((field) => isOf(field, noun, model));
    return noun === undefined || !isOtherField ? undefined : { noun, place: `\`/${before}/\`` };
  }
  const member = memberWith(expansion);
  return member === undefined ? undefined : wantedBy(member, expansion.fields, model);
}

/** What a member asks for: `event_id`, or one that is called like a form field that isn't this one. */
function wantedBy(member: string, fields: Expansion["fields"], model: Model): Wanted | undefined {
  const noun = nounOfId(member);
  if (noun !== undefined) return kindsNamed(model).has(noun) ? { noun, place: `\`${member}\`` } : undefined;
  const isField = fields.some(({ workflow }) => workflow.fields.some(({ id }) => id === member));
  const own = isField ? nounOf(member) : undefined;
  return own === undefined ? undefined : { noun: own, place: `\`${member}\`` };
}

const fieldsBeside = (fields: Expansion["fields"]): Expansion["fields"] =>
  fields.flatMap((field) => field.workflow.fields.filter((other) => other !== field));

function isOf(field: FieldSymbol, noun: string | undefined, model: Model): boolean {
  return noun !== undefined && kindOfField(field, flowOf(model))?.nouns.has(noun) === true;
}

const fieldsAt = ({ holes }: JqProgram): Expansion["fields"] => holes.flatMap(({ fields }) => fields);

/** What customers see and map may be called anything. */
const isShown = (member: string): boolean => member === "value" || member === "display";
