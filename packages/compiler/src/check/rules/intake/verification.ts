import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { verdictOn } from "../../../flow/machine/verification.ts";
import { textAt } from "../../../flow/nodes.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { resultsOf } from "../../../flow/result.ts";
import type { JsonNode, ObjectNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { allIn } from "../workflow/commands.ts";
import { checkWord, isSuccess, passes, processedPing, unreadPing } from "./pings.ts";
import { processes, unsignedAnswers } from "./unsigned-answers.ts";

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
      bad: '{"!pipe": [{"!jq": "{kind: .body.kind, code: .body.code}"}, {"!switch": {"jq": "if .kind == \\"check\\" then 0 else 1 end", "cases": [{"!respond": {"process_payload": «true», "body": {"code": "${piped_content.1.code}"}}}, {"!respond": {"process_payload": true}}]}}]}',
      good: '{"!pipe": [{"!jq": "{kind: .body.kind, code: .body.code}"}, {"!switch": {"jq": "if .kind == \\"check\\" then 0 else 1 end", "cases": [{"!respond": {"body": {"code": "${piped_content.1.code}"}}}, {"!respond": {"process_payload": true}}]}}]}',
    },
  ],
});

const signed =
  '{"!pipe": [{"!jq": "{value_to_encrypt: .raw_body}"}, {"!sha": {"algorithm": "sha256", "secret": "<SIGNING_SECRET>"}}, {"!switch": {"jq": "if .hash == ${piped_content.0.headers.x-signature} then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}]}';

const unsignedCase = defineRule<{ text: string }>({
  id: "intake/unsigned-case",
  severity: "warning",
  summary: "One case of `verification` accepts deliveries without looking at their signature",
  why: "The sender decides what a request says. If that alone chooses a case which accepts it, anyone who knows the URL gets past the check of the other cases.",
  guards: ["D26", "D31"],
  message: ({ text }) =>
    `\`${text}\` can lead here, and then nothing looks at the signature. Anyone can send such a request.`,
  because: () => [
    "a forged delivery, written so that this case is taken",
    "`process_payload: true`: it goes through the pipeline, unsigned",
  ],
  help: () => "Check the signature before this case too, or remove `process_payload` from its answer.",
  examples: [
    {
      title: "D31",
      ...place,
      bad: `{"!switch": {"jq": "if .body.source == \\"import\\" then 0 else 1 end", "cases": [{"!respond": {"code": 200, "process_payload": «true»}}, ${signed}]}}`,
      good: `{"!switch": {"jq": "if .body.source == \\"import\\" then 0 else 1 end", "cases": [{"!respond": {"code": 200, "process_payload": false}}, ${signed}]}}`,
    },
  ],
});

const module: RuleModule = {
  rules: [acceptsNothing, challengeProcessed, pingProcessed, unsignedCase],
  checks: {
    // Whether the pipelines know of pings.
    reach: "linked",
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
      const unsigned = unsignedAnswers(verification, intake, model);
      // A header that is given back tells a challenge, where no signature is looked at on the way.
      const pingIn = (command: Command) => {
        const found = processedPing(command) ?? unreadPing(command, intake, model);
        return found?.isByHeader && unsigned.some(({ answer }) => answer === found.own) ? undefined : found;
      };
      for (const command of allIn(verification) ?? []) {
        const found = pingIn(command);
        if (found !== undefined && challengeIn(found.own, intake, model) === undefined) {
          const { program, condition, own, swapped } = found;
          const text = excerpt(textAt(condition, program), 60);
          const test = { node: program.node, from: condition.start, to: condition.end };
          if (swapped)
            report(pingProcessed, test, { text, swapped }, [{ message: "runs then", at: own.member.key }]);
          else
            report(pingProcessed, processed(own), { text, swapped }, [{ message: "chosen here", at: test }]);
        }
        if (command.key !== "!respond" || !processes(command)) continue;
        const name = challengeIn(command, intake, model);
        if (name !== undefined) report(challengeProcessed, processed(command), { name });
      }
      const check = checkProcessed(verification, intake, model);
      if (check !== undefined) report(challengeProcessed, processed(check.answer), { name: check.name });
      for (const { answer, chosenBy } of unsigned) {
        const { program } = chosenBy;
        const isTold = challengeIn(answer, intake, model) !== undefined || pingIn(chosenBy) !== undefined;
        if (isTold || program === undefined) continue;
        const name = echoed(answer, intake, model);
        if (name !== undefined) report(challengeProcessed, processed(answer), { name });
        else
          report(unsignedCase, processed(answer), { text: excerpt(program.node.value, 60) }, [
            { message: "chosen here", at: program.node },
          ]);
      }
    },
  },
};
export default module;

