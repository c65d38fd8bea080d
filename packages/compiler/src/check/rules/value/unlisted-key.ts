import type { Expression, ObjectConstruction } from "@configc/jq";
import { constantOf, escapedPattern, groupBy } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { chosenComparisons } from "../../../flow/chosen-comparisons.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import type { StringPart } from "../../../parse/document.ts";
import { objectItems, type StringNode, textOf } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";

const unlistedKey = defineRule<{ member: string; word: string; words: readonly string[] }>({
  id: "value/unlisted-key",
  severity: "warning",
  summary: "A member is compared with a word that the table for it has otherwise",
  why: "A status or a kind has a fixed set of words. A table that knows it as `DEP` and a comparison with `DEPARTURE` can't both be right: one of the two never matches, and nothing fails.",
  guards: ["command.!jq", "D23"],
  message: ({ member, word, words }) =>
    `\`${member}\` is \`${word}\` here, but a table has ${allNames(words)}.`,
  because: ({ word, words }) => [`the table: ${allNames(words)}`, `here: \`${word}\``],
  help: () => "Write the same word in both places.",
  examples: [
    {
      title: "Beside a table",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, kind: {DEP: \\"Departure\\", STAY: \\"Stay\\"}[.kind], left: (.kind == «\\"DEPARTURE\\"»)}"}',
      good: '{"!jq": "{email: .email, kind: {DEP: \\"Departure\\", STAY: \\"Stay\\"}[.kind], left: (.kind == \\"DEP\\")}"}',
      also: ["value/other-spelling"],
    },
    {
      title: "An option",
      in: "inbound-webhook",
      at: "/workflows/0/setup/select/form_fields/1",
      with: {
        "/workflows/0/data_pipeline/source":
          '{"!jq": ".state as $s | if (${custom_data.states.value} | index($s)) == null then null else {email: .email, state: {\\"booked\\": \\"Booked\\", \\"done\\": \\"Chimney swept\\", \\"off\\": \\"Called off\\"}[.state]} end"}',
      },
      bad: '{"label": "States", "id": "states", "type": "multiselect", "options": [{"display": "Booked", "value": "booked"}, {"display": "Swept", "value": "«swept»"}, {"display": "Called off", "value": "off"}]}',
      good: '{"label": "States", "id": "states", "type": "multiselect", "options": [{"display": "Booked", "value": "booked"}, {"display": "Swept", "value": "done"}, {"display": "Called off", "value": "off"}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [unlistedKey],
  checks: {
    document(model, report) {
      for (const { at, ...args } of strangers(model))
        if (isOnce(args.word, model)) report(unlistedKey, at, args);
      for (const { at, ...args } of labels(model))
        if (isWrittenOnce(args.word, model, 2)) report(unlistedKey, at, args);
      for (const { at, missed, ...args } of oddKeys(model))
        if (isWritten(args.word, 1, model) && !isWritten(missed, 1, model)) report(unlistedKey, at, args);
      for (const { at, ...args } of shownElsewhere(model))
        if (isWritten(args.word, 1, model)) report(unlistedKey, at, args);
      for (const { at, ...args } of strangeOptions(model))
        if (isWrittenOnce(args.word, model)) report(unlistedKey, at, args);
    },
  },
};
export default module;

/** Words that a member is compared with, and that are like one in a table for it. */
const strangers = derivedByPart(({ programs }) =>
  programs.flatMap((program) => {
    if (program.diagnostics.length > 0 || !/\}\s*\[|\$\w+\[/.test(program.node.value)) return [];
    return nodesOfKind(program, "Postfix")
      .flatMap((read) => tableOf(read, program))
      .filter(({ words }) => words.length <= MOST_WORDS)
      .flatMap(({ member, words, index, table }) =>
        comparedWith(member, program).flatMap(({ word, at, left }) => {
          if (words.includes(word)) return [];
          const isOther =
            words.some((each) => areAlike(each, word)) ||
            (textAt(left, program) === textAt(index, program) &&
              isWhole(table, program) &&
              isCode(word) &&
              words.length > 2 &&
              words.every(isCode));
          return isOther ? [{ at, member, word, words }] : [];
        }),
      );
  }),
);

/** Whether a table has nothing for words that it lacks: with `// .state` behind it, it may have only some. */
function isWhole(table: ObjectConstruction, program: JqProgram): boolean {
  return !nodesOfKind(program, "Alternative").some(({ operands }) =>
    operands.slice(0, -1).some(({ start, end }) => start <= table.start && table.end <= end),
  );
}

/** `CHECKED_IN`, which is no word of a sentence. */
const isCode = (word: string): boolean => /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)*$/.test(word) && word.length > 2;

/** Each is compared with each; who has more writes them by a program, not by hand. */
const MOST_WORDS = 200;

/**
 * What a table shows for a word of a member, where the member itself is compared with it: `.state == "Left"` beside `{A: "Active", L: "Left"}[.state]`.
 */
const labels = derivedByPart(({ programs }) =>
  programs.flatMap((program) => {
    if (program.diagnostics.length > 0 || !/[=!]=\s*"/.test(program.node.value)) return [];
    if (!/\}\s*\)?\s*\[|\$\w+\[/.test(program.node.value)) return [];
    return nodesOfKind(program, "Postfix").flatMap((read) =>
      tableOf(read, program).flatMap(({ member, words, shown, index }) => {
        const keys = new Set(words);
        // `"active"` for “Active”.
        const labels = new Set(
          shown.map((label) => (typeof label === "string" ? label.toLowerCase() : label)),
        );
        return comparedWith(member, program).flatMap(({ word, at, left }) => {
          if (keys.has(word) || !labels.has(word.toLowerCase())) return [];
          if (textAt(left, program) !== textAt(index, program)) return [];
          // Behind a pipe a member of the same name may be what was looked up.
          const isFixed = bare(left).kind === "Hole" || textAt(left, program).startsWith("$");
          const between = withoutGroups(program.node.value.slice(read.end, left.start));
          return isFixed || !between.includes("|") ? [{ at, member, word, words }] : [];
        });
      }),
    );
  }),
);

/**
 * A key that is shown as the word that the very value of the table is compared with, which the table lacks: `{scrapped: "Written off"}[.stage]` beside
 * `.stage == "written_off"`.
 */
const shownElsewhere = derivedByPart(({ programs }) =>
  programs.flatMap((program) => {
    if (program.diagnostics.length > 0 || !/[=!]=\s*"/.test(program.node.value)) return [];
    if (!/\}\s*\)?\s*\[|\$\w+\[/.test(program.node.value)) return [];
    return nodesOfKind(program, "Postfix").flatMap((read) =>
      tableOf(read, program).flatMap(({ member, words, shown, index, table }) => {
        const keys = new Set(words);
        const byLetters = groupBy([...words.keys()], (at) => lettersOf(shown[at]));
        return comparedWith(member, program).flatMap(({ word: asked, left }) => {
          if (keys.has(asked) || textAt(left, program) !== textAt(index, program)) return [];
          // The label itself is told as that.
          const named = (asked.length > 3 && byLetters.get(lettersOf(asked))) || [];
          const [at, ...others] = named.filter((each) => shown[each] !== asked);
          if (at === undefined || others.length > 0) return [];
          const node = table.entries[at]!.key as Expression;
          return [{ at: partAt(program, node), member, word: words[at]!, words: [asked] }];
        });
      }),
    );
  }),
);

/** Without what stands in brackets: a pipe there changes the input of nothing else. */
function withoutGroups(text: string): string {
  // Longer ones, and deeper, aren't written by hand.
  let plain = text.length > 4_000 ? text : text.replace(/\([^()]*\)/g, "");
  for (let depth = 1; depth < 6 && plain.length < 4_000; depth++) plain = plain.replace(/\([^()]*\)/g, "");
  return plain;
}

/** A text without what people write it with: “Written off” and `written_off` have the same letters. */
const lettersOf = (text: unknown): string | undefined =>
  typeof text === "string" ? text.toLowerCase().replace(/[^\p{L}\d]/gu, "") : undefined;

/**
 * The one key of a table that another table for the same value of the same program hasn't, where that has one more, too: one of the two is never
 * found.
 */
const oddKeys = derivedByPart(({ programs }) =>
  programs.flatMap((program) => {
    if (program.diagnostics.length > 0 || !/\}\s*\)?\s*\[|\$\w+\[/.test(program.node.value)) return [];
    const tables = nodesOfKind(program, "Postfix").flatMap((read) => tableOf(read, program));
    if (tables.length < 2 || tables.length > TABLES) return [];
    return tables.flatMap((one) =>
      tables.flatMap((other) => {
        if (one === other || one.words.length < 3 || one.words.length !== other.words.length) return [];
        if (textAt(one.index, program) !== textAt(other.index, program)) return [];
        const [word, ...more] = one.words.filter((each) => !other.words.includes(each));
        const [missed] = other.words.filter((each) => !one.words.includes(each));
        if (word === undefined || missed === undefined || more.length > 0) return [];
        const key = one.table.entries[one.words.indexOf(word)]!.key as Expression;
        return [{ at: partAt(program, key), member: one.member, word, words: other.words, missed }];
      }),
    );
  }),
);

/** Each is compared with each. */
const TABLES = 12;

/**
 * Options that a member is compared with, and that are the words of a table for it, but for one: who chooses that one gets nothing, and what the
 * table has instead is never chosen.
 */
const strangeOptions = derivedByPart(({ programs }) => {
  const tables = programs.flatMap((program) =>
    program.diagnostics.length > 0 || !/\}\s*\[|\$\w+\[/.test(program.node.value)
      ? []
      : nodesOfKind(program, "Postfix").flatMap((read) => tableOf(read, program)),
  );
  if (tables.length === 0) return [];
  return programs.flatMap((program) => {
    if (program.diagnostics.length > 0) return [];
    return chosenComparisons(program).flatMap(({ chosen, name }) => {
      const [field, ...others] = chosen.fields;
      if (field === undefined || others.length > 0 || !chosen.fieldExact) return [];
      const values = objectItems(field.node.get("options")).map((option) => option.get("value"));
      const texts = values.filter((value) => value?.kind === "string");
      return tables.flatMap(({ source: member, words }) => {
        if (member !== name || texts.length < values.length) return [];
        const [stranger, ...more] = texts.filter(({ value }) => !words.includes(value));
        const missed = words.filter((word) => !texts.some(({ value }) => value === word));
        if (stranger === undefined || more.length > 0 || missed.length !== 1 || texts.length < 3) return [];
        if (ofAll.test(stranger.value) || isToldByName(stranger, missed[0]!, programs)) return [];
        const at: StringPart = { node: stranger, from: 0, to: stranger.value.length };
        return [{ at, member, word: stranger.value, words }];
      });
    });
  });
});

/** Whether what the option shows tells it: it is called as one of the words, or as the table calls one. */
function isToldByName(value: StringNode, missed: string, programs: readonly JqProgram[]): boolean {
  const option = value.parent?.parent;
  const shown = option?.kind === "object" ? textOf(option, "display") : undefined;
  if (shown === undefined) return false;
  return (
    shown.toLowerCase().includes(missed.toLowerCase()) ||
    programs.some(({ node }) => node.value.includes(JSON.stringify(shown)))
  );
}

/** What stands for no word of the service. */
const ofAll = /^(?:all|any|every\w*|both|none|no|other|others|unknown|default|\*)$/i;

interface Table {
  readonly member: string;
  /** The same, or the member that a variable stands for. */
  readonly source: string;
  readonly words: readonly string[];
  /** What it has for them, as far as it is written there. */
  readonly shown: readonly unknown[];
  readonly index: Expression;
  readonly table: ObjectConstruction;
}

/** `{open: "Open", done: "Done"}[.state]` */
export function tableOf(
  { head, suffixes }: Expression & { kind: "Postfix" },
  program: JqProgram,
): readonly Table[] {
  const made = head.kind === "Variable" ? boundTo(program, head) : (head as Expression);
  const table = made === undefined ? undefined : bare(made);
  const [suffix] = suffixes;
  if (table?.kind !== "Object" || suffix?.kind !== "Index") return [];
  const member = nameRead(suffix.index, program);
  const words = table.entries.map(({ key }) => nameOf(key));
  if (member === undefined || words.length < 2) return [];
  const index = bare(suffix.index);
  const bound = index.kind === "Variable" ? boundTo(program, index) : undefined;
  const source = (bound && nameRead(bound, program)) ?? member;
  const shown = table.entries.map(({ value }) => (value === undefined ? undefined : constantOf(value)));
  return words.every((word): word is string => word !== undefined)
    ? [{ member, source, words, shown, index: suffix.index, table }]
    : [];
}

/** Words that a program compares a member with. */
const comparedWith = (
  member: string,
  program: JqProgram,
): readonly { readonly word: string; readonly at: StringPart; readonly left: Expression }[] =>
  nodesOfKind(program, "Comparison").flatMap(({ operator, left, right }) => {
    const word = operator === "==" || operator === "!=" ? constantOf(right) : undefined;
    return typeof word === "string" && word !== "" && nameRead(left, program) === member
      ? [{ word, at: partAt(program, right), left }]
      : [];
  });

/** Whether one is the beginning of the other, whatever its letters: `DEP` and `DEPARTURE`. */
function areAlike(a: string, b: string): boolean {
  const [short, long] = [a, b]
    .map((each) => each.toLowerCase().replace(/[^a-z]/g, ""))
    .sort((x, y) => x.length - y.length);
  return short!.length >= 3 && long!.startsWith(short!);
}

/** Whether a word stands in one place alone: what is written again is known to the app. */
const isOnce = (word: string, { document }: Model): boolean =>
  /^\w+$/.test(word) &&
  [...document.text.matchAll(new RegExp(`(?<![\\w-])${word}(?![\\w-])`, "g"))].length === 1;

/** Whether a text is one value alone; words of a sentence don't count. */
const isWrittenOnce = (word: string, { document }: Model, times = 1): boolean =>
  [...document.text.matchAll(new RegExp(`"${escapedPattern(word)}\\\\?"`, "g"))].length === times;

/** Whether a word stands in so many places and no more, as a value, a key or a word of a comment. */
const isWritten = (word: string, times: number, { document }: Model): boolean =>
  [...document.text.matchAll(new RegExp(`(?<![\\w-])${escapedPattern(word)}(?![\\w-])`, "g"))].length ===
  times;
