import type { Call, Expression, Node, Postfix } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedNulls } from "../../../flow/documented-nulls.ts";
import { hasComments, intakesAround } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { bare, nodesIn, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { trailsOf } from "../../../flow/origin.ts";
import { isOfOtherRequest } from "../../../flow/other-request.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { isSaidOfOtherOwner, isSaidOtherwise } from "../../../flow/said/taken-back.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { allIn } from "../workflow/commands.ts";
import { conditionalParts, failures, givenAt } from "./fails-on-null.ts";
import {
  asksForAddress,
  asksForChoice,
  asksForConsent,
  asksOfOptional,
  isLoose,
  operandsOf,
} from "./null-conditions.ts";

const documentedNull = defineRule<{ name: string; text: string }>({
  id: "jq/documented-null",
  severity: "warning",
  summary: "A program fails on a value that a comment says may be null",
  why: "Arithmetic, dates and most functions on texts and lists fail with null. The comment says that there are such records. Each of them fails and doesn't arrive.",
  guards: ["command.!jq", "D3", "D23", "D35"],
  message: ({ name, text }) => `A comment says that \`${name}\` may be null, and \`${text}\` fails then.`,
  because: ({ name, text }) => [`\`${name}\` is null`, `\`${text}\` fails: the record doesn't arrive`],
  help: ({ name }) => `Ask first: \`if .${name} == null then null else … end\`.`,
  examples: [
    {
      title: "Arithmetic",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/workflows/0/data_pipeline/_comment": '"fee_cents is null until the visit is invoiced."' },
      bad: '{"!jq": "{email: .email, fee: («.fee_cents / 100»)}"}',
      good: '{"!jq": "{email: .email, fee: (if .fee_cents == null then null else .fee_cents / 100 end)}"}',
    },
    {
      title: "A date",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/data_intake/0/_comment": '"back_at (null while the tool is out) is a time."' },
      bad: '{"!jq": "{email: .email, back: (.back_at | «fromdate» | strftime(\\"%F\\"))}"}',
      good: '{"!jq": "{email: .email, back: (if .back_at then .back_at | fromdate | strftime(\\"%F\\") else null end)}"}',
    },
    {
      title: "A condition on what is null at other times",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/data_intake/0/_comment":
          '"owner_id is null for shared parts. cost_cents is null until the job is booked."',
      },
      bad: '{"!jq": "if .owner_id == null then null else {email: .email, cost: («.cost_cents / 100»)} end"}',
      good: '{"!jq": "if .owner_id == null then null else {email: .email, cost: (if .cost_cents == null then null else .cost_cents / 100 end)} end"}',
    },
    {
      title: "A phone number of records that are chosen by a state",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/data_intake/0/_comment": '"{id, email, phone: \\"040 771-20\\" | null, standing: \\"full\\"}"',
      },
      bad: '{"!jq": "if .standing == \\"full\\" then {email: .email, phone: (.phone | «gsub(\\"[ -]\\"; \\"\\")»)} else null end"}',
      good: '{"!jq": "if .standing == \\"full\\" then {email: .email, phone: ((.phone // \\"\\") | gsub(\\"[ -]\\"; \\"\\"))} else null end"}',
    },
    {
      title: "An optional choice of states",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "Classes", "id": "classes", "type": "multiselect", "required": false, "options": [{"display": "On foot", "value": "foot"}, {"display": "By car", "value": "car"}]}',
        "/data_intake/0/_comment": '"vehicle is null for foot passengers."',
      },
      bad: '{"!jq": "(${custom_data.classes.value | default}) as $wanted | . as $b | if ($wanted | length) > 0 and (any($wanted[]; . == $b.class) | not) then null else {email: .email, plate: (.vehicle.plate | «ascii_upcase»)} end"}',
      good: '{"!jq": "(${custom_data.classes.value | default}) as $wanted | . as $b | if ($wanted | length) > 0 and (any($wanted[]; . == $b.class) | not) then null else {email: .email, plate: (if .vehicle == null then null else .vehicle.plate | ascii_upcase end)} end"}',
    },
  ],
});