/**
 * The answer to a check of the URL that isn't chosen by an `if` of its `!switch`, where it gives something back and processes the check:
 * found by sending one that is called as a program has it. Other deliveries get another answer.
 */
function checkProcessed(
  verification: Command,
  intake: IntakeSymbol,
  model: Model,
): { readonly answer: Command; readonly name: string } | undefined {
  const all = allIn(verification) ?? [];
  const accepting = all.filter((each) => processes(each) && echoed(each, intake, model) !== undefined);
  if (accepting.length === 0 || !all.some((each) => processes(each) && !accepting.includes(each)))
    return undefined;
  if (all.some((each) => (processedPing(each) ?? unreadPing(each, intake, model)) !== undefined))
    return undefined;
  const words = new Set(
    all.flatMap(({ program }) =>
      program === undefined || program.diagnostics.length > 0
        ? []
        : [...program.node.value.matchAll(/"([\w.:-]+)"/g)].map(([, word]) => word!),
    ),
  );
  const tried = [...words].filter((word) => checkWord.test(word));
  for (const form of tried.length === 0 ? [] : (["seconds", "milliseconds", "date"] as const)) {
    const other = verdictOn(verification, "genuine", true, form).answer;
    for (const word of tried) {
      const { accepted, answer } = verdictOn(verification, "genuine", false, form, { word });
      const isOwn = answer !== undefined && answer !== other && accepting.includes(answer);
      const name = accepted === true && isOwn ? echoed(answer, intake, model) : undefined;
      if (name !== undefined && !challengeName.test(name)) return { answer: answer!, name };
    }
  }
  return undefined;
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

/** The answer that is most likely meant for genuine deliveries: a success without a body from the request. */
function genuine(answers: readonly Command[]): Command {
  return (
    answers.find((answer) => isSuccess(answer) && !echoes(answer)) ?? answers.find(isSuccess) ?? answers[0]!
  );
}

function echoes({ argument }: Command): boolean {
  const body = argument?.kind === "object" ? argument.get("body") : undefined;
  return body?.kind === "string" && body.value.includes("$");
}

const challengeName = /challenge|crc|validation_?token|verification_?token/i;

/** The name of a challenge that an answer gives back. */
function challengeIn(answer: Command, intake: IntakeSymbol, model: Model): string | undefined {
  return namesGivenBack(answer, intake, model).find((name) => challengeName.test(name));
}

/** The name of what an answer gives back, whatever it is called. */
function echoed(answer: Command, intake: IntakeSymbol, model: Model): string | undefined {
  return namesGivenBack(answer, intake, model)[0];
}

/** The names of what an answer has from the request, or from what was made of it. */
function namesGivenBack({ argument }: Command, intake: IntakeSymbol, model: Model): readonly string[] {
  if (argument?.kind !== "object") return [];
  const parts = [argument.get("body"), argument.get("headers")].filter((part) => part !== undefined);
  return partOfUnit(intake, model).expansions.flatMap(({ syntax, node, root }) => {
    const last = syntax.path.at(-1)?.text;
    const isOwn = parts.some(({ start, end }) => start <= node.start && node.end <= end);
    return root === "piped_content" && isOwn && last !== undefined ? [last] : [];
  });
}

/** What says that an answer processes the delivery. */
function processed({ argument, member }: Command): JsonNode {
  return (argument?.kind === "object" ? argument.get("process_payload") : undefined) ?? member.key;
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
