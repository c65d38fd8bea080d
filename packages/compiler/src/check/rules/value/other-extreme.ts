import type { Expression, Node } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround, hasComments } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, isExpression, nodesIn, nodesOfKind } from "../../../flow/nodes.ts";
import { singular } from "../../../flow/nouns.ts";
import { offeredTitles } from "../../../flow/offered-titles.ts";
import { trailsOf } from "../../../flow/origin.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { roleOf } from "../../../flow/value-role.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

type End = "oldest" | "latest";

const otherExtreme = defineRule<{ text: string; taken: End; said: string; by: string }>({
  id: "value/other-extreme",
  severity: "warning",
  summary: "The oldest record is taken where the latest is meant, or the other way round",
  why: "Of one record, as in most tests, the oldest is the latest, too. Everybody who has several gets the wrong one, and nothing fails.",
  guards: ["command.!jq", "D23", "workflow.description"],
  message: ({ text, taken, said, by }) => `\`${text}\` takes the ${taken}, but ${by} says “${said}”.`,
  because: ({ text, taken, said, by }) => [
    `of two records, \`${text}\` takes the ${taken === "oldest" ? "older" : "later"} one`,
    `${by} says “${said}”`,
  ],
  help: ({ taken }) => (taken === "oldest" ? "Take the latest: `max_by`." : "Take the oldest: `min_by`."),
  examples: [
    {
      title: "The description of the workflow",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: { "/workflows/0/description": '"Sends a copy of the latest report of a contact."' },
      bad: '{"!pipe": [{"!http": {"path": "/reports", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{report_id: (.reports | «min_by(.created_at)» | .id)}"}, {"!http": {"method": "POST", "path": "/copies", "body": "${piped_content.2}"}}]}',
      good: '{"!pipe": [{"!http": {"path": "/reports", "params": {"email": "${piped_content.0.email}"}}}, {"!jq": "{report_id: (.reports | max_by(.created_at) | .id)}"}, {"!http": {"method": "POST", "path": "/copies", "body": "${piped_content.2}"}}]}',
    },
    {
      title: "The name of the member",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: .email, last_visit: (.visits | «sort_by(.started_at) | first» | .place)}"}',
      good: '{"!jq": "{email: .email, last_visit: (.visits | sort_by(.started_at) | last | .place)}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherExtreme],
  checks: {
    reach: "saved",
    program(program, report, model) {
      const { node, diagnostics, command } = program;
      // The bounds of polling have rules of their own.
      if (diagnostics.length > 0 || command.unit?.kind !== "workflow") return;
      if (!/\b(?:min|max|sort)_by\b|\b(?:min|max)\b/.test(node.value)) return;
      for (const pick of picksIn(program).slice(0, MOST)) {
        const said = saidBy(pick, program, model);
        if (said === undefined || said.end === pick.end) continue;
        const at = { node, from: pick.start, to: pick.stop };
        const text = excerpt(node.value.slice(pick.start, pick.stop));
        report(otherExtreme, at, { text, taken: pick.end, said: said.said, by: said.by });
      }
    },
  },
};
export default module;

/** Nobody takes more by hand, and the names around each are looked for. */
const MOST = 50;

/** Where one of several records, or of their times, is taken by the time. */
interface Pick {
  readonly end: End;
  /** The list, and what is taken of it: what the words around name. */
  readonly list: Expression;
  readonly start: number;
  readonly stop: number;
}

function picksIn(program: JqProgram): readonly Pick[] {
  return nodesOfKind(program, "Pipeline").flatMap(({ stages }) =>
    stages.flatMap((stage, at): readonly Pick[] => {
      const list = stages[at - 1];
      if (list === undefined || !isExpression(list) || !isExpression(stage)) return [];
      const call = bare(stage);
      if (call.kind !== "Call") return [];
      const { text } = call.name;
      const by = call.arguments[0];
      const before = { list, start: call.start };
      if ((text === "min" || text === "max") && by === undefined)
        return isTimes(list) ? [{ ...before, end: endOf(text), stop: call.end }] : [];
      if (by === undefined || !isTime(by)) return [];
      if (text === "min_by" || text === "max_by") return [{ ...before, end: endOf(text), stop: call.end }];
      if (text !== "sort_by") return [];
      const isTurned = isCall(stages[at + 1], "reverse");
      const taken = stages[at + (isTurned ? 2 : 1)];
      const isFirst = takesFirst(taken);
      if (isFirst === undefined) return [];
      return [{ ...before, end: isFirst === isTurned ? "latest" : "oldest", stop: taken!.end }];
    }),
  );
}

const endOf = (call: string): End => (call.startsWith("min") ? "oldest" : "latest");

const isCall = (node: Node | undefined, name: string): boolean =>
  node?.kind === "Call" && node.name.text === name && node.arguments.length === 0;

/** Whether the first of a list is taken; undefined where it isn't the first or the last. */
function takesFirst(node: Node | undefined): boolean | undefined {
  if (isCall(node, "first")) return true;
  if (isCall(node, "last")) return false;
  const [suffix] = node?.kind === "Postfix" && node.head.kind === "Identity" ? node.suffixes : [];
  const index = suffix?.kind === "Index" ? constantOf(suffix.index) : undefined;
  return index === 0 ? true : index === -1 ? false : undefined;
}

/** Whether a member is a time by its name: `.created_at`, `.released_ms`. */
function isTime(node: Expression): boolean {
  const name = nameOfValue(bare(node)) ?? "";
  return roleOf(name) === "time" || /(?:_ms|_ts|[a-z]Ms)$/.test(name);
}

/** `[.visits[].started_at]`, `.visits | map(.started_at)` */
function isTimes(list: Expression): boolean {
  const node = bare(list);
  if (node.kind === "Call" && node.name.text === "map")
    return node.arguments[0] !== undefined && isTime(node.arguments[0]);
  const body = node.kind === "Array" ? node.body : undefined;
  return body !== undefined && isTime(body);
}

interface Said {
  readonly end: End;
  readonly said: string;
  /** Where it is said. */
  readonly by: string;
}

/** What the words around say is taken: the name that it gets, the title of that, or what the workflow is described by. */
function saidBy(pick: Pick, program: JqProgram, model: Model): Said | undefined {
  const name = nameGiven(pick, program);
  const own = name === undefined ? undefined : endIn(wordsOf(name));
  if (own !== undefined) return { end: own, said: name!, by: "the name" };
  const { unit } = program.command;
  if (unit?.kind !== "workflow") return undefined;
  const title = name === undefined ? undefined : offeredTitles(unit, model).get(name);
  const shown = title === undefined ? undefined : endIn(wordsOf(title));
  if (shown !== undefined) return { end: shown, said: title!, by: "the title of the field" };
  // Whose list it is, is the second thing that both must say.
  const nouns = nounsIn(pick.list, program, model);
  const texts = [textOf(unit.node, "description"), textOf(unit.node, "label")];
  const comments = hasComments(model) ? commentsAround(program.node, []).map(({ value }) => value) : [];
  for (const text of [...texts, ...comments]) {
    const end = text === undefined ? undefined : endOfNoun(text, nouns);
    if (end !== undefined)
      return { ...end, by: text === texts[0] || text === texts[1] ? "the workflow" : "a comment" };
  }
  return undefined;
}

/** The member or the variable that what is taken gets as its value, the innermost. */
function nameGiven({ start, stop }: Pick, program: JqProgram): string | undefined {
  const holds = ({ start: from, end }: Node): boolean => from <= start && stop <= end;
  const entries = nodesOfKind(program, "Entry").filter(({ value }) => value !== undefined && holds(value));
  const bindings = nodesOfKind(program, "Binding").filter(({ source }) => holds(source));
  const [inner] = [...entries, ...bindings].sort((a, b) => b.start - a.start);
  if (inner === undefined) return undefined;
  if (inner.kind === "Entry") return nameOf(inner.key);
  const [pattern] = inner.patterns;
  return pattern?.kind === "VariablePattern" ? pattern.name : undefined;
}

const words: Readonly<Record<string, End>> = {
  latest: "latest",
  newest: "latest",
  recent: "latest",
  last: "latest",
  oldest: "oldest",
  earliest: "oldest",
  first: "oldest",
};

/** What is first or last by its kind, whenever it was: a last name, a first choice. */
const compounds =
  /\blast (?:names?|calls?|minutes?|resorts?|miles?|wishe?s?|ones? left)\b|\bfirst (?:names?|choices?|aid(?:ers?)?|class|grade|language|party|floor|contact person|responders?)\b/;

/** The one end that words say; undefined where they say none, or both. */
function endIn(given: readonly string[]): End | undefined {
  if (compounds.test(given.join(" "))) return undefined;
  const ends = new Set(given.flatMap((word) => words[word] ?? []));
  const [end] = ends;
  return ends.size === 1 ? end : undefined;
}

/** What the names by which a list is read speak of, and what its request asks for: `report` of `.data.reports`, `book` of `status=booked`. */
function nounsIn(list: Expression, program: JqProgram, model: Model): ReadonlySet<string> {
  const nouns = new Set<string>();
  const add = (name: string): void => {
    nouns.add(stemOf(wordsOf(name).at(-1) ?? ""));
  };
  for (const node of nodesIn(list))
    if (node.kind === "Field" && node.key.kind === "Name") add(node.key.text);
    else if (node.kind === "Hole") add(program.holes[node.hole]?.syntax.path.at(-1)?.text ?? "");
  const read = nodesIn(list).find(({ kind }) => kind === "Postfix") as Expression | undefined;
  for (const { origin } of read === undefined ? [] : trailsOf(flowOf(model), program, read)) {
    const argument = origin.kind === "response" ? origin.command.argument : undefined;
    if (argument?.kind !== "object") continue;
    for (const segment of (textOf(argument, "path") ?? "").replace(/[?$].*$/, "").split("/")) add(segment);
    const params = argument.get("params");
    for (const { value } of params?.kind === "object" ? params.members : [])
      if (value?.kind === "string" && !value.value.includes("$")) add(value.value);
  }
  nouns.delete("");
  return nouns;
}

/** Who asks for what is booked speaks of bookings. */
const stemOf = (word: string): string => singular(word).replace(/(?<=[a-z]{3})(?:ed|ing)$/, "");

/** `the latest released report`: which end of what a text speaks of, where it speaks of one only. */
function endOfNoun(text: string, nouns: ReadonlySet<string>): Omit<Said, "by"> | undefined {
  const found = [
    ...text.matchAll(/\b(latest|newest|most recent|oldest|earliest)((?:\s+[\w-]+){1,4})/gi),
  ].flatMap(([, word, rest]) => {
    const following = rest!.trim().split(/\s+/);
    const at = following.findIndex((each) => nouns.has(stemOf(wordsOf(each).at(-1) ?? "")));
    const end = words[wordsOf(word!).at(-1)!];
    return at >= 0 && end !== undefined
      ? [{ end, said: [word, ...following.slice(0, at + 1)].join(" ") }]
      : [];
  });
  const [one] = found;
  return one !== undefined && found.every(({ end }) => end === one.end) ? one : undefined;
}
