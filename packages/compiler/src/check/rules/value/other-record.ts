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

const exchangedRecords = defineRule<{ first: string; second: string; read: string; other: string }>({
  id: "value/exchanged-records",
  severity: "warning",
  summary: "Two ids of one request or object are exchanged",
  why: "An id counts only among records of its own kind. Where each of two goes to the place of the other, both requests and records name the wrong ones, or those that have the same number by chance.",
  guards: ["command.!http", "command.!jq", "D17", "D18"],
  message: ({ first, second, read, other }) =>
    `${first} gets \`${read}\`, and ${second} gets \`${other}\`. Each wants the kind of id that the other gets.`,
  because: ({ first, second, read, other }) => [
    `\`${read}\` is an id of the kind that ${second} wants`,
    `\`${other}\` is an id of the kind that ${first} wants`,
  ],
  help: () => "Exchange them.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!pipe/2/!http/body",
      with: {
        "/workflows/0/data_pipeline/target":
          '{"!pipe": [{"!http": {"method": "POST", "path": "/owners", "body": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/units", "body": {"list": "${custom_data.list.value}"}}}, {"!http": {"method": "POST", "path": "/leases", "body": {}}}]}',
      },
      bad: '{"unit_id": "«${piped_content.1.id}»", "owner_id": "${piped_content.2.id}"}',
      good: '{"unit_id": "${piped_content.2.id}", "owner_id": "${piped_content.1.id}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherRecord, exchangedRecords],
  checks: {
    document(model, report) {
      const all = found(model);
      for (const one of all) {
        const { read, given, wanted, place, at } = one;
        const other = exchangedWith(one, all);
        if (other === undefined) report(otherRecord, at, { read, given, wanted, place });
        else if ((at.node.start - other.at.node.start || at.from - other.at.from) < 0)
          report(exchangedRecords, at, { first: place, second: other.place, read, other: other.read }, [
            { message: "the other one", at: other.at },
          ]);
      }
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

/** What stands beside it with an id of the kind that this wants, and wants one of the kind that this has. */
function exchangedWith(one: Found, all: readonly Found[]): Found | undefined {
  const has = ({ nouns }: Found, wanted: string): boolean =>
    [...nouns].some((noun) => mayBeSame(noun, wanted));
  const other = all.find(
    (each) => each !== one && each.around === one.around && has(each, one.wanted) && has(one, each.wanted),
  );
  // Names that say it themselves are told as members that are crossed.
  return other !== undefined && isSaid(one) && isSaid(other) ? undefined : other;
}

/** Whether the names that are read say of what kind the record is: `unit_id`, `unit.id`. */
function isSaid({ read, nouns }: Found): boolean {
  const names = read.match(/[A-Za-z_]\w*/g) ?? [];
  const noun = nounOfId(names.at(-1) ?? "") ?? nounOf(names.at(-2) ?? "");
  return noun !== undefined && nouns.has(noun);
}

interface Found {
  /** What it is given an id of. */
  readonly nouns: ReadonlySet<string>;
  /** The object, or the text of a path, that it is a part of. */
  readonly around: unknown;
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
    const around =
      node.parent?.kind === "member" && expansion.position !== "path" ? node.parent.parent : node;
    return told(given, wanted, { node, from: syntax.start, to: syntax.end }, model, around);
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
      return told(given, wanted, { node: program.node, from: inner.start, to: inner.end }, model, object);
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
  around: unknown,
): readonly Found[] {
  if (given === undefined || [...given.nouns].some((noun) => mayBeSame(noun, wanted))) return [];
  // Both kinds must be told by something else too: the document asks for records of either.
  const named = kindsNamed(model);
  if (![...given.nouns].some((noun) => named.has(noun))) return [];
  const { nouns, read } = given;
  return [{ read, given: [...nouns].join(", "), wanted, place, at, nouns, around }];
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