const nullInText = defineRule<{ name: string; text: string }>({
  id: "jq/documented-null-text",
  severity: "warning",
  summary: "A text is made of a value that a comment says may be null",
  why: "In a text of jq, null is written as “null”. The comment says that there are such records. Each of them brings a contact who is called “null null”, and nothing fails.",
  guards: ["command.!jq", "D3", "D9", "D23"],
  message: ({ name, text }) =>
    `A comment says that \`${name}\` may be null. \`${text}\` is written as “null” in this text then.`,
  because: ({ name, text }) => [`\`${name}\` is null`, `\`\\(${text})\` gives the text “null”`],
  help: ({ name }) => `Ask first: \`if .${name} == null then null else … end\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: {
        "/workflows/0/data_pipeline/_comment":
          '"technician is one of our own people, and null before planning."',
      },
      bad: '{"!jq": "{email: .email, technician: \\"\\\\(«.technician.first») \\\\(.technician.last)\\"}"}',
      good: '{"!jq": "{email: .email, technician: (if .technician == null then null else \\"\\\\(.technician.first) \\\\(.technician.last)\\" end)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [documentedNull, nullInText],
  checks: {
    reach: "saved",
    program(program, report, model) {
      if (!hasComments(model) || program.diagnostics.length > 0) return;
      const nulls = documentedNulls(program.node, intakesAround(program.command.unit));
      if (nulls.size === 0) return;
      const isOfOther = (read: Postfix, name: string, comment: StringNode): boolean =>
        isOfOtherRequest(comment, trailsOf(flowOf(model), program, read)) ||
        isSaidOtherwise(name, [comment]) ||
        isSaidOfOtherOwner(read, name, comment);
      const told = new Set<string>();
      for (const { text, read, name } of writtenIn(program, nulls)) {
        if (told.has(name)) continue;
        const conditions = conditionalParts(
          program.tree.body,
          text,
          (select) => mayTell(select, name),
          (condition) => !asksForAddress(condition, name),
        );
        if (conditions.length > 0 || isOfOther(read, name, nulls.get(name)!)) continue;
        told.add(name);
        const at = { node: program.node, from: read.start, to: read.end };
        report(nullInText, at, { name, text: excerpt(textAt(read, program)) }, [
          { message: "the comment", at: nulls.get(name)! },
        ]);
      }
      for (const read of nodesOfKind(program, "Postfix")) {
        const { name, below } = nullIn(read, nulls) ?? {};
        const comment = name === undefined ? undefined : nulls.get(name);
        const given = comment === undefined || told.has(name!) ? undefined : givenAt(read, program);
        if (given === undefined || below === undefined) continue;
        const value = { ...given, path: given.path.slice(0, given.path.length - below) };
        // What is read below it in a case may be there whenever that is chosen.
        if (below > 0 && (value.path.at(-1) !== name || isChosen(program.command))) continue;
        if (isChosenByState(program.command, name!, comment!.value)) continue;
        told.add(name!);
        // What is only reached on a condition may be reached where there is one.
        const failed = failures(program, value).find(
          (site) =>
            conditionalParts(
              program.tree.body,
              site,
              (select) => mayTell(select, name!),
              (condition) =>
                !isLeftToSetup(condition, site, program) &&
                !isPassedForOther(condition, site, { name: name!, comment: comment!.value }, program) &&
                operandsOf(condition).some(
                  (each) =>
                    mayDecide(each, name!, comment!.value, program) &&
                    !(asksForRecord(each) && !isDecidedBefore(program.command, name!, comment!.value)),
                ),
            ).length === 0,
        );
        if (failed === undefined || isOfOther(read, name!, comment!)) continue;
        const at = { node: program.node, from: failed.start, to: failed.end };
        report(documentedNull, at, { name: name!, text: excerpt(textAt(failed, program)) }, [
          { message: "the comment", at: comment! },
        ]);
      }
    },
  },
};
export default module;

/** Whether a command runs in a case of a `!switch`. */
function isChosen({ parent }: Command): boolean {
  return parent !== undefined && (parent.key === "!switch" || isChosen(parent));
}

/**
 * Whether a command runs in a case that is for some states of a record, those without a null perhaps: `if .result == "nobody_there" then 0
 * else 1 end`. That a record has an address says nothing of it.
 */
function isChosenByState({ parent }: Command, name: string, comment: string): boolean {
  if (parent === undefined) return false;
  if (isChosenByState(parent, name, comment)) return true;
  const { key, program } = parent;
  if (key !== "!switch" || program === undefined) return false;
  const decisions = nodesOfKind(program, "If").flatMap(({ branches }) => branches);
  // A table of states: `{open: 0, closed: 1}[.state]`
  if (decisions.length === 0) return true;
  return decisions.some(({ condition }) => mayDecide(condition, name, comment, program));
}

/** The last member of a path that may be null, and how many are read below it: `stay` of `.stay.kind`. */
function nullIn({ suffixes }: Postfix, nulls: ReadonlyMap<string, unknown>) {
  for (let index = suffixes.length - 1; index >= 0; index--) {
    const suffix = suffixes[index];
    if (suffix?.kind !== "Field" || suffix.key.kind !== "Name") return undefined;
    if (nulls.has(suffix.key.text)) return { name: suffix.key.text, below: suffixes.length - 1 - index };
  }
  return undefined;
}

/** What texts are made of that may be null, by a comment: `"\(.technician.first_name)"`. */
function* writtenIn(program: JqProgram, nulls: ReadonlyMap<string, unknown>) {
  for (const text of nodesOfKind(program, "Entry").flatMap(({ value }) =>
    value === undefined ? [] : [bare(value)],
  )) {
    if (text.kind !== "String") continue;
    for (const part of text.parts) {
      const read = part.kind === "Interpolation" ? bare(part.expression) : undefined;
      if (read?.kind !== "Postfix" || givenAt(read, program) === undefined) continue;
      const names = read.suffixes.flatMap((suffix) =>
        suffix.kind === "Field" && suffix.key.kind === "Name" ? [suffix.key.text] : [],
      );
      const name = names.find((each) => nulls.has(each));
      if (name !== undefined) yield { text, read, name };
    }
  }
}

/**
 * Whether what passes records over does so only in some setups, and the site is what runs otherwise: `if ($kinds | length) > 0 and … then
 * null else SITE end`, where a customer may choose none.
 */
function isLeftToSetup(condition: Expression, site: Node, program: JqProgram): boolean {
  const node = bare(condition);
  if (node.kind !== "Logical" || node.operator !== "and") return false;
  const branch = nodesOfKind(program, "If")
    .flatMap(({ branches }) => branches)
    .find((each) => each.condition === condition);
  if (branch === undefined || site.start < branch.body.end) return false;
  return node.operands.some((operand) => asksOfOptional(operand, program));
}

/**
 * Whether what passes records over asks for single states or flags, though what is null is so because nobody has set it or asked for it:
 * `if .state == "draft" … then null else SITE`. In no other state needs it to be there.
 */
function isPassedForOther(
  condition: Expression,
  site: Node,
  { name, comment }: { readonly name: string; readonly comment: string },
  program: JqProgram,
): boolean {
  if (!isOfNobody(name, comment)) return false;
  const branch = nodesOfKind(program, "If")
    .flatMap(({ branches }) => branches)
    .find((each) => each.condition === condition);
  if (branch === undefined || site.start < branch.body.end || constantOf(branch.body) !== null) return false;
  const node = bare(condition);
  const operands = node.kind === "Logical" && node.operator === "and" ? [] : operandsOf(condition);
  return (
    operands.length > 0 &&
    operands.every(
      (each) =>
        asksForAddress(each, name) || asksForChoice(each, name, program) || isOneState(each, name, program),
    )
  );
}

/** `.state == "draft"` and `.do_not_contact`; a state or a flag that tells of plans may be the one without the value. */
function isOneState(given: Expression, name: string, program: JqProgram): boolean {
  const node = bare(given);
  const isState =
    node.kind === "Comparison" && node.operator === "==" && typeof constantOf(node.right) === "string";
  const asked = isState ? bare(node.left) : node;
  if (asked.kind !== "Postfix" || asked.suffixes.some(({ kind }) => kind !== "Field")) return false;
  const words = wordsOf(asked.suffixes.map((suffix) => textAt(suffix, program)).join("_"));
  return !wordsOf(name).some((word) => words.includes(word)) && !ofPlans.test(textAt(given, program));
}

const ofPlans =
  /(?<![a-z])(?:un[a-z]+|in[a-z]+|no(?![a-z])|without|missing|schedul|plan|pending|open|wait|tbd|tba|lacks)/i;

/** `hearing_on is …, null while no day is set`, `channel: e, p or null (never asked)`: no state of the record says when it is so. */
const isOfNobody = (name: string, comment: string): boolean =>
  new RegExp(
    `(?<![\\w-])${escapedPattern(name)}["'\`]?(?: (?:is|are|comes?)|:) (?:[^.;()]{1,60}[ ,]|)null,? (?:\\((?:never|not) (?:asked|given|told|known|answered)\\)|\\(unknown\\)|(?:while|if|when|where|until|as long as) (?:(?:no|an?|the|one|its?) (?:\\w+ )?(?:is|has been|was) (?:set|known|fixed|agreed|given|chosen|named|asked for)|nobody \\w+|(?:it is )?(?:not known|unknown|never asked)))`,
  ).test(comment);

/** Whether a condition may hold for the records alone that have a member. */
function mayDecide(condition: Expression, name: string, comment: string, program: JqProgram): boolean {
  return (
    !asksForEmptyText(condition, name) &&
    !asksForAddress(condition, name) &&
    !asksForOtherNull(condition, name, comment) &&
    !asksForConsent(condition, name, program) &&
    !((isSample(name, comment) || isNoReason(name, comment)) && asksForChoice(condition, name, program)) &&
    !(
      (isContactDetail(name, comment) || isNoReason(name, comment)) &&
      isOfOtherMember(condition, name, program)
    )
  );
}

/** `.email == ""`: null isn't the empty text, so what asks for that alone says nothing of it. */
function asksForEmptyText(condition: Expression, name: string): boolean {
  const node = bare(condition);
  if (node.kind !== "Comparison" || constantOf(node.right) !== "") return false;
  const asked = bare(node.left);
  return asked.kind === "Postfix" && nameOfValue(asked) === name;
}

/** `. == null`: whether a step before has passed the record over. */
function asksForRecord(condition: Expression): boolean {
  const node = bare(condition);
  if (node.kind !== "Comparison") return node.kind === "Identity";
  const [asked, other] = [bare(node.left), bare(node.right)];
  return (
    (asked.kind === "Identity" && constantOf(other) === null) ||
    (other.kind === "Identity" && constantOf(asked) === null)
  );
}

/** Whether the steps before a command may have passed over the records whose member is null. */
function isDecidedBefore(command: Command, name: string, comment: string): boolean {
  const { pipe, stepsRun } = command;
  if (pipe === undefined || isChosen(command)) return true;
  return pipe.children
    .slice(0, stepsRun)
    .flatMap((step) => (step === undefined ? [] : (allIn(step) ?? [step])))
    .some(
      ({ program }) =>
        program !== undefined &&
        (program.diagnostics.length > 0 ||
          /\b(?:select|empty|error)\b/.test(program.node.value) ||
          nodesOfKind(program, "If").some(({ branches }) =>
            branches.some(({ condition, body }) => {
              const isPast = constantOf(body) === null;
              if (isPast && isLoose(condition, (each) => !mayDecide(each, name, comment, program)))
                return false;
              return operandsOf(condition).some((each) => mayDecide(each, name, comment, program));
            }),
          )),
    );
}

/** `.tenant_id == null`, where a comment says of both when they are null: at other times, so the one says nothing of the other. */
function asksForOtherNull(condition: Expression, member: string, comment: string): boolean {
  const node = bare(condition);
  if (node.kind !== "Comparison" || constantOf(node.right) !== null) return false;
  const read = bare(node.left);
  const name = read.kind === "Postfix" ? nameOfValue(read) : undefined;
  if (name === undefined || name === member) return false;
  const [own, other] = [member, name].map((each) => reasonOf(each, comment));
  return own !== undefined && other !== undefined && own !== other;
}

/** When a member is null, as a comment says it: `for stairs and roofs`. */
const reasonOf = (name: string, comment: string): string | undefined =>
  new RegExp(
    `(?<![\\w-])${escapedPattern(name)}[\`"]? (?:is|are) (?:null|missing) ((?:for|until|while|before|unless|where|when|if) [^.;:,()]{3,80}?)(?= and \\w+ (?:is|are)\\b|[.;:,()]|$)`,
  ).exec(comment)?.[1];

/** `plan is null for a patient without one`: that says of no state when it is so. */
const isNoReason = (name: string, comment: string): boolean =>
  /\b(?:without (?:one|any|it)|who (?:has|have) (?:none|no such)|that (?:has|have) none|if there is none|where there is none)$|^for (?:many|most|some|a few|several) (?!.*\b(?:kinds?|types?|states?|status(?:es)?|stages?|events?|classes)$)/.test(
    reasonOf(name, comment) ?? "",
  );

/** Whether a comment shows a record that has null there: `"promised_at": null`. */
const isSample = (name: string, comment: string): boolean =>
  new RegExp(`(?<![\\w-])"${escapedPattern(name)}"\\s*:\\s*null\\s*[,}]`).test(comment);

/** A phone or a name that a comment shows as `| null` or calls so in general: no state of the record says whether it is there. */
function isContactDetail(name: string, comment: string): boolean {
  if (!isDetail.test(wordsOf(name).join(" "))) return false;
  const places = [...comment.matchAll(new RegExp(`(?<![\\w-])${escapedPattern(name)}(?![\\w-])`, "g"))]
    .map(({ index }) => comment.slice(index + name.length, index + name.length + NEAR))
    // What a sample shows says nothing of when it is so.
    .filter((behind, _, all) => all.length === 1 || !inSample.test(behind));
  const [behind] = places;
  // What is said of it elsewhere may be when it is null.
  return behind !== undefined && places.length === 1 && inGeneral.test(behind);
}

const isDetail =
  /\b(?:phone|mobile|fax|tel|telephone|e ?mail|(?:first|last|given|family|middle|full) name|street|city|town|country|postcode|zip|birthday|born(?: on)?|birth date|date of birth)(?: number| address)?$/;
/** So far behind a name is looked for how it is shown. */
const NEAR = 60;
/** `": null,`, `": "040 771-20"}` */
const inSample = /^"\s*:\s*(?:null|"[^"]*")\s*[,}\]]/;
/** `: "040 771-20" | null,`, ` may be null.`, `: null or "…"`, but nothing of when. */
const inGeneral =
  /^["`]?(?::?\s*(?:"[^"]*"|\w+)\s*(?:\||or)\s*null\s*(?=[,}\].;]|$)|:?\s*null\s*(?:\||or)\s*(?:"[^"]*"|\w+)\s*(?=[,}\].;]|$)|(?:(?:, \w+)*,? and \w+)?\s+(?:(?:may|can|might|could) (?:each |all |both )?be|is sometimes|is often) null\s*(?=[,.;)]|$))/;

