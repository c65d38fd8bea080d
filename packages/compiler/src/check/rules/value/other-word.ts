import { groupBy, nearest } from "@configc/jq/internal";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { optionWords, programWords, requestWords, type Word } from "../../../flow/vocabulary.ts";
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
    looksFar: true,
    document(model, report) {
      for (const { word, other } of strangersIn(model, true))
        report(notOffered, word.at, { text: word.text, subject: word.subject, other: other.text }, [
          { message: "offered", at: other.at },
        ]);
    },
  },
};
export default module;

// What was found in a part is kept over edits elsewhere.
const wordsByPart = [programWords, optionWords, requestWords].map((ofPart) => derivedByPart(ofPart));

/** Words that stand once, beside one that is nearly the same and says the same of the same thing. */
export function* strangersIn(model: Model, isOffered: boolean): Generator<{ word: Word; other: Word }> {
  const words = wordsByPart.flatMap((wordsOf) => wordsOf(model));
  for (const same of groupBy(words, ({ subject }) => subject).values()) {
    const texts = new Set(same.map(({ text }) => text));
    if (texts.size < 2) continue;
    for (const word of same) {
      if (word.isOffered || word.isCompared || same.some((each) => each !== word && each.text === word.text))
        continue;
      const candidates = same.filter((each) => each.text !== word.text && each.source !== word.source);
      const found = nearest(
        word.text,
        candidates.map(({ text }) => text),
      );
      if (found === undefined || !isSlip(word.text, found)) continue;
      // Who writes both at one place knows them apart.
      if (same.some(({ text, source }) => text === found && source === word.source)) continue;
      const other = candidates.find(({ text, isOffered: is }) => text === found && is);
      if ((other !== undefined) !== isOffered) continue;
      yield { word, other: other ?? candidates.find(({ text }) => text === found)! };
    }
  }
}

/** One or two letters at the end or in the middle, but no word that turns the meaning, and no other word. */
function isSlip(text: string, other: string): boolean {
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
