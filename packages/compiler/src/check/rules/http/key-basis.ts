import { escapedPattern } from "@configc/jq/internal";
import type { Command } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type DocumentedClause, documentedClauses } from "../../../flow/documented-clauses.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { textAt } from "../../../flow/nodes.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { textMembers } from "../../../flow/text-members.ts";
import { basisOf, joined } from "../../../flow/value-basis.ts";
import { readMethods } from "../../../language/commands/http.ts";
import { type ObjectNode, type StringNode, textOf } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";

const sharedKey = defineRule<{ key: string; days: boolean }>({
  id: "http/shared-key",
  severity: "warning",
  summary: "Different records are sent with the same key",
  why: "If an API has seen a key before, it does nothing, or replaces what has that key. A key that is made from the setup alone is the same for all contacts: only one of them arrives, and the requests of all others succeed.",
  guards: ["D3", "command.!http", "http.headers", "http.body", "D21"],
  message: ({ key, days }) =>
    `\`${key}\` is the same for all records${days ? " of a day" : ""}: nothing of the record is in it.`,
  because: ({ key }) => [
    `record 1 is sent with \`${key}\` and arrives`,
    `record 2 is sent with the same \`${key}\`, which is known already`,
  ],
  help: () => "Put something into it that only this record has, such as its id.",
  examples: [
    {
      title: "D21",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http",
      bad: '{"method": "POST", "path": "/people", "headers": {"Idempotency-Key": «"add/${custom_data.list.value}"»}, "body": {"email": "${piped_content.0.email}"}}',
      good: '{"method": "POST", "path": "/people", "headers": {"Idempotency-Key": "add/${custom_data.list.value}/${piped_content.0.email}"}, "body": {"email": "${piped_content.0.email}"}}',
    },
    {
      title: "A key of the app's own",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http",
      with: { "/workflows/0/data_pipeline/_comment": '"A reminder with a ref that is there replaces it."' },
      bad: '{"method": "POST", "path": "/reminders", "body": {"email": "${piped_content.0.email}", "ref": «"remind-${custom_data.list.value}"»}}',
      good: '{"method": "POST", "path": "/reminders", "body": {"email": "${piped_content.0.email}", "ref": "remind-${piped_content.0.email}"}}',
    },
  ],
});

const changingKey = defineRule<{ key: string; written: string }>({
  id: "http/changing-key",
  severity: "warning",
  summary: "A key that should prevent repeats has the time of day in it",
  why: "A comment says that nothing is done twice with the same key. With the second in it the key is another one each time: a record that comes again gets the same message, voucher or order once more.",
  guards: ["D3", "command.!http", "http.headers", "http.body", "D21"],
  message: ({ key, written }) =>
    `\`${key}\` is another one each second, because of \`${written}\`, so it prevents no repeat.`,
  because: ({ key }) => [
    "a contact comes at 10:00:00, and once more at 10:00:05",
    `\`${key}\` is another one: all is done a second time`,
  ],
  help: () => "Make it from the record and what is done, with the day at most.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: {
        "/workflows/0/data_pipeline/_comment": '"POST /vouchers: no second voucher for a key it has seen."',
      },
      bad: '{"!pipe": [{"!jq": "{email, key: «\\"\\\\(.email)/\\\\(now | floor)\\"»}"}, {"!http": {"method": "POST", "path": "/vouchers", "body": {"email": "${piped_content.1.email}", "key": "${piped_content.1.key}"}}}]}',
      good: '{"!pipe": [{"!jq": "{email, key: \\"\\\\(.email)/spring\\"}"}, {"!http": {"method": "POST", "path": "/vouchers", "body": {"email": "${piped_content.1.email}", "key": "${piped_content.1.key}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [sharedKey, changingKey],
  checks: {
    command: {
      "!http"(command, report, model) {
        const { argument, place } = command;
        if (argument?.kind !== "object" || !place.name.startsWith("data_pipeline.")) return;
        if (readMethods.has((textOf(argument, "method") ?? "GET").toUpperCase())) return;
        for (const key of keysIn(argument, model)) check(key, command, report, model);
      },
    },
  },
};
export default module;

interface Key {
  readonly name: string;
  readonly value: StringNode;
  /** What a comment says of it. */
  readonly said: DocumentedClause | undefined;
}

