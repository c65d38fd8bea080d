import { type Type, types } from "@configc/jq";
import { escapedPattern } from "@configc/jq/internal";
import type { Command } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { isPlural } from "../../../flow/nouns.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { isOfThePast } from "../../../flow/said/of-others.ts";
import type { RuleModule } from "../../checks.ts";
import { fieldsOf } from "./body-fields.ts";
import { contentType, FORM } from "./form-fields.ts";

const listFormField = defineRule<{ name: string; why: string }>({
  id: "http/list-form-field",
  severity: "warning",
  summary: "A list is sent as a field of a form that takes one text",
  why: "In a form, a list becomes several fields of one name. A service that takes one text, such as `a,b`, keeps the first, the last or none of them.",
  guards: ["http.body", "http.headers", "D12", "D17", "D19"],
  message: ({ name, why }) => `The form-encoded field \`${name}\` gets a list, but ${why}.`,
  because: ({ name }) => [`\`${name}=a&${name}=b\` is sent`, "the service keeps one of them, or none"],
  help: () => 'Join it in an earlier `!jq`: `join(",")`.',
  examples: [
    {
      title: "D19: what a comment says",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http",
      with: {
        "/workflows/0/data_pipeline/_comment": '"The body is a form; lists are one text with commas."',
        "/workflows/0/setup/select/form_fields/0/type": '"multiselect"',
      },
      bad: '{"method": "POST", "path": "/people", "headers": {"content-type": "application/x-www-form-urlencoded"}, "body": {"lists": «"${custom_data.list.value}"»}}',
      good: '{"method": "POST", "path": "/people", "headers": {"content-type": "application/x-www-form-urlencoded"}, "body": {"list": "${custom_data.list.value.0}"}}',
    },
    {
      title: "D12: all that was chosen, in one field",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: { "/workflows/0/setup/select/form_fields/0/type": '"multiselect"' },
      bad: '{"!pipe": [{"!jq": "{email: .email, list_ids: ${custom_data.list.value}}"}, {"!http": {"method": "POST", "path": "/people", "headers": {"content-type": "application/x-www-form-urlencoded"}, "body": «"${piped_content.1}"»}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, list_ids: (${custom_data.list.value} | join(\\",\\"))}"}, {"!http": {"method": "POST", "path": "/people", "headers": {"content-type": "application/x-www-form-urlencoded"}, "body": "${piped_content.1}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [listFormField],
  checks: {
    reach: "saved",
    command: {
      "!http"(command, report, model) {
        const { argument } = command;
        if (argument?.kind !== "object" || contentType(argument)?.startsWith(FORM) !== true) return;
        const fields = fieldsOf(command, model);
        const lists = fields.filter(({ name, type }) => isOf(type, "array") && !isTags.test(name));
        const isFlat = new Set(lists.map(({ name }) => name)).size === 1;
        for (const { name, type, at } of fields) {
          if (!isOf(type, "array") || name.endsWith("[]")) continue;
          const why =
            saidOf(name, command, model) ??
            sentAsText(name, command, model) ??
            (isFlat ? namesAll(name, command, model) : undefined);
          if (why !== undefined) report(listFormField, at, { name, why });
        }
      },
    },
  },
};
export default module;

/** The contact's tags come with whatever was mapped. */
const isTags = /(?:^|\[)_tags\]?$/;

/** Whether a value is of one kind, if it is there. */
function isOf(type: Type, kind: Type["kind"]): boolean {
  const parts = types
    .partsOf(type)
    .filter(
      (part) => part.kind !== "null" && !(kind === "array" && part.kind === "string" && part.value === ""),
    );
  return parts.length > 0 && parts.every((part) => part.kind === kind);
}

/** What a comment says: that a form has texts alone, or that this field is one. */
function saidOf(name: string, { node }: Command, model: Model): string | undefined {
  if (!hasComments(model)) return undefined;
  const word = wordsOf(name).at(-1) ?? name;
  // `card_ids is one text` says it of the whole name, of which `ids` is a part.
  const own = new RegExp(`(?<![\\w-])(?:${escapedPattern(name)}|${escapedPattern(word)})(?![\\w-])`, "i");
  const clauses = documentedClauses(node, model.api === undefined ? [] : [model.api.node]);
  const found = clauses.find(
    ({ text }) =>
      !isOfThePast(text) &&
      (!ofElse.test(text) || /\b(?:form|body)\b/i.test(text)) &&
      ((/\bforms?\b|\bbody\b|\blists?\b|\barrays?\b|\bfields\b/i.test(text) && noLists.test(text)) ||
        (own.test(text) && oneText.test(text))),
  );
  return found === undefined ? undefined : "a comment says that it is one text";
}

/** What isn't sent, or isn't the body. */
const ofElse =
  /\b(?:answers?|responses?|answered|exports?|CSV|files?|query|URL|address|payloads?|deliveries|(?:the|an?|each|every|this) delivery)\b/i;

const noLists = new RegExp(
  [
    String.raw`\b(?:texts?|strings?|scalars?) only\b|\bonly (?:texts|strings|scalars)\b`,
    String.raw`\b(?:has|have|takes?|knows?|allows?) no (?:lists|arrays)\b|\bno (?:field|value)s? (?:is|are|may be|can be) (?:a )?(?:list|array)`,
    String.raw`\b(?:lists|arrays) are (?:one text|joined|texts?\b)|\bflat (?:fields|values|texts|form)\b|\b(?:fields|values|members) are (?:all )?flat\b`,
    // `form fields only, lists separated by commas`
    String.raw`\b(?:lists|arrays|several(?: values)?)(?: are| have to be| must be)? (?:separated|parted|divided|joined|delimited) (?:by|with) (?:an? )?(?:commas?|semicolons?|pipes?|blanks?)`,
    String.raw`\b(?:lists|arrays) (?:have|with|take) (?:commas|semicolons)\b|\b(?:comma|semicolon|pipe)[- ]separated (?:lists|values|arrays)\b`,
    String.raw`\b(?:an? )?(?:lists?|arrays?) (?:goes?|travels?|comes?|(?:is|are) (?:sent|written|passed|given)) as (?:a |one )?(?:single )?(?:text|string)\b`,
  ].join("|"),
  "i",
);
const oneText =
  /\bone text\b|\b(?:as|like) "?\w+(?:[,;|]\w+)+\b|\b(?:comma|semicolon|pipe)[- ](?:list|text|string)s?\b|\b(?:commas?|semicolons?|pipes?) between\b|\bwith (?:commas|semicolons)\b|\b(?:comma|semicolon)-separated\b|\b(?:separated|parted|divided|joined|delimited) (?:by|with) (?:an? )?(?:commas?|semicolons?|blanks?)\b/i;

/**
 * A name in the plural holds all of them in one text, such as `gift_ids=a,b`. What is sent once for each is named after one, such as `tag=a&tag=b`,
 * or has brackets: there, and where a comment says that a field comes more than once, a list is right.
 */
function namesAll(name: string, command: Command, model: Model): string | undefined {
  if (!isPlural(wordsOf(name).at(-1) ?? "") || !/^[a-z]\w*$/i.test(name)) return undefined;
  // An OpenAPI document says itself whether it is a list.
  if (model.samples.documents.length > 0) return undefined;
  const around = hasComments(model)
    ? documentedClauses(command.node, model.api === undefined ? [] : [model.api.node])
    : [];
  return around.some(({ text }) => comesOften.test(text))
    ? undefined
    : "a field of that name is one text with all of them";
}

const comesOften =
  /\b(?:repeat(?:ed|s|ing|able)?|more than once|several (?:times|fields|values)|many times|multiple times|once (?:for|per) (?:each|every|\w+)|one (?:field|value|pair) (?:for|per) (?:each|every|\w+)|multi-?value|arrays?|(?:as|is|are|takes?) (?:a |an )?lists?)\b/i;

/** Another request of the same pipeline that sends a text under this name. */
function sentAsText(name: string, command: Command, model: Model): string | undefined {
  const { unit } = command;
  if (unit?.kind !== "workflow" && unit?.kind !== "intake") return undefined;
  const isText = partOfUnit(unit, model).commands.some(
    (other) =>
      other !== command &&
      other.key === "!http" &&
      fieldsOf(other, model).some((field) => field.name === name && isOf(field.type, "string")),
  );
  return isText ? "another request sends a text there" : undefined;
}
