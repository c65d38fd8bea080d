import type { Command, Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround, hasComments, intakesAround } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import { isPlural, mayBeSame, nounOf, nounOfId, singular } from "../../../flow/nouns.ts";
import { listBefore } from "../../../flow/path-lists.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { kindOf, kindOfField, type RecordKind } from "../../../flow/record-kind.ts";
import { sharesIds } from "../../../flow/said/of-name.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { ObjectNode } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { recordAtHand as atHand, heldBefore } from "./at-hand.ts";
import { doubledIn } from "./doubled-member.ts";
import { idOfOtherList, idsOfOtherLists } from "./id-of-other-list.ts";
import { kindRead } from "./kind-read.ts";
import { kindsNamed, listsNamed } from "./kinds-named.ts";
import { memberWith } from "./other-role.ts";
import { shownBeside, shownInOwner } from "./shown-beside.ts";
import {
  type Around,
  fieldsInReach,
  isOfOtherField,
  tiesRecords,
  type Wanted,
  wantedBelowIn,
  wantedBy,
  wantedByTitle,
  wantedOf,
} from "./wanted-record.ts";

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
      bad: '{"!pipe": [{"!http": {"method": "POST", "path": "/orders", "body": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/products/«${piped_content.1.id}»/reviews", "body": {"list": "${custom_data.list.value}"}}}]}',
      good: '{"!pipe": [{"!http": {"method": "POST", "path": "/orders", "body": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/orders/${piped_content.1.id}/reviews", "body": {"list": "${custom_data.list.value}"}}}]}',
    },
  ],
});

const recordAtHand = defineRule<{
  read: string;
  given: string;
  wanted: string;
  place: string;
  instead: string;
}>({
  id: "value/record-at-hand",
  severity: "warning",
  summary: "The id of the wrong kind of record is sent, though the right one can be read there",
  why: "An id counts only among records of its own kind. With the wrong one, a request finds nothing or changes another record, and the customer's choice has no effect.",
  guards: ["command.!http", "command.!jq", "D12", "D17", "D18"],
  message: ({ read, given, wanted, place, instead }) =>
    `\`${read}\` is an id of \`${given}\`, but ${place} wants one of \`${wanted}\`, which \`${instead}\` is.`,
  because: ({ read, given, wanted, place, instead }) => [
    `\`${read}\` is an id of \`${given}\`, by its name or its list`,
    `${place} wants an id of \`${wanted}\`, by its name`,
    `\`${instead}\` is one`,
  ],
  help: ({ instead }) => `Did you mean \`${instead}\`?`,
  examples: [
    {
      title: "D12: what is chosen in another field",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "Owner", "id": "owner", "type": "dropdown", "options": {"!pipe": [{"!http": {"path": "/users"}}, {"!jq": "[.users[] | {display: .name, value: .id}]"}]}}',
      },
      bad: '{"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"email": "${piped_content.0.email}", "owner": {"id": "«${custom_data.list.value}»"}, "by": "${custom_data.owner.value}"}}}',
      good: '{"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"email": "${piped_content.0.email}", "owner": {"id": "${custom_data.owner.value}"}, "by": "${custom_data.owner.value}"}}}',
    },
    {
      title: "What another step gives",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/orders", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{order_id: .orders[0].id, product_id: .orders[0].product_id}"}, {"!http": {"method": "POST", "path": "/products/«${piped_content.2.order_id}»/reviews", "body": {"order": "${piped_content.2.order_id}", "product": "${piped_content.2.product_id}"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/orders", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{order_id: .orders[0].id, product_id: .orders[0].product_id}"}, {"!http": {"method": "POST", "path": "/products/${piped_content.2.product_id}/reviews", "body": {"order": "${piped_content.2.order_id}", "product": "${piped_content.2.product_id}"}}}]}',
    },
  ],
});

