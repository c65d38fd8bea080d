import { escapedPattern } from "@configc/jq/internal";
import type { Command, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedAt } from "../../../flow/documented-records.ts";
import { commentsBelow, hasComments, intakesAround } from "../../../flow/documented-words.ts";
import { isPlural, nounOf } from "../../../flow/nouns.ts";
import { offeredTitles } from "../../../flow/offered-titles.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const shown = {
  in: "inbound-webhook",
  at: "/workflows/0/data_pipeline/source",
  with: {
    "/data_intake/0/_comment": '"{email, guardians: [{id, main: true, email, first_name}]}"',
    "/workflows/0/description": '"Keeps each child\'s main guardian as a contact."',
  },
} as const;

const mainOfList = defineRule<{ list: string; flag: string; said: string }>({
  id: "value/main-of-list",
  severity: "warning",
  summary: "The first of a list is taken, though one of them is marked as the one that is meant",
  why: "A list of guardians, addresses or travellers may have any order. The record marks one of them as the main one, and the app speaks of that. Whoever stands first is somebody else for some records: the wrong person is written, and letters go there.",
  guards: ["command.!jq", "data_pipeline.source", "D3", "D25"],
  message: ({ list, flag, said }) =>
    `This takes the first of \`${list}\`. The app speaks of the ${said}, and a comment shows \`${flag}\` in each of them.`,
  because: ({ list, flag }) => [
    `\`${list}\` has two, and the second one has \`${flag}: true\``,
    "the first one is taken",
  ],
  help: ({ list, flag }) => `Choose it: \`first(.${list}[] | select(.${flag}))\`.`,
  examples: [
    {
      ...shown,
      bad: '{"!jq": "«.guardians[0]» as $g | {email: $g.email, first_name: $g.first_name}"}',
      good: '{"!jq": "first(.guardians[] | select(.main)) as $g | {email: $g.email, first_name: $g.first_name}"}',
    },
    {
      title: "Collected first",
      ...shown,
      bad: '{"!jq": "([«.guardians[]] | first») as $g | {email: $g.email, first_name: $g.first_name}"}',
      good: '{"!jq": "([.guardians[] | select(.main)] | first) as $g | {email: $g.email, first_name: $g.first_name}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [mainOfList],
  checks: {
    // What is said of the records stands at the intake.
    reach: "saved",
    program({ node, command, diagnostics }, report, model) {
      if (diagnostics.length > 0 || !/\[0\]|\bfirst\b/.test(node.value) || !hasComments(model)) return;
      if (chooses.test(node.value)) return;
      for (const { 0: text, 1: item, 2: listed, index } of node.value.matchAll(firstOf)) {
        const list = item ?? listed!;
        const found = markedIn(list, command, model);
        if (found === undefined || new RegExp(`\\b${escapedPattern(found.flag)}\\b`).test(node.value))
          continue;
        report(mainOfList, { node, from: index, to: index + text.length }, { list, ...found });
      }
    },
    expansion({ root, syntax, command, node }, report, model) {
      if (root !== "piped_content" || command === undefined || !hasComments(model)) return;
      const index = syntax.path.findIndex(({ text }, at) => at > 2 && text === "0");
      const list = index < 0 ? undefined : syntax.path[index - 1];
      const found = list === undefined ? undefined : markedIn(list.text, command, model);
      if (list !== undefined && found !== undefined)
        report(
          mainOfList,
          { node, from: list.start, to: syntax.path[index]!.end },
          { list: list.text, ...found },
        );
    },
  },
};
export default module;

/** `.guardians[0]`, `[.guardians[]] | first`, `.guardians | .[0]`, `first(.guardians[])` */
const firstOf =
  /\.([A-Za-z]\w*)(?:\[0\]|(?:\[\])?\]?\s*\|\s*(?:first\b|\.\[0\]))|\bfirst\(\.(?:\w+\.)*([A-Za-z]\w*)\[\]\)/g;

/** What chooses or orders first may mean that one. */
const chooses = /\b(?:select|sort|sort_by|max_by|min_by|group_by|reverse)\b/;

/** What marks one of several: `main`, `is_primary`. */
const marks = /^(?:is_?)?(main|primary|principal|lead)$/i;

/** What is said of the one that is marked: that it alone is meant. */
const onlyThat =
  /\b(?:only|just)\b|\b(?:this|that|it|(?:this|that) one|the main one) (?:is|becomes|counts|gets)\b|\bis (?:the one|imported|taken|meant|used|kept)\b|\bcounts\b/i;

/** The member of the items of a list that marks one of them, where the app speaks of just that one: “main guardian”. */
function markedIn(
  list: string,
  command: Command,
  model: Model,
): { readonly flag: string; readonly said: string } | undefined {
  // Parents that one of is marked are people.
  const noun = isPlural(list)
    ? (nounOf(list) ?? (/^parents$/i.test(list) ? "parent" : undefined))
    : undefined;
  const { unit } = command;
  if (noun === undefined || unit?.kind !== "workflow") return undefined;
  for (const { kind, members } of documentedAt(command, model).get(list) ?? []) {
    const flag = kind === "list" ? members?.find(({ name }) => marks.test(name))?.name : undefined;
    const word = flag === undefined ? undefined : marks.exec(flag)?.[1]?.toLowerCase();
    if (flag === undefined || word === undefined) continue;
    const said = new RegExp(String.raw`\b${word} ${escapedPattern(noun)}(?!\w)`, "i");
    const texts = textsAbout(unit, model);
    // `The main one comes first.`
    const isFirst = new RegExp(
      String.raw`\b${word}\b(?: one| ${escapedPattern(noun)})?[^.;{}]{0,30}\b(?:first|at the top|alone)\b`,
      "i",
    );
    if (texts.some((each) => isFirst.test(each))) continue;
    const text = texts.find((each) => said.test(each));
    if (text !== undefined) return { flag, said: said.exec(text)![0].toLowerCase() };
    // `One of the parents is the main one; only that one is imported.`
    const one = new RegExp(
      String.raw`\b(?:${escapedPattern(noun)}|${escapedPattern(list)})\b[^.{}]{0,40}\b(?:the|as|is) ${word}(?: one)?(?=[.,;:)]| (?:is|counts|and)\b|$)(?<rest>[^.{}]{0,80})`,
      "i",
    );
    const wanted = texts.some((each) => onlyThat.test(one.exec(each)?.groups?.["rest"] ?? ""));
    if (wanted) return { flag, said: `${word} ${noun}` };
  }
  return undefined;
}

/** What a workflow says of itself, to customers and in comments. */
function textsAbout(workflow: WorkflowSymbol, model: Model): readonly string[] {
  const { node } = workflow;
  return [
    textOf(node, "description") ?? "",
    textOf(node, "label") ?? "",
    ...offeredTitles(workflow, model).values(),
    ...[node, ...intakesAround(workflow)].flatMap((each) =>
      [...commentsBelow(each)].map(({ value }) => value),
    ),
  ];
}