const header = /^(?:x-)?idempot(?:ency|ent)-?(?:key|token)$/i;
const member =
  /(?:^|[_-])(?:key|ref|reference|external_?id|request_?id)$|[a-z](?:Key|Ref|Reference|ExternalId)$/;

/** The idempotency key of a request, and members that a comment says are one. */
function keysIn(argument: ObjectNode, model: Model): readonly Key[] {
  const found: Key[] = [];
  const said = (of: RegExp): DocumentedClause | undefined =>
    hasComments(model)
      ? documentedClauses(argument).find(({ text }) => of.test(text) && once.test(text))
      : undefined;
  const headers = argument.get("headers");
  for (const { name, value } of headers?.kind === "object" ? headers.members : [])
    if (header.test(name) && value?.kind === "string") found.push({ name, value, said: said(/idempot/i) });
  const body = argument.get("body");
  for (const { name, value } of textMembers(body)) {
    const clause =
      member.test(name) && !isOfChoice(name, value.value)
        ? said(new RegExp(`\\b${escapedPattern(name)}\\b`))
        : undefined;
    if (clause !== undefined && !isPerStem(name, clause.text)) found.push({ name, value, said: clause });
  }
  return found;
}

/** `campaign` of `campaign_key`: what it is the key of. */
const stemOf = (name: string): string => wordsOf(name).slice(0, -1).join(" ");

/** `one key per campaign`, of `campaign_key`: all records of a campaign have it. */
const isPerStem = (name: string, text: string): boolean => {
  const stem = stemOf(name);
  return stem !== "" && new RegExp(`\\b(?:per|for each) ${escapedPattern(stem)}\\b`, "i").test(text);
};

/** `list_ref` that is the chosen list: it names that, and no record. */
const isOfChoice = (name: string, value: string): boolean => {
  const [, field] = /^\$[{<]custom_data\.([\w-]+)\.value[}>]$/.exec(value) ?? [];
  return field !== undefined && wordsOf(field).join(" ") === stemOf(name);
};

/** “no second one”, “one with a ref that is there replaces it”, “one text per number and day”. */
const once =
  /\bno second\b|\breplaces (?:it|that one|the one)\b|\b(?:that|it) (?:has|have|was|were) (?:been )?(?:seen|used)\b|\b(?:not|never|nothing) (?:\w+ )?(?:twice|again)\b|\bonly once\b|\bone \w+ (?:per|for each) \w+/i;

function check({ name, value, said }: Key, command: Command, report: Report, model: Model): void {
  const { unit } = command;
  if (unit?.kind !== "workflow") return;
  const { expansions } = partOfUnit(unit, model);
  const own = expansions.filter(({ node }) => node === value);
  if (own.length === 0 || own.some(({ syntax }) => syntax.problem !== undefined)) return;
  const flow = flowOf(model);
  const basis = joined(own.map((each) => basisOf(flow, each)));
  const { clock } = basis;
  const related = said && [{ message: "the comment", at: said.comment }];
  if (clock !== undefined && isFine(textAt(clock.node, clock.program))) {
    if (said === undefined) return;
    const { start, end } = clock.node;
    const written = textAt(clock.node, clock.program);
    report(changingKey, { node: clock.program.node, from: start, to: end }, { key: name, written }, related);
  } else if (basis.record === "none" && (clock === undefined || isDay(textAt(clock.node, clock.program)))) {
    const others = expansions.filter(({ command: of, node }) => of === command && node !== value);
    // What is done once for all records isn't a record's.
    if (others.some((each) => basisOf(flow, each).record === "certain"))
      report(sharedKey, value, { key: name, days: clock !== undefined }, related);
  }
}

/** `now | floor`, `strftime("%Y%m%d%H%M%S")` */
const isFine = (text: string): boolean =>
  /\bnow\b/.test(text) &&
  (/%[SsTcX]/.test(text) ||
    /\bnow\s*(?:\)|\|\s*(?:floor|round|tostring|tojson)\s*(?:\)|$)|\*\s*1000)/.test(text)) &&
  !/86400|3600|\[\d*:\d+\]/.test(text);

/** `strftime("%Y-%m-%d")`, `todate[0:10]`: the same one all day. */
const isDay = (text: string): boolean =>
  (/strftime\("[^"]*%[dje][^"]*"\)/.test(text) && !/%[HIMSsTcXpR]/.test(text)) ||
  /todate\s*\|?\s*\.?\[0?:10\]/.test(text);