const recordOfOtherList = defineRule<{ read: string; given: string; wanted: string; place: string }>({
  id: "value/record-of-other-list",
  severity: "warning",
  summary: "A value that is called the id of one record goes where that of another record is wanted",
  why: "The service lists both kinds of records and counts each by itself. By the id of the one, a request finds nothing in the other list, or a record that has the same id by chance.",
  guards: ["command.!http", "command.!jq", "D17", "D18"],
  message: ({ read, given, wanted, place }) =>
    `\`${read}\` is an id of \`${given}\`, and ${place} wants one of \`${wanted}\`, of which there is a list of its own.`,
  because: ({ read, given, wanted, place }) => [
    `\`${read}\` is an id of \`${given}\`, by its name`,
    `${place} wants an id of \`${wanted}\`, by its name`,
    `requests go to lists of both`,
  ],
  help: ({ wanted }) => `Use an id of \`${wanted}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"method": "POST", "path": "/surveyors/match", "body": {"email": "${piped_content.0.email}", "list": "${custom_data.list.value}"}}}, {"!http": {"path": "/roofs/«${piped_content.1.surveyor.id}»"}}]}',
      good: '{"!pipe": [{"!http": {"method": "POST", "path": "/surveyors/match", "body": {"email": "${piped_content.0.email}", "list": "${custom_data.list.value}"}}}, {"!http": {"path": "/roofs/${piped_content.1.surveyor.roof_id}"}}]}',
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
  rules: [otherRecord, recordAtHand, recordOfOtherList, exchangedRecords, idOfOtherList],
  checks: {
    document(model, report) {
      const all = found(model);
      for (const one of all) {
        const { read, given, wanted, place, at, instead } = one;
        const other = exchangedWith(one, all);
        if (other === undefined && areShared(one, model)) continue;
        if (other === undefined && instead !== undefined)
          report(recordAtHand, at, { read, given, wanted, place, instead });
        else if (other === undefined || areSaid(one, other)) {
          const inTwo = idsOfOtherLists(model).get(at.node);
          if (inTwo !== undefined) report(idOfOtherList, at, { ...inTwo });
          else if (one.isOfTie) continue;
          else
            report(haveLists(one, model) ? recordOfOtherList : otherRecord, at, {
              read,
              given,
              wanted,
              place,
            });
        } else if ((at.node.start - other.at.node.start || at.from - other.at.from) < 0)
          report(exchangedRecords, at, { first: place, second: other.place, read, other: other.read }, [
            { message: "the other one", at: other.at },
          ]);
      }
    },
  },
};
export default module;

/** Whether a comment says that both have the same ids. */
function areShared({ given, wanted, at }: Found, model: Model): boolean {
  if (!hasComments(model)) return false;
  const command = model.expansions.find(({ node }) => node === at.node)?.command;
  return command !== undefined && sharesIds(wanted, given, command, model);
}

/** Found again in all parts once the document names other kinds of records. */
function found(model: Model): readonly Found[] {
  const kinds = [...kindsNamed(model)].sort().join();
  return foundByPart(model).flatMap((known) => {
    if (known.kinds !== kinds) {
      known.kinds = kinds;
      known.found = foundIn(known.part, model);
    }
    return known.found;
  });
}

const foundByPart = derivedByPart((part): readonly KnownFound[] => [{ part, kinds: undefined, found: [] }]);

interface KnownFound {
  readonly part: Part;
  kinds: string | undefined;
  found: readonly Found[];
}

/** What stands beside it with an id of the kind that this wants, and wants one of the kind that this has. */
function exchangedWith(one: Found, all: readonly Found[]): Found | undefined {
  const has = ({ nouns }: Found, wanted: string): boolean =>
    [...nouns].some((noun) => mayBeSame(noun, wanted));
  return all.find(
    (each) => each !== one && each.around === one.around && has(each, one.wanted) && has(one, each.wanted),
  );
}

/** Names that say it themselves are told as members that are crossed. */
const areSaid = (one: Found, other: Found): boolean => isSaid(one) && isSaid(other);

/** Whether names say of what kind both are, and the service has a list of each: then the one isn't a word for the other. */
function haveLists(one: Found, model: Model): boolean {
  const lists = listsNamed(model);
  if (
    one.isSaved ||
    !(one.isOwnInPath || isSaid(one)) ||
    !lists.has(one.wanted) ||
    isOfAnything.test(one.wanted)
  )
    return false;
  if (![...one.nouns].every((noun) => lists.has(noun) && !isOfAnything.test(noun))) return false;
  // A guide may be known by the id of the person, and a ticket by that of its order, as a comment says.
  if (
    isOfPerson(one.wanted, one.nouns) ||
    [...one.nouns].some((noun) => isOfPerson(noun, new Set([one.wanted])))
  )
    return one.instead !== undefined;
  return !isSaidOne(one, model);
}

const isOfPerson = (generic: string, nouns: ReadonlySet<string>): boolean =>
  /^(?:contact|human|individual|member|person|profile|user)$/.test(generic) &&
  [...nouns].some((noun) =>
    /(?:[^t]er|or|ist|ian|ant|ee|guide|pupil|coach|nurse|host|guest|chef|pilot|judge|minor|child|parent|patient|student|resident|client|tenant)$/.test(
      noun,
    ),
  );

/** Whether a comment says that two kinds of records go by one id: `A ticket has the number of its order`. */
function isSaidOne({ nouns, wanted, at }: Found, model: Model): boolean {
  if (!hasComments(model)) return false;
  return commentsAround(at.node, []).some(({ value }) =>
    value.split(/[.;](?=\s|$)/).some((clause) => {
      if (
        !/\b(?:same|share[sd]?|also|its|their|as)\b/i.test(clause) ||
        !/\b(?:id|ids|number|numbers|key|code)\b/i.test(clause)
      )
        return false;
      const words = new Set(wordsOf(clause).map(singular));
      return words.has(wanted) && [...nouns].some((noun) => words.has(noun));
    }),
  );
}

/** Whether another path below the list that an id is of has the very same. */
const isAskedFor = ({ nouns, read }: RecordKind, { node }: Expansion, { expansions }: Part): boolean =>
  expansions.some((each) => {
    if (each.position !== "path" || each.node === node) return false;
    const list = listBefore(each);
    if (list === undefined || !isPlural(list) || !nouns.has(nounOf(list) ?? "")) return false;
    return each.syntax.path.map(({ text }) => text).join(".") === read;
  });

/** What any record may be kept as. */
const isOfAnything =
  /^(?:account|asset|attachment|content|document|file|folder|identity|media|medium|node|note|object|page|party|post|site|space|store|unit|update|user)$/;

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
  /** Whether it is of what an intake saves of its registration, which is looked at as that. */
  readonly isSaved: boolean;
  /** Whether a path of the same part takes it for a record of its own list: `/slots/${piped_content.5.id}`. */
  readonly isOwnInPath: boolean;
  /** Whether it may be one of the two records that a third one ties together. */
  readonly isOfTie: boolean;
  /** What would be an id of the wanted kind. */
  readonly instead: string | undefined;
}

function foundIn(part: Part, model: Model): readonly Found[] {
  const kinds = kindsNamed(model);
  const found: Found[] = [];
  for (const expansion of part.expansions) {
    const { node, syntax, command, unit, root, position } = expansion;
    // Where a registration's own id goes is looked at as that.
    const isSaved = root === "data" && unit?.kind === "intake";
    if (command === undefined || isSaved || !mayBeId(expansion)) continue;
    const fields = () => fieldsInReach(command, unit);
    const isHeld = (noun: string) => heldBefore(noun, command, model) !== undefined;
    const place = { kinds, fields, model, isHeld };
    const known = wantedOf(expansion, place);
    const wanted = known ?? wantedPerson(expansion);
    if (wanted === undefined || isCalled(expansion, wanted.noun)) continue;
    const given = kindRead(expansion, model);
    if (given === undefined || given.nouns.has(wanted.noun) || areChosenAsOne(given, wanted.noun, place))
      continue;
    const isCertain = isOther(given, wanted.noun);
    if (!isCertain && (position === "path" || !isToldApart(given, wanted.noun))) continue;
    const asked = askedBefore(expansion, wanted.noun);
    const shown =
      asked ??
      shownBeside(expansion, wanted.noun, command, model) ??
      (position === "path" && isCertain ? idMentioned(expansion, wanted.noun, model) : undefined);
    if (shown === undefined && (!isCertain || known === undefined || !isNamed(given, kinds))) continue;
    if (position === "path" && root === "custom_data" && !isOfOtherField(wanted.noun, place)) continue;
    const around = node.parent?.kind === "member" && position !== "path" ? node.parent.parent : node;
    found.push({
      ...toldOf(given, wanted),
      at: { node, from: syntax.start, to: syntax.end },
      around,
      isSaved: false,
      isOwnInPath: isAskedFor(given, expansion, part),
      isOfTie: tiesRecords(expansion),
      // A member beside it may say of what kind the record is.
      instead: sayKind(around)
        ? undefined
        : (asked ?? atHand(wanted.noun, command, fields(), part, model) ?? shown),
    });
  }
  for (const program of part.programs)
    for (const each of foundInProgram(program, part, model)) found.push(each);
  return found;
}

/** Whether an expansion may read an id, as it is written: most don't. */
function mayBeId({ root, syntax: { path } }: Expansion): boolean {
  return root === "custom_data"
    ? path[2]?.text === "value"
    : /id[^a-z\d]*$/i.test(path.findLast(({ text }) => !/^\d+$/.test(text))?.text ?? "");
}

/** Whether an expansion reads a form field that is called as what is wanted, or as nothing: most are. */
function isCalled({ root, fields }: Expansion, wanted: string): boolean {
  const [field] = fields;
  if (root !== "custom_data" || field === undefined) return false;
  const own = nounOf(field.id ?? "");
  return own === undefined || mayBeSame(own, wanted);
}

/** The id of the wanted kind that the `!switch` around asks for in the same output: `if .host_id == null then 0 else 1 end`. */
function askedBefore({ root, syntax, command }: Expansion, noun: string): string | undefined {
  const [, index, member, ...below] = syntax.path;
  const around = command?.parent;
  if (root !== "piped_content" || around?.key !== "!switch" || member === undefined || below.length > 0)
    return undefined;
  if (around.stepsRun === 0 || Number(index?.text) !== around.stepsRun || around.program === undefined)
    return undefined;
  const { value } = around.program.node;
  for (const [, name] of value.matchAll(/(?<![\w$)\]}"?])\.([A-Za-z]\w*)\s*[!=]=\s*null\b/g))
    if (name !== member.text && nounOfId(name!) === noun) return `piped_content.${index!.text}.${name}`;
  return undefined;
}

function foundInProgram(program: JqProgram, part: Part, model: Model): readonly Found[] {
  const objects = nodesOfKind(program, "Object");
  if (objects.length === 0) return [];
  const { command } = program;
  const kinds = kindsNamed(model);
  const fields = () => fieldsInReach(command, command.unit);
  const isHeld = (noun: string) => heldBefore(noun, command, model) !== undefined;
  const around = { kinds, fields, model, isHeld };
  const below = wantedBelowIn(program);
  const found: Found[] = [];
  for (const object of objects)
    for (const { key, value } of object.entries) {
      const member = nameOf(key);
      if (member === undefined || value === undefined || isShown(member)) continue;
      const owner = below.size > 0 && isIdName(member) ? below.get(object) : undefined;
      const inner = bare(value);
      // What a program calls like a field may be of its own making.
      const isChosen = inner.kind === "Hole" && program.holes[inner.hole]?.root === "custom_data";
      const wanted =
        wantedBy(owner === undefined ? member : `${owner}_${member}`, around, isChosen) ??
        wantedByTitle(member, program, around);
      const given = wanted === undefined ? undefined : kindOf(inner, program, flowOf(model));
      if (wanted === undefined || given === undefined || given.nouns.has(wanted.noun)) continue;
      const isCertain = isOther(given, wanted.noun);
      if (!isCertain && !isToldApart(given, wanted.noun)) continue;
      if (areChosenAsOne(given, wanted.noun, around)) continue;
      const hole = inner.kind === "Hole" ? program.holes[inner.hole] : undefined;
      const shown =
        hole === undefined
          ? shownInOwner(inner, wanted.noun, program, model)
          : shownBeside(hole, wanted.noun, command, model);
      if (shown === undefined && (!isCertain || !isNamed(given, kinds))) continue;
      // That is told as what it is.
      if (doubledIn(object, program).some((each) => each.member === member)) continue;
      const isSaidBeside = object.entries.some(({ key: other }) => isKindName(nameOf(other) ?? ""));
      found.push({
        ...toldOf(given, wanted),
        at: { node: program.node, from: inner.start, to: inner.end },
        around: object,
        isOwnInPath: false,
        isSaved: /^intake\.(?:create|update)$/.test(command.place.name),
        isOfTie: false,
        instead: isSaidBeside
          ? undefined
          : (shown ??
            givenBeside(member, wanted.noun, command, model) ??
            atHand(wanted.noun, command, fields(), part, model)),
      });
    }
  return found;
}

/** What another case of the same `!switch` gives a member that is called so: `.person.id`. */
function givenBeside(
  member: string,
  noun: string,
  { parent, node }: Command,
  model: Model,
): string | undefined {
  if (parent?.key !== "!switch") return undefined;
  for (const other of parent.children) {
    const { program } = other ?? {};
    if (other?.node === node || program === undefined || program.diagnostics.length > 0) continue;
    for (const { key, value } of nodesOfKind(program, "Entry"))
      if (value !== undefined && nameOf(key) === member) {
        const kind = kindOf(bare(value), program, flowOf(model));
        if (kind?.nouns.has(noun)) return kind.read;
      }
  }
  return undefined;
}

const toldOf = ({ nouns, read }: RecordKind, { noun, place }: Wanted) => ({
  nouns,
  read,
  given: [...nouns].join(", "),
  wanted: noun,
  place,
});

/**
 * Whether words that are often used for one thing may stand for two here, once a comment shows both: `pupil` and `payer`. Anybody may be the
 * user or the assignee of something.
 */
const isToldApart = ({ nouns, read }: RecordKind, wanted: string): boolean =>
  isRole.test(wanted) ? nounOf(read.split(".").at(-2) ?? "") === wanted : !nouns.has(wanted);
const isRole =
  /^(?:account|agent|assignee|author|client|contact|creator|customer|employee|handler|identity|manager|member|owner|person|recipient|responsible|sender|staff|user)$/;

/** What a comment on the items of a pipeline calls the id of the wanted kind, where their own `id` is taken: `buyer_id`. */
function idMentioned(
  { syntax, command, root, unit }: Expansion,
  noun: string,
  model: Model,
): string | undefined {
  const [, index, name, ...below] = syntax.path;
  if (root !== "piped_content" || index?.text !== "0" || name?.text !== "id" || below.length > 0)
    return undefined;
  if (command?.place.name !== "data_pipeline.source" || !hasComments(model)) return undefined;
  for (const { value } of commentsAround(command.node, intakesAround(unit)))
    for (const [id] of value.matchAll(/(?<!\w)[A-Za-z]\w*(?:_id|Id)\b/g))
      if (nounOfId(id) === noun) return id;
  return undefined;
}

/** A person whom no path names: `employee_id`. */
function wantedPerson(expansion: Expansion): Wanted | undefined {
  const member = expansion.root === "piped_content" ? memberWith(expansion) : undefined;
  const noun = member === undefined ? undefined : nounOfId(member);
  return noun !== undefined && mayBeSame(noun, "person") ? { noun, place: `\`${member}\`` } : undefined;
}