/** Whether a condition says nothing of a way to reach somebody: a state, a chosen kind. */
function isOfOtherMember(condition: Expression, name: string, program: JqProgram): boolean {
  // What the steps before decided is asked for there.
  if (asksForRecord(condition)) return false;
  const asked = wordsOf(textAt(condition, program).replace(/\W+/g, "_"));
  if (
    asked.some((word) =>
      /^(?:phone|mobile|tel|sms|call|text|mail|email|contact|complete|valid|has|all|any)/.test(word),
    )
  )
    return false;
  return (
    !wordsOf(name).some((word) => asked.includes(word)) &&
    nodesIn(condition).every(
      (each) => each.kind !== "Variable" || boundTo(program, each)?.kind !== "Comparison",
    ) &&
    nodesIn(condition).every((each) => each.kind !== "Call" || simple.has(each.name.text))
  );
}

/** What asks a value itself, and nothing that the program defines. */
const simple: ReadonlySet<string> = new Set(
  "null true false index inside IN contains length startswith endswith ascii_downcase ascii_upcase tonumber tostring not now fromdate".split(
    " ",
  ),
);

/** Whether a `select` may keep out the records whose member is null: it asks for it, or for some state. */
function mayTell({ arguments: [condition] }: Call, name: string): boolean {
  if (condition === undefined) return true;
  const parts = nodesIn(condition);
  return (
    parts.some(
      (each) =>
        (each.kind === "String" && constantOf(each) !== "") ||
        (each.kind === "Field" && each.key.kind === "Name" && each.key.text === name) ||
        (each.kind === "Logical" && each.operands.some((operand) => bare(operand).kind === "Postfix")),
    ) || bare(condition).kind === "Postfix"
  );
}
