import type { Expression } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { Command, FieldSymbol, JqProgram, WorkflowSymbol } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import {
  commentsBelow,
  type DocumentedWords,
  documentedLists,
  documentedWords,
  hasComments,
  intakesAround,
} from "../../../flow/documented-words.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind, partAt } from "../../../flow/nodes.ts";
import { mayBeSame, nounOf } from "../../../flow/nouns.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { textMembers } from "../../../flow/text-members.ts";
import { nameRead } from "../../../flow/vocabulary.ts";
import type { StringPart } from "../../../parse/document.ts";
import { type ObjectNode, objectItems, type StringNode, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";

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
        ...model.commands.flatMap(sent),
        ...model.programs.flatMap((program) => made(program, model)),
        ...paginated(model),
        ...model.workflows.flatMap((workflow) => [...workflow.fields.flatMap(offered), ...fixed(workflow)]),
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
const compared = (program: JqProgram): readonly Word[] =>
  [...comparedIn(program)].flatMap(({ name, owner, node, values }): readonly Word[] => {
    const listed = documentedWords(name, program.node, intakesAround(program.command.unit));
    if (listed === undefined || values.every((each) => listed.words.includes(each))) return [];
    if (owner !== undefined && !mayBeOf(owner, listed)) return [];
    // Where a list of words is looked at, one of them has to be of the same vocabulary.
    if (values.length > 1 && !values.some((each) => listed.words.includes(each))) return [];
    return values.map((word) => ({ word, name, listed, at: partAt(program, node(word)) }));
  });

/** Words that a request sends as a member. */
function sent({ key, argument, unit }: Command): readonly Word[] {
  if (key !== "!http" || argument?.kind !== "object") return [];
  return ["params", "body"].flatMap((part) =>
    [...textMembers(argument.get(part))].flatMap(({ name, value }): readonly Word[] => {
      const listed = documentedWords(name, argument, intakesAround(unit));
      return listed === undefined ? [] : [{ word: value.value, name, listed, at: wholeOf(value) }];
    }),
  );
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
function fixed({ node }: WorkflowSymbol): readonly Word[] {
  const setup = node.get("setup");
  const map = setup?.kind === "object" ? setup.get("map") : undefined;
  const target = map?.kind === "object" ? map.get("describe_target") : undefined;
  return objectItems(target?.kind === "object" ? target.get("options") : undefined).flatMap((option) => {
    const name = textOf(option, "id");
    // What the pipeline says of a field holds for what it may be set to.
    const listed = name === undefined ? undefined : documentedWords(name, option, pipelineOf(node));
    return objectItems(option.get("source_fields")).flatMap((each): readonly Word[] => {
      const value = each.get("id");
      return name === undefined || listed === undefined || value?.kind !== "string"
        ? []
        : [{ word: value.value, name, listed, at: wholeOf(value) }];
    });
  });
}

const pipelineOf = (workflow: ObjectNode): readonly ObjectNode[] => {
  const pipeline = workflow.get("data_pipeline");
  return pipeline?.kind === "object" ? [pipeline] : [];
};

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
  if (words.includes(word) || !/^[A-Za-z][\w.:/-]+$/.test(word) || own.test(word)) return false;
  // A service's own tests are seldom in a list of its events.
  return !test.test(word) || words.some((each) => test.test(each));
}

/** Each word is looked for in the whole document: nobody reads on after so many. */
const MOST = 200;

/** What stands in two places is known to the app, and a comment may speak of what its list leaves out. */
function isKnown(word: string, name: string, { comment }: DocumentedWords, { document }: Model): boolean {
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
  const count = [...places].filter(([, of]) => of === undefined || mayBeNamed(of, name)).length;
  // Keys of a table have no quotes: `{open: 1}`.
  return count === 0
    ? [...text.matchAll(new RegExp(`[{,]\\s*${written}\\s*:`, "g"))].length !== 1
    : count !== 1;
}

/** Whether a text that stands under one name may be a word of another one's: a `phase` is no `status`. */
const mayBeNamed = (of: string, name: string): boolean =>
  /^(?:value|display|id|key|title|name|label|type|kind|then|else|and|or|in)$/.test(of) ||
  mayBeSame(lastNoun(of), lastNoun(name));

const lastNoun = (name: string): string => nounOf(name) ?? name.replace(/^\$/, "");

interface Compared {
  readonly name: string;
  /** What has the member, by its name: `deal` of `.deal.state` and `$deal.state`. */
  readonly owner: Owner | undefined;
  readonly values: readonly string[];
  node(value: string): Expression;
}

/** What holds all that came says nothing of what it is. */
const envelope = /^(?:body|payload|raw_body|query|query_params)$/;

interface Owner {
  readonly name: string;
  /** Whether it is a member itself: variables have any names. */
  readonly isMember: boolean;
}

function ownerOf(read: Expression, program: JqProgram): Owner | undefined {
  const node = bare(read);
  if (node.kind === "Hole") {
    const name = program.holes[node.hole]?.syntax.path.at(-2)?.text ?? "";
    return /^[a-z]\w+$/i.test(name) &&
      !envelope.test(name) &&
      program.holes[node.hole]?.root !== "custom_data"
      ? { name, isMember: true }
      : undefined;
  }
  if (node.kind !== "Postfix") return undefined;
  const names = node.suffixes.flatMap((suffix) =>
    suffix.kind === "Field" && suffix.key.kind === "Name" ? [suffix.key.text] : [],
  );
  const member = names.at(-2);
  if (member !== undefined) return envelope.test(member) ? undefined : { name: member, isMember: true };
  return node.head.kind === "Variable" && node.head.name.length > 2
    ? { name: node.head.name, isMember: false }
    : undefined;
}

/** Whether a comment may speak of that record: it names it, or names none and a variable stands for it. */
function mayBeOf({ name, isMember }: Owner, { of, comment }: DocumentedWords): boolean {
  const noun = nounOf(name) ?? name;
  if (of !== undefined) return mayBeSame(noun, nounOf(of) ?? of);
  return !isMember || comment.value.toLowerCase().includes(noun.toLowerCase());
}

/**
 * Members that are compared with constant texts: `.state == "open"`, `.state | IN("open", "done")`, `["open", "done"] | index(.state)`,
 * `{"open": 1, "done": 2}[.state]`.
 */
function* comparedIn(program: JqProgram): Generator<Compared> {
  for (const { head, suffixes } of nodesOfKind(program, "Postfix")) {
    const [suffix] = suffixes;
    const made = head.kind === "Variable" ? boundTo(program, head) : head;
    const table = made === undefined ? undefined : bare(made as Expression);
    if (table?.kind !== "Object" || suffix?.kind !== "Index") continue;
    const name = nameRead(suffix.index, program);
    const words = table.entries.map(({ key }) => nameOf(key) ?? "");
    const keyOf = (word: string): Expression => table.entries[words.indexOf(word)]!.key as Expression;
    if (name !== undefined && !words.includes(""))
      yield { name, owner: ownerOf(suffix.index, program), values: words, node: keyOf };
  }
  for (const { operator, left, right } of nodesOfKind(program, "Comparison"))
    if (/^[!=]=$/.test(operator))
      for (const [read, other] of [
        [left, right],
        [right, left],
      ] as const) {
        const [name, value] = [nameRead(read, program), constantOf(other)];
        if (name !== undefined && typeof value === "string")
          yield { name, owner: ownerOf(read, program), values: [value], node: () => other };
      }
  for (const { stages } of nodesOfKind(program, "Pipeline")) {
    const [first, second] = stages.slice(-2);
    if (first === undefined || second?.kind !== "Call" || first.kind === "Binding") continue;
    const [argument, ...others] = second.arguments;
    if (argument === undefined) continue;
    if (second.name.text === "IN") yield* listed(first as Expression, [argument, ...others], program);
    if (second.name.text === "index") yield* listed(argument, [first as Expression], program);
  }
}

function* listed(read: Expression, values: readonly Expression[], program: JqProgram): Generator<Compared> {
  const name = nameRead(read, program);
  if (name === undefined) return;
  const nodes = values.flatMap(itemsOf);
  const texts = nodes.map(constantOf);
  if (!texts.every((text): text is string => typeof text === "string")) return;
  yield { name, owner: ownerOf(read, program), values: texts, node: (value) => nodes[texts.indexOf(value)]! };
}

function itemsOf(node: Expression): readonly Expression[] {
  const inner = bare(node);
  if (inner.kind === "Comma") return inner.items.flatMap(itemsOf);
  if (inner.kind === "Array" && inner.body !== undefined) return itemsOf(inner.body);
  return inner.kind === "Postfix" ? itemsOf(inner.head as Expression) : [inner];
}

/** Options that are the words of a comment, but for one. */
function offered({ node, workflow }: FieldSymbol): readonly Word[] {
  const values = objectItems(node.get("options")).map((item) => item.get("value"));
  const texts = values.flatMap((value) => (value?.kind === "string" ? [value] : []));
  if (texts.length < 3 || texts.length < values.length) return [];
  const all = [workflow.node, ...intakesAround(workflow)].flatMap((each) => [...documentedLists(each)]);
  for (const listed of all) {
    const strangers = texts.filter(({ value }) => !listed.words.includes(value) && !own.test(value));
    const missing = listed.words.filter((word) => !texts.some(({ value }) => value === word));
    const [stranger, ...others] = strangers;
    if (stranger === undefined || others.length > 0 || missing.length === 0 || texts.length < 3) continue;
    return [{ word: stranger.value, name: "", listed, at: wholeOf(stranger) }];
  }
  return [];
}