/** Whether a record is certainly of another kind. */
function isOther({ nouns, below }: RecordKind, wanted: string): boolean {
  for (const noun of nouns) if (mayBeSame(noun, wanted)) return false;
  for (const noun of below ?? []) if (mayBeSame(noun, wanted)) return false;
  return true;
}

/** Whether a form field has records that are called both: a coordinator who is chosen from a list of staff. */
const areChosenAsOne = ({ nouns }: RecordKind, wanted: string, { fields, model }: Around): boolean =>
  fields().some((field) => {
    const own = kindOfField(field, flowOf(model))?.nouns;
    return own?.has(wanted) === true && [...nouns].some((noun) => own.has(noun));
  });

/** Whether its kind is told by something else too, as the wanted one is: the document asks for records of it. */
function isNamed({ nouns }: RecordKind, named: ReadonlySet<string>): boolean {
  for (const noun of nouns) if (named.has(noun)) return true;
  return false;
}

/** `owner_type` beside `owner_id`: it may be of any kind. The `type` of an object with an `id` was looked at. */
const isKindName = (name: string): boolean =>
  name !== "type" && /(?:^|_)(?:type|kind)$|[a-z](?:Type|Kind)$/.test(name);
const sayKind = (around: unknown): boolean =>
  isObject(around) && around.members.some(({ name }) => isKindName(name));
const isObject = (node: unknown): node is ObjectNode => (node as { kind?: unknown }).kind === "object";

/** What customers see and map may be called anything. */
const isShown = (member: string): boolean => member === "value" || member === "display";
