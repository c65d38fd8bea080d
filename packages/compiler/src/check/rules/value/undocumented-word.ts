import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { Command, FieldSymbol, JqProgram, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { comparedIn, mayBeOf } from "../../../flow/compared-constants.ts";
import {
  commentsAt,
  commentsBelow,
  type DocumentedWords,
  documentedLists,
  documentedWords,
  hasComments,
  intakesAround,
} from "../../../flow/documented-words.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { mayBeSame, nounOf, singular } from "../../../flow/nouns.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { textMembers } from "../../../flow/text-members.ts";
import type { StringPart } from "../../../parse/document.ts";
import { objectItems, type StringNode, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { usesOfValue } from "./id-places.ts";

const undocumentedWord = defineRule<{ word: string; name: string; words: readonly string[] }>({
  id: "value/undocumented-word",
  severity: "warning",
  summary: "A text isn't among those that a comment lists",
  why: "A comment says which words the service has for a status, a kind or an event. Another word equals none of them: a condition is false for every record, and a search comes back empty. No error says so.",
  guards: ["D3", "command.!jq"],
  message: ({ word, name, words }) =>
    name === ""
      ? `This offers \`${word}\`, but a comment lists ${allNames(words)}.`
      : `\`${name}\` is never \`${word}\`: a comment lists ${allNames(words)}.`,
  because: ({ word, words }) => [
    `the comment lists ${allNames(words)}`,
    `\`${word}\` is written here and nowhere else`,
  ],
  help: () => "Write one of the words that the comment lists, or add this one there.",
  examples: [
    {
      title: "In a condition",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      with: { "/workflows/0/data_pipeline/_comment": '"A form: state is open, closed or archived."' },
      bad: '{"!jq": "if .state == «\\"finished\\"» then null else {email: .email} end"}',
      good: '{"!jq": "if .state == \\"closed\\" then null else {email: .email} end"}',
    },
    {
      title: "In a request",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"_comment": "status: pending | active | blocked", "!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "status": "«enabled»"}}}',
      good: '{"_comment": "status: pending | active | blocked", "!http": {"method": "POST", "path": "/people", "body": {"email": "${piped_content.0.email}", "status": "active"}}}',
    },
  ],
});

const module: RuleModule = {
  rules: [undocumentedWord],
  checks: {
    document(model, report) {
      if (!hasComments(model)) return;
      const unlisted = [
        ...model.programs.flatMap(compared),
        ...model.commands.flatMap((command) => sent(command, model)),
        ...model.programs.flatMap((program) => made(program, model)),
        ...paginated(model),
        ...model.workflows.flatMap((workflow) => [
          ...workflow.fields.flatMap((field) => [...offered(field), ...explained(field, model)]),
          ...fixed(workflow),
        ]),
      ].filter(({ word, listed }) => isUnlisted(word, listed));
      for (const { word, name, listed, at } of unlisted.slice(0, MOST))
        if (!isKnown(word, name, listed, model))
          report(undocumentedWord, at, { word, name, words: listed.words }, [
            { message: "the comment", at: listed.comment },
          ]);
    },
  },
};
export default module;

/** A word that stands where a comment lists others. */
interface Word {
  readonly word: string;
  readonly name: string;
  readonly listed: DocumentedWords;
  readonly at: StringPart;
}

/** Words that a program compares with a member. */
function compared(program: JqProgram): readonly Word[] {
  const found = [...comparedIn(program)].flatMap(({ name, owner, node, order, values: constants }) => {
    const values = constants.filter((each) => typeof each === "string");
    if (values.length < constants.length || order !== undefined) return [];
    const listed = documentedWords(name, program.node, intakesAround(program.command.unit));
    if (listed === undefined || (owner !== undefined && !mayBeOf(owner, listed))) return [];
    return [{ name, node, values, listed, isStrange: values.every((each) => !listed.words.includes(each)) }];
  });
  // Where a list of words is looked at, one of them has to be of the same vocabulary. Else there are records with another one.
  const others = new Set(
    found.flatMap(({ name, values, isStrange }) => (values.length > 1 && isStrange ? [name] : [])),
  );
  return found.flatMap(({ name, node, values, listed, isStrange }) =>
    others.has(name) && isStrange
      ? []
      : values.map((word): Word => ({ word, name, listed, at: partAt(program, node(word)) })),
  );
}

/** Words that a request sends as a member. */
function sent({ key, argument, unit }: Command, model: Model): readonly Word[] {
  if (key !== "!http" || argument?.kind !== "object") return [];
  return ["params", "body"].flatMap((part) =>
    [...textMembers(argument.get(part))].flatMap(({ name, value }): readonly Word[] => {
      const listed =
        documentedWords(name, argument, intakesAround(unit)) ??
        listedElsewhere(name, textOf(argument, "path"), model);
      return listed === undefined || !mayBeSentTo(textOf(argument, "path"), listed)
        ? []
        : [{ word: value.value, name, listed, at: wholeOf(value) }];
    }),
  );
}

/** The workflows whose comments show a record under its name, by that: `{"hire": {…}}`. Of many, the first say what the others say. */
const workflowsShowing = derived((model): ReadonlyMap<string, readonly WorkflowSymbol[]> => {
  const found = new Map<string, WorkflowSymbol[]>();
  for (const workflow of model.workflows)
    for (const node of [workflow.node, ...intakesAround(workflow)])
      for (const { value } of commentsBelow(node))
        for (const [, name] of value.matchAll(/"([A-Za-z]\w{0,40})": ?\{/g)) {
          const known = found.get(name!) ?? [];
          if (known.length < FEW && !known.includes(workflow)) found.set(name!, [...known, workflow]);
        }
  return found;
});
const FEW = 4;

/** What another workflow's comment lists, where it shows the record that a path is of with that member: `{"hire": {"state": "booked"}}` for `/hires`. */
function listedElsewhere(name: string, path: string | undefined, model: Model): DocumentedWords | undefined {
  const last = path?.split("?")[0]?.split("/").at(-1) ?? "";
  if (!/^[a-z][\w-]*$/i.test(last) || !saidInWorkflows(model).includes(name)) return undefined;
  const kind = wordsOf(last).map(singular).join("_");
  const shown = new RegExp(
    `"${escapedPattern(kind)}": ?\\{[^{}]{0,400}"${escapedPattern(name)}": ?"([^"]{1,40})"`,
  );
  for (const workflow of workflowsShowing(model).get(kind) ?? []) {
    const listed = documentedWords(name, workflow.node, [workflow.node, ...intakesAround(workflow)]);
    if (listed === undefined) continue;
    const { parent } = listed.comment;
    const lines = parent?.kind === "array" ? parent.items : [listed.comment];
    const samples = lines.flatMap((line) =>
      line.kind === "string" ? (shown.exec(line.value)?.slice(1) ?? []) : [],
    );
    if (samples.some((sample) => listed.words.includes(sample))) return listed;
  }
  return undefined;
}

/** Whether a list of words may be that of what a path is of: “the state of an invoice” says nothing of `/jobs`. */
function mayBeSentTo(path: string | undefined, { of }: DocumentedWords): boolean {
  const segments = (path ?? "").split(/[/?]/).filter((segment) => /^[A-Za-z][\w-]*$/.test(segment));
  if (of === undefined || segments.length === 0) return true;
  return segments.some((segment) => wordsOf(segment).map(singular).includes(singular(of)));
}

/** Words that the pagination of all lists sends: `sort takes starts or title`. */
function paginated({ api }: Model): readonly Word[] {
  const pagination = api?.node.get("pagination");
  const style = pagination?.kind === "object" ? pagination.get("style") : undefined;
  if (style?.kind !== "object") return [];
  const extra = style.get("extra");
  const parameters = [
    ...objectItems(extra),
    style.get("ordering"),
    ...(extra?.kind === "object" ? [extra] : []),
  ];
  return parameters.flatMap((parameter): readonly Word[] => {
    const [name, value] = [
      textOf(parameter, "param"),
      parameter?.kind === "object" ? parameter.get("value") : undefined,
    ];
    const listed = name === undefined ? undefined : documentedWords(name, style);
    return name === undefined || listed === undefined || value?.kind !== "string"
      ? []
      : [{ word: value.value, name, listed, at: wholeOf(value) }];
  });
}

/** Words that customers may set a mapped field to. */
function fixed(workflow: WorkflowSymbol): readonly Word[] {
  const { node } = workflow;
  const setup = node.get("setup");
  const map = setup?.kind === "object" ? setup.get("map") : undefined;
  const target = map?.kind === "object" ? map.get("describe_target") : undefined;
  return objectItems(target?.kind === "object" ? target.get("options") : undefined).flatMap((option) => {
    const name = textOf(option, "id");
    const given = objectItems(option.get("source_fields"));
    // What the target takes is said in its pipeline most often.
    const listed =
      name === undefined || given.length === 0
        ? undefined
        : documentedWords(name, option, [node, ...intakesAround(workflow)]);
    return given.flatMap((each): readonly Word[] => {
      const value = each.get("id");
      return name === undefined || listed === undefined || value?.kind !== "string"
        ? []
        : [{ word: value.value, name, listed, at: wholeOf(value) }];
    });
  });
}

/** Words that a program gives a member of what it sends: `{stage: "enquiry"}`. */
function made(program: JqProgram, model: Model): readonly Word[] {
  const { command, node, diagnostics } = program;
  if (command.place.name !== "data_pipeline.target" || diagnostics.length > 0) return [];
  if (!/:\s*"/.test(node.value)) return [];
  return nodesOfKind(program, "Entry").flatMap(({ key, value }): readonly Word[] => {
    const [name, word] = [nameOf(key), value === undefined ? undefined : constantOf(bare(value))];
    if (name === undefined || typeof word !== "string") return [];
    const listed =
      documentedWords(name, node, intakesAround(command.unit)) ??
      // What has a name of its own is the same in other workflows.
      (common.test(name) || !saidInWorkflows(model).includes(name)
        ? undefined
        : documentedWords(
            name,
            node,
            model.workflows.map((each) => each.node),
          ));
    return listed === undefined ? [] : [{ word, name, listed, at: partAt(program, value!) }];
  });
}

/** All that comments of workflows say: most names that programs write stand in none of them. */
const saidInWorkflows = derived((model) =>
  model.workflows.flatMap(({ node }) => [...commentsBelow(node)].map(({ value }) => value)).join("\n"),
);

/** Names that records of all kinds have. */
const common =
  /^(?:type|kind|status|state|event|events|topic|name|id|role|mode|method|action|format|unit|level|category|channel|reason)$/i;

const wholeOf = (node: StringNode): StringPart => ({ node, from: 0, to: node.value.length });

/** Words that are for all, for none or for what isn't said are the app's own. */
const own =
  /^(?:all|any|every|everything|everyone|both|none|no|never|yes|other|others|unknown|default|auto|\*)$/i;

const test = /(?:^|[._:/-])(?:ping|test|hello|challenge|handshake|probe|verif\w*)/i;

/** Whether a text is a word, and not one of the list. */
function isUnlisted(word: string, { words }: DocumentedWords): boolean {
  if (words.includes(word) || !/^[A-Za-z][\w.:/-]*$/.test(word) || own.test(word)) return false;
  // Beside words a single letter is no word.
  if (word.length === 1 && words.some((each) => each.length > 1)) return false;
  // A service's own tests are seldom in a list of its events.
  return !test.test(word) || words.some((each) => test.test(each));
}

/** `Customers may add states of their own`, `forms of v1 have other words` */
const ownWords =
  /\b(?:of (?:their|its|your|one's) own|(?:other|old|own|further|custom) (?:words|values|states|statuses|kinds|types|names))\b/i;

/** Each word is looked for in the whole document: nobody reads on after so many. */
const MOST = 200;

/** What stands in two places is known to the app, and a comment may speak of what its list leaves out. */
function isKnown(word: string, name: string, { comment }: DocumentedWords, { document }: Model): boolean {
  // What the list hasn't is known to be there.
  if (ownWords.test(comment.value)) return true;
  const { text } = document;
  const written = escapedPattern(word);
  const mentions = (of: string): number => comment.value.match(new RegExp(of, "g"))?.length ?? 0;
  const asWord = `(?<![\\w.-])${written}(?![\\w-])`;
  // `changed is in seconds` speaks of the member `.changed`, not of a word.
  const isMember = new RegExp(`(?:[\\s(|"]|\\$\\w+)\\.${written}(?![\\w.-])`).test(text);
  const asMember = isMember ? mentions(`${asWord}(?= (?:is|are|has|can|may)\\b)`) : 0;
  if (mentions(asWord) > asMember) return true;
  const places = text.matchAll(
    new RegExp(`(?:(?<![\\w$])([\\w$]+)\\\\?"?\\s*(?:[!=]?=|:)\\s*)?\\\\?"${written}\\\\?"`, "g"),
  );
  const count = [...places].filter((place) => {
    const of = place[1] ?? listBefore(text, place.index);
    return of === undefined || ofAny.test(of) || mayBeNamed(of, name);
  }).length;
  // Keys of a table have no quotes: `{open: 1}`.
  const keys = [...text.matchAll(new RegExp(`[{,]\\s*${written}\\s*:`, "g"))].length;
  return count + keys !== 1;
}

/** What any words are listed as. */
const ofAny = /^(?:values|options|items|list|keys|words|any|all|enum|allowed|filters?|data|params)$/i;

/** The name of the list of texts that a place is in: `events` of `"events": ["order.paid", "order.closed"]`. */
function listBefore(text: string, at: number): string | undefined {
  const before = text.slice(Math.max(0, at - 400), at);
  const opened = before.lastIndexOf("[");
  return opened < 0 || /[\]{}\\]/.test(before.slice(opened + 1))
    ? undefined
    : /"([A-Za-z]\w{0,60})"\s{0,40}:\s{0,40}$/.exec(before.slice(0, opened))?.[1];
}

/** Whether a text that stands under one name may be a word of another one's: a `phase` is no `status`. */
const mayBeNamed = (of: string, name: string): boolean =>
  /^(?:.{1,2}|value|display|key|title|name|label|type|kind|then|else|and)$/.test(of) ||
  mayBeSame(lastNoun(of), lastNoun(name));

const lastNoun = (name: string): string => nounOf(name) ?? name.replace(/^\$/, "");

/** Options that are the words of a comment, but for one. */
function offered({ node, workflow }: FieldSymbol): readonly Word[] {
  const values = objectItems(node.get("options")).map((item) => item.get("value"));
  const texts = values.flatMap((value) => (value?.kind === "string" ? [value] : []));
  if (texts.length < 2 || texts.length < values.length) return [];
  // Of two, one may be of another list; what a field's own comment lists is of it.
  const around = texts.length < 3 ? [node] : [workflow.node, ...intakesAround(workflow)];
  const all = around.flatMap((each) => [...documentedLists(each)]);
  for (const listed of all) {
    const strangers = texts.filter(({ value }) => !listed.words.includes(value) && !own.test(value));
    const missing = listed.words.filter((word) => !texts.some(({ value }) => value === word));
    const [stranger, ...others] = strangers;
    if (stranger === undefined || others.length > 0 || missing.length === 0) continue;
    return [{ word: stranger.value, name: "", listed, at: wholeOf(stranger) }];
  }
  return [];
}

/** Options of which a comment on the request that sends them explains one, and another word instead of the other: `open counts what is there, now starts with nothing`. */
function explained(field: FieldSymbol, model: Model): readonly Word[] {
  const values = objectItems(field.node.get("options")).flatMap((item) => {
    const value = item.get("value");
    return value?.kind === "string" && /^[a-z_]{2,40}$/.test(value.value) ? [value] : [];
  });
  if (values.length < 2) return [];
  for (const { command, node, syntax, position } of usesOfValue(field, model)) {
    const isWhole = syntax.start === 0 && syntax.end === node.value.length;
    if (command?.key !== "!http" || !isWhole || !/^(?:value|parameter)$/.test(position ?? "")) continue;
    for (const comment of commentsAt(command.node)) {
      const words = [...comment.value.matchAll(clauseOfWord)].map(([, word]) => word!);
      const others = words.filter((word) => !values.some(({ value }) => value === word));
      const [stranger, ...more] = values.filter(({ value }) => !words.includes(value));
      if (stranger === undefined || more.length > 0 || others.length !== 1 || notAWord.test(others[0]!))
        continue;
      if (new RegExp(`\\b${escapedPattern(stranger.value)}\\b`).test(comment.value)) continue;
      return [
        { word: stranger.value, name: "", listed: { words, of: undefined, comment }, at: wholeOf(stranger) },
      ];
    }
  }
  return [];
}

/** `open counts …, now starts …`: what each clause begins with, before a verb. */
const clauseOfWord = /(?:^|[,;.] )["'`]?([a-z][a-z_]{1,40})["'`]? [a-z]{2,20}s\b/g;
const notAWord =
  /^(?:it|this|that|these|those|which|who|what|there|each|every|one|none|all|else|and|or|but|so|then|if|when|where|while|as|an?|the|here|others?|both|they|we|only|also|not|no|for|with|without|in|on|at|by|value|values|answers?|gives?)$/;
