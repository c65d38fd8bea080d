import { type Expression, type Type, types } from "@configc/jq";
import { constantOf, escapedPattern, groupBy, nearest } from "@configc/jq/internal";
import type { FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { chosenPairs } from "../../../flow/chosen-comparisons.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { inferNodes } from "../../../flow/inference.ts";
import { bare, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { resolved } from "../../../flow/protocol/forms.ts";
import { optionWords, programWords, requestWords, type Word } from "../../../flow/vocabulary.ts";
import type { StringPart } from "../../../parse/document.ts";
import { type JsonNode, objectItems } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";

const notOffered = defineRule<{ text: string; subject: string; other: string }>({
  id: "value/not-offered",
  severity: "warning",
  summary: "A text is almost one that customers choose or that is registered",
  why: "Texts are compared letter by letter. With one letter more, what was chosen never matches, and there's no error anywhere.",
  guards: ["field.options", "command.!jq", "D23"],
  message: ({ text, subject, other }) =>
    `No \`${subject}\` of this app is \`${text}\`. It's offered as \`${other}\`.`,
  because: ({ text, other }) => [`offered: \`${other}\``, `written here: \`${text}\``],
  help: ({ other }) => `Write \`${other}\`.`,
  examples: [
    {
      title: "A default that is no option",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/setup/select/form_fields/1":
          '{"label": "Stage", "id": "stage", "type": "dropdown", "required": false, "options": [{"display": "Lead", "value": "lead"}, {"display": "Customer", "value": "customer"}]}',
      },
      bad: '{"!pipe": [{"!jq": "{email: .email, stage: ${custom_data.stage.value | default:«leads»}}"}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.1}"}}]}',
      good: '{"!pipe": [{"!jq": "{email: .email, stage: ${custom_data.stage.value | default:lead}}"}, {"!http": {"method": "POST", "path": "/people", "body": "${piped_content.1}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [notOffered],
  checks: {
    reach: "saved",
    program(program, report, model) {
      for (const { text, at, subject, other } of unmatchedIn(program, model))
        report(notOffered, at, { text, subject, other: other.text }, [{ message: "offered", at: other.at }]);
    },
    document(model, report) {
      for (const { word, other } of strangersIn(model, true))
        report(notOffered, word.at, { text: word.text, subject: word.subject, other: other.text }, [
          { message: "offered", at: other.at },
        ]);
    },
  },
};
export default module;

/**
 * Words that a program makes and compares with what a customer chose, where one is no option, and one option is neither among them nor
 * looked at otherwise: who chooses that one never gets anything.
 */
function unmatchedIn(program: JqProgram, model: Model) {
  const flow = flowOf(model);
  const told = new Set<string>();
  return chosenPairs(program, "value").flatMap(({ chosen, other }) => {
    const [field, ...others] = chosen.fields;
    if (field === undefined || others.length > 0 || !chosen.fieldExact || program.diagnostics.length > 0)
      return [];
    if (bare(other).kind === "String") return [];
    const options = optionsOf(field);
    if (options.length < 2) return [];
    const { nodes } = inferNodes(program, flow.programInput(program), flow.holes(program));
    const type = nodes.get(other)?.output ?? nodes.get(bare(other))?.output;
    const words = tableTexts(other, program) ?? textsOf(type?.kind === "array" ? type.items : type);
    const strangers = words.filter((word) => !options.some(({ text }) => text === word));
    if (strangers.length === 0 || strangers.length === words.length) return [];
    const texts = constantsBeside(field, program, model).filter((each) => !words.includes(each));
    const missed = options.filter(
      ({ text }) =>
        !words.includes(text) && !texts.some((each) => each.includes(text) || text.startsWith(each)),
    );
    return missed.flatMap((option) => {
      const near = nearest(option.text, strangers);
      const isAlone = missed.length === 1 && strangers.length === 1;
      const text =
        near !== undefined && isSlip(near, option.text) ? near : isAlone ? strangers[0] : undefined;
      if (text === undefined || told.has(text)) return [];
      told.add(text);
      const written = nodesOfKind(program, "String").find((each) => constantOf(each) === text);
      return [{ text, at: partAt(program, written ?? other), subject: field.id ?? "", other: option }];
    });
  });
}

/** The options that stand in the document; none where one isn't known. */
function optionsOf({ node }: FieldSymbol): readonly { readonly text: string; readonly at: StringPart }[] {
  const items = objectItems(node.get("options"));
  const known = items.flatMap((item) => {
    const value = item.get("value");
    return value?.kind === "string"
      ? [{ text: value.value, at: { node: value, from: 0, to: value.value.length } }]
      : [];
  });
  return known.length === items.length ? known : [];
}

/** The texts that an expression gives, null aside; none where it may give something else. */
function textsOf(type: Type | undefined): readonly string[] {
  const parts = types.partsOf(type ?? types.unknown).filter(({ kind }) => kind !== "null");
  const texts = parts.flatMap((part) =>
    part.kind === "string" && part.value !== undefined ? [part.value] : [],
  );
  return texts.length === parts.length ? texts : [];
}

/** The texts of a table in which something is looked up: `{"a": "active"}[.state]`. */
function tableTexts(node: Expression, program: JqProgram): readonly string[] | undefined {
  const found = resolved(node, program);
  const [suffix, ...others] = found?.kind === "Postfix" ? found.suffixes : [];
  const table = found?.kind === "Postfix" ? resolved(found.head as Expression, program) : undefined;
  if (table?.kind !== "Object" || suffix?.kind !== "Index" || others.length > 0) return undefined;
  const texts = table.entries.map(({ value }) => (value === undefined ? undefined : constantOf(value)));
  return texts.every((text): text is string => typeof text === "string") ? texts : undefined;
}

/** The texts in programs that look at a field: an option may be asked for by one. */
const constantsBeside = (field: FieldSymbol, program: JqProgram, model: Model): readonly string[] =>
  [program, ...partOfUnit(field.workflow, model).programs]
    .filter(
      ({ holes, diagnostics }) =>
        diagnostics.length === 0 && holes.some(({ fields }) => fields.includes(field)),
    )
    .flatMap((each) => nodesOfKind(each, "String"))
    .flatMap((each) => {
      const text = constantOf(each);
      return typeof text === "string" && text.length > 1 ? [text] : [];
    });

// What was found in a part is kept over edits elsewhere.
const wordsByPart = [programWords, optionWords, requestWords].map((ofPart) => derivedByPart(ofPart));

/** The words of a document: those that programs know, that customers choose among, and that requests send. */
export const wordsIn: (model: Model) => readonly Word[] = derived((model) =>
  wordsByPart.flatMap((wordsOf) => wordsOf(model)),
);

/** A word that stands once, beside one that is nearly the same and says the same of the same thing. */
interface Stranger {
  readonly word: Word;
  readonly other: Word;
  /** Whether the other one is offered. */
  readonly isOffered: boolean;
}

export const strangersIn = (model: Model, isOffered: boolean): readonly Stranger[] =>
  strangers(model).filter((each) => each.isOffered === isOffered);

const strangers = derived((model): readonly Stranger[] => {
  const found: Stranger[] = [];
  for (const same of groupBy(wordsIn(model), ({ subject }) => subject).values()) {
    const texts = new Set(same.map(({ text }) => text));
    if (texts.size < 2) continue;
    for (const word of same) {
      if (word.isOffered || word.isCompared || same.some((each) => each !== word && each.text === word.text))
        continue;
      const candidates = same.filter((each) => each.text !== word.text && each.source !== word.source);
      const near = nearest(
        word.text,
        candidates.map(({ text }) => text),
      );
      if (near === undefined || !isSlip(word.text, near)) continue;
      // Who writes both at one place knows them apart.
      if (same.some(({ text, source }) => text === near && source === word.source)) continue;
      // The service may have `paused` beside `pause`.
      if (hasComments(model) && isSaid(word.text, model)) continue;
      if ([word, ...candidates].some((each) => isLabel(each, each === word ? near : word.text))) continue;
      const offered = candidates.find(({ text, isOffered }) => text === near && isOffered);
      const other = offered ?? candidates.find(({ text }) => text === near)!;
      found.push({ word, other, isOffered: offered !== undefined });
    }
  }
  return found;
});

/** Whether a comment has a word, whatever it says of it. */
function isSaid(text: string, { document: { root } }: Model): boolean {
  const said = new RegExp(`(?<![\\w-])${escapedPattern(text)}(?![\\w-])`);
  return root !== undefined && commentsBelow(root).some(({ value }) => said.test(value));
}

/** `Ended`, which a program makes of `ENDED`, and `IN_PERSON` of `in-person`: one's word as the other writes it. */
const isLabel = ({ text, isMade }: Word, other: string): boolean =>
  isMade === true &&
  text !== text.toLowerCase() &&
  text !== other &&
  wordsOf(text.toLowerCase()).join(" ") === wordsOf(other.toLowerCase()).join(" ");

/** The options beside which a word is told as one that isn't offered. */
export const optionsMissed = (model: Model): ReadonlySet<JsonNode> =>
  new Set([
    ...strangersIn(model, true).map(({ other }) => other.at.node),
    ...model.programs.flatMap((program) => unmatchedIn(program, model).map(({ other }) => other.at.node)),
  ]);

/** One or two letters at the end or in the middle, but no word that turns the meaning, and no other word. */
export function isSlip(text: string, other: string): boolean {
  const [a, b] = [wordsOf(text), wordsOf(other)];
  if (a.length !== b.length) return a.join("") === b.join("");
  return a.every((word, index) => {
    const own = b[index]!;
    if (word === own) return true;
    const [short, long] = word.length < own.length ? [word, own] : [own, word];
    if (/^(?:un|in|non|dis|im|de)/.test(long) && long.endsWith(short)) return false;
    return (
      short.length >= 4 &&
      (long.includes(short) || short.slice(0, 3) === long.slice(0, 3)) &&
      long.length - short.length <= 2
    );
  });
}
