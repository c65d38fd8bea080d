import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare, textAt } from "../../../flow/nodes.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { resultsOf } from "../../../flow/result.ts";
import type { JsonNode, ObjectNode, StringNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { allIn } from "../workflow/commands.ts";
import { accepts, caseOf } from "./reversed-check.ts";

const place = { in: "inbound-webhook", at: "/data_intake/0/verification" } as const;

const acceptsNothing = defineRule<{ answers: number }>({
  id: "intake/accepts-nothing",
  severity: "warning",
  summary: "`verification` accepts no delivery",
  why: "Every request to the webhook's URL goes through `verification`, and only an answer with `process_payload: true` processes it. If no answer has that, the sender sees success, but every delivery of every customer is dropped.",
  guards: ["D26", "D31"],
  message: ({ answers }) =>
    answers === 1
      ? "This answers the sender but drops the delivery, because `process_payload` isn't `true`."
      : `None of the ${answers} answers has \`process_payload: true\`, so every delivery is dropped.`,
  because: () => [
    "a genuine delivery comes, and the sender gets its answer",
    "no answer has `process_payload: true`: the pipeline never gets it",
  ],
  help: () => 'Add `"process_payload": true` to the answer to a genuine delivery.',
  examples: [
    {
      title: "D26: a lone answer",
      ...place,
      bad: '{«"!respond"»: {"code": 200}}',
      good: '{"!respond": {"process_payload": true, "code": 200}}',
      fixed: '{"!respond": {"code": 200, "process_payload": true}}',
    },
    {
      title: "D31: the challenge is answered, and nothing else accepted",
      ...place,
      bad: '{"!pipe": [{"!switch": {"jq": "if .query.challenge then 0 else 1 end", "cases": [{"!respond": {"code": 200, "body": "${piped_content.0.query.challenge}"}}, {«"!respond"»: {"code": 204}}]}}]}',
      good: '{"!pipe": [{"!switch": {"jq": "if .query.challenge then 0 else 1 end", "cases": [{"!respond": {"code": 200, "body": "${piped_content.0.query.challenge}"}}, {"!respond": {"process_payload": true, "code": 204}}]}}]}',
      fixed:
        '{"!pipe": [{"!switch": {"jq": "if .query.challenge then 0 else 1 end", "cases": [{"!respond": {"code": 200, "body": "${piped_content.0.query.challenge}"}}, {"!respond": {"code": 204, "process_payload": true}}]}}]}',
    },
  ],
  fixes: ({ at }, { document, model }) => {
    const argument = model.commands.find(({ member }) => member.key === at)?.argument;
    if (argument?.kind !== "object") return [];
    const given = argument.member("process_payload")?.value;
    const edit =
      given === undefined
        ? { start: argument.end - 1, end: argument.end - 1, newText: `${addition(argument, document.text)}` }
        : { start: given.start, end: given.end, newText: "true" };
    return [{ title: "Add `process_payload: true`", safe: false, edits: [edit] }];
  },
});

const challengeProcessed = defineRule<{ name: string }>({
  id: "intake/challenge-processed",
  severity: "warning",
  summary: "The answer to a challenge processes it as a delivery",
  why: "A sender checks with a challenge that the URL is yours. That request carries no event. With `process_payload: true` it goes through the pipeline anyway, which makes an empty contact or fails, for each customer who sets up the workflow.",
  guards: ["D26", "D31"],
  message: ({ name }) =>
    `This answers the challenge \`${name}\`, but also sends it through the pipeline as a delivery.`,
  because: ({ name }) => [
    `the service sends \`${name}\` once`,
    "it gets its answer, and goes through the pipeline like a delivery",
  ],
  help: () => "Remove `process_payload` here. Only the answer to genuine deliveries needs it.",
  examples: [
    {
      title: "D31",
      ...place,
      bad: '{"!pipe": [{"!switch": {"jq": "if .query.challenge then 0 else 1 end", "cases": [{"!respond": {"process_payload": «true», "body": "${piped_content.0.query.challenge}"}}, {"!respond": {"process_payload": true}}]}}]}',
      good: '{"!pipe": [{"!switch": {"jq": "if .query.challenge then 0 else 1 end", "cases": [{"!respond": {"body": "${piped_content.0.query.challenge}"}}, {"!respond": {"process_payload": true}}]}}]}',
      fixed:
        '{"!pipe": [{"!switch": {"jq": "if .query.challenge then 0 else 1 end", "cases": [{"!respond": {"process_payload": false, "body": "${piped_content.0.query.challenge}"}}, {"!respond": {"process_payload": true}}]}}]}',
    },
  ],
  fixes: ({ at }) =>
    "start" in at
      ? [
          {
            title: "Change to `false`",
            safe: false,
            edits: [{ start: at.start, end: at.end, newText: "false" }],
          },
        ]
      : [],
});

const pings = (processed: number, other: number): string =>
  `{"!switch": {"jq": "if .body.event == \\"ping\\" then ${processed} else ${other} end", "cases": [{"!respond": {"process_payload": true, "code": 200}}, {"!respond": {"code": 200, "body": {"pong": true}}}]}}`;

const pingProcessed = defineRule<{ text: string; swapped: boolean }>({
  id: "intake/ping-processed",
  severity: "warning",
  summary: "A check of the URL is processed as a delivery",
  why: "Many senders try a URL before they use it, by a request that carries no event. If it goes through the pipeline, it makes an empty contact or fails. If the cases are swapped, the events themselves are answered and dropped, and nobody notices: the sender gets 200 each time.",
  guards: ["D26", "D31"],
  message: ({ text, swapped }) =>
    swapped
      ? `If \`${text}\`, it is a check of the URL, but only this is processed. Everything else is answered and dropped.`
      : `If \`${text}\`, it is a check of the URL and carries no event, but it goes through the pipeline.`,
  because: ({ swapped }) =>
    swapped
      ? ["a check: it goes through the pipeline", "an event: answered with 200, and dropped"]
      : [
          "the service checks the URL: nothing has happened",
          "its request goes through the pipeline like an event",
        ],
  help: ({ swapped }) => (swapped ? "Swap the cases." : "Remove `process_payload` from its answer."),
  examples: [
    {
      title: "D31: swapped",
      ...place,
      bad: pings(0, 1).replace('.body.event == \\"ping\\"', '«.body.event == \\"ping\\"»'),
      good: pings(1, 0),
    },
    {
      title: "D31: processed too",
      ...place,
      bad: '{"!pipe": [{"!jq": "{kind: .body.kind, code: .body.code}"}, {"!switch": {"jq": "if «.kind == \\"check\\"» then 0 else 1 end", "cases": [{"!respond": {"process_payload": true, "body": {"code": "${piped_content.1.code}"}}}, {"!respond": {"process_payload": true}}]}}]}',
      good: '{"!pipe": [{"!jq": "{kind: .body.kind, code: .body.code}"}, {"!switch": {"jq": "if .kind == \\"check\\" then 0 else 1 end", "cases": [{"!respond": {"body": {"code": "${piped_content.1.code}"}}}, {"!respond": {"process_payload": true}}]}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [acceptsNothing, challengeProcessed, pingProcessed],
  checks: {
    intake(intake, report, model) {
      const verification = intake.type === "webhook" ? intake.commands.get("verification") : undefined;
      if (verification === undefined || !isReadable(intake, model)) return;
      const refusing = onlyRefusals(verification);
      const [first] = refusing;
      if (first !== undefined)
        report(acceptsNothing, genuine(refusing).member.key, { answers: refusing.length }, [
          ...(refusing.length === 1
            ? []
            : refusing
                .filter((each) => each !== genuine(refusing))
                .map(({ member: { key } }) => ({ message: "answers, too", at: key }))),
        ]);
      for (const command of allIn(verification) ?? []) {
        const found = command.key === "!switch" ? processedPing(command) : undefined;
        if (found !== undefined && !challengesIn(found.own, intake, model)) {
          const { program, condition, own, swapped } = found;
          const text = excerpt(textAt(condition, program), 60);
          report(
            pingProcessed,
            { node: program.node, from: condition.start, to: condition.end },
            { text, swapped },
            [{ message: "runs then", at: own.member.key }],
          );
        }
        const { argument } = command;
        if (command.key !== "!respond" || argument?.kind !== "object" || !passes(command)) continue;
        const given = argument.get("process_payload");
        const name = challengeIn(argument.get("body"), intake, model);
        if (given !== undefined && name !== undefined) report(challengeProcessed, given, { name });
      }
    },
  },
};
export default module;

/** A test for a check of the URL, and the case that it leads to, where that is processed. */
interface ProcessedPing {
  readonly program: JqProgram;
  readonly condition: Expression;
  readonly own: Command;
  /** Whether nothing else is. */
  readonly swapped: boolean;
}

function processedPing(command: Command): ProcessedPing | undefined {
  const { program } = command;
  if (program === undefined || program.diagnostics.length > 0) return undefined;
  const body = bare(program.tree.body);
  if (body.kind !== "If" || body.otherwise === undefined) return undefined;
  const cases = [...body.branches.map((branch) => branch.body), body.otherwise].map((each) =>
    caseOf(each, command),
  );
  for (const [index, { condition }] of body.branches.entries()) {
    const own = cases[index];
    const others = cases.slice(index + 1);
    if (own?.key !== "!respond" || !passes(own) || !asksForPing(condition, checkWord)) continue;
    if (!others.every((each) => each !== undefined)) return undefined;
    // Whoever answers with what came in answers a check.
    if (echoesBelow(own)) return { program, condition, own, swapped: false };
    const drops = others.every((each) => each.key === "!respond" && !accepts(each)) && others.some(isSuccess);
    if (drops && asksForPing(condition, pingWord)) return { program, condition, own, swapped: true };
  }
  return undefined;
}

/** What nothing but a check of the URL is called. */
const pingWord =
  /^(?:ping|challenge|handshake|(?:url|endpoint|address|webhook)[._-]?(?:check|verif\w+|validat\w+|ping|test))$/i;

/** What else is, where it is answered with what came in. */
const checkWord = new RegExp(`${pingWord.source}|^(?:check|test|verif\\w+|validat\\w+)$`, "i");

/** `.event == "ping"`, `.ping`. */
function asksForPing(given: Expression, words: RegExp): boolean {
  const node = bare(given);
  if (node.kind === "Logical" && node.operator === "and")
    return node.operands.some((operand) => asksForPing(operand, words));
  if (node.kind === "Comparison") {
    const word = constantOf(node.right);
    return node.operator === "==" && typeof word === "string" && words.test(word);
  }
  const last = node.kind === "Postfix" ? node.suffixes.at(-1) : undefined;
  return last?.kind === "Field" && last.key.kind === "Name" && words.test(last.key.text.replace(/^is_?/, ""));
}

/** Whether an answer's body has something in it that isn't written there. */
function echoesBelow({ argument }: Command): boolean {
  const body = argument?.kind === "object" ? argument.get("body") : undefined;
  if (body?.kind === "string") return body.value.includes("$");
  return (
    body?.kind === "object" &&
    body.members.some(({ value }) => value?.kind === "string" && value.value.includes("$"))
  );
}

/** Whether the answer gives a challenge back: that it is processed is told by its name. */
function challengesIn({ argument }: Command, intake: IntakeSymbol, model: Model): boolean {
  return argument?.kind === "object" && challengeIn(argument.get("body"), intake, model) !== undefined;
}

/** The answers of a verification that can accept nothing; none where something may be accepted. */
export function onlyRefusals(verification: Command): readonly Command[] {
  const results = resultsOf(verification).map(answerOf);
  const refuses = results.every((result) =>
    result.key === "!respond" ? !passes(result) : result.key === "!error",
  );
  return refuses ? results.filter(({ key }) => key === "!respond") : [];
}

/** A last step that only logs gives what the one before it gave. */
function answerOf(result: Command): Command {
  let at = result;
  while (at.key === "!print_c" && at.pipe !== undefined && at.parent === at.pipe) {
    const before = at.pipe.children[at.stepsRun - 1];
    if (before === undefined) break;
    at = before;
  }
  return at;
}

function passes({ argument }: Command): boolean {
  const given = argument?.kind === "object" ? argument.get("process_payload") : undefined;
  return given?.kind === "boolean" && given.value === true;
}

/** The answer that is most likely meant for genuine deliveries: a success without a body from the request. */
function genuine(answers: readonly Command[]): Command {
  return (
    answers.find((answer) => isSuccess(answer) && !echoes(answer)) ?? answers.find(isSuccess) ?? answers[0]!
  );
}

function isSuccess({ argument }: Command): boolean {
  const code = argument?.kind === "object" ? argument.get("code") : undefined;
  return code === undefined || (code.kind === "number" && code.value < 300);
}

function echoes({ argument }: Command): boolean {
  const body = argument?.kind === "object" ? argument.get("body") : undefined;
  return body?.kind === "string" && body.value.includes("$");
}

const challengeName = /challenge|crc|validation_?token|verification_?token/i;

/** The name of a challenge that an answer's body gives back. */
function challengeIn(
  body: JsonNode | undefined,
  { node }: IntakeSymbol,
  { expansions }: Model,
): string | undefined {
  if (body === undefined) return undefined;
  for (const { syntax, node: at, root } of expansions) {
    if (root !== "piped_content" || !isWithin(at, node) || !isWithin(at, body)) continue;
    const last = syntax.path.at(-1)?.text;
    if (last !== undefined && challengeName.test(last)) return last;
  }
  return undefined;
}

function isWithin(inner: StringNode, outer: JsonNode): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** A member for the end of an object, with the comma and blanks that its others have. */
function addition({ members }: ObjectNode, text: string): string {
  const member = '"process_payload": true';
  const last = members.at(-1);
  if (last === undefined) return member;
  const before = members.length > 1 ? members.at(-2) : undefined;
  const between = before === undefined ? " " : text.slice(before.end, last.start).replace(/^\s*,/, "");
  return `,${between === "" ? " " : between}${member}`;
}
