import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { verificationOf } from "./commands-of.ts";

const answer = (code: string): string =>
  `{"!pipe": [{"!switch": {"jq": "if .method == \\"GET\\" then 0 else 1 end", "cases": [{"!respond": {"code": ${code}, "body": {"challenge": "\${piped_content.0.query.challenge}"}}}, {"!respond": {"process_payload": true}}]}}]}`;

const refusedChallenge = defineRule<{ name: string; code: number }>({
  id: "intake/refused-challenge",
  severity: "warning",
  summary: "A challenge is given back with a status that refuses it",
  why: "A service that checks a URL wants its challenge back with a status of success. With 401 it takes the URL for one that doesn't answer: it is never confirmed, and no delivery comes.",
  guards: ["D26", "D31", "command.!respond"],
  message: ({ name, code }) => `This gives \`${name}\` back, but ${code} says that it was refused.`,
  because: ({ name, code }) => [
    `the service sends \`${name}\` and gets it back`,
    `it looks at ${code}: refused`,
  ],
  help: () => "Answer with 200.",
  examples: [
    {
      title: "D31",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      bad: answer("«401»"),
      good: answer("200"),
      fixed: answer("200"),
    },
  ],
  fixes: ({ at }) =>
    "start" in at
      ? [{ title: "Change to 200", safe: false, edits: [{ start: at.start, end: at.end, newText: "200" }] }]
      : [],
});

const otherEcho = defineRule<{ name: string }>({
  id: "intake/other-echo",
  severity: "warning",
  summary: "A comment speaks of a challenge, and the answer gives back something else",
  why: "A service that checks a URL compares what it gets back with the challenge that it sent. With any other parameter the check fails, the registration is refused, and no event arrives.",
  guards: ["D26", "D31", "command.!respond"],
  message: ({ name }) =>
    `This gives back \`${name}\`. A comment says that a challenge is wanted, and nothing here reads one.`,
  because: ({ name }) => ["the service sends a challenge", `it gets \`${name}\` back, and refuses the URL`],
  help: () => "Give back the member that has the challenge.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      bad: '{"_comment": "A check has mode and challenge in its query, and wants the challenge back.", "!pipe": [{"!switch": {"jq": "if .query_params.mode == \\"check\\" then 0 else 1 end", "cases": [{"!respond": {"process_payload": false, "code": 200, "body": «"${piped_content.0.query_params.topic}"»}}, {"!respond": {"process_payload": true, "code": 200}}]}}]}',
      good: '{"_comment": "A check has mode and challenge in its query, and wants the challenge back.", "!pipe": [{"!switch": {"jq": "if .query_params.mode == \\"check\\" then 0 else 1 end", "cases": [{"!respond": {"process_payload": false, "code": 200, "body": "${piped_content.0.query_params.challenge}"}}, {"!respond": {"process_payload": true, "code": 200}}]}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [refusedChallenge, otherEcho],
  checks: {
    // A comment says what is wanted.
    reach: "saved",
    intake(intake, report, model) {
      const echoed = hasComments(model) ? echoedInstead(intake, model) : undefined;
      if (echoed !== undefined) report(otherEcho, echoed.at, { name: echoed.name });
      for (const { key, argument } of verificationOf(intake, model)?.all ?? []) {
        if (key !== "!respond" || argument?.kind !== "object") continue;
        const [code, body, passed] = ["code", "body", "process_payload"].map((name) => argument.get(name));
        if (code?.kind !== "number" || code.value < 400 || code.value > 599 || body === undefined) continue;
        if (passed?.kind === "boolean" && passed.value) continue;
        const name = partOfUnit(intake, model)
          .expansions.filter(({ node }) => body.start <= node.start && node.end <= body.end)
          .map(({ syntax }) => syntax.path.at(-1)?.text ?? "")
          .find((each) => isChallenge.test(each));
        if (name !== undefined) report(refusedChallenge, code, { name, code: code.value });
      }
    },
  },
};
export default module;

/** What an answer gives back of the request, where a comment speaks of a challenge and nothing reads one. */
function echoedInstead(
  intake: IntakeSymbol,
  model: Model,
): { readonly at: StringNode; readonly name: string } | undefined {
  const verification = intake.commands.get("verification");
  if (verification === undefined) return undefined;
  const { start, end } = verification.node;
  const own = commentsBelow(intake.node);
  if (!own.some(({ value }) => /\bchallenge\b/i.test(value))) return undefined;
  const written = model.document.text.slice(start, end);
  if (/[."]\w*(?:challenge|crc|nonce)\w*[}"\\ |)]/i.test(withoutComments(written))) return undefined;
  for (const { key, argument } of verificationOf(intake, model)?.all ?? []) {
    const body = key === "!respond" && argument?.kind === "object" ? argument.get("body") : undefined;
    if (body?.kind !== "string") continue;
    const [, name] =
      /^\$[{<]piped_content\.0\.(?:query|query_params|body)\.(\w+)[}>]$/.exec(body.value) ?? [];
    if (name !== undefined && !mayBeChallenge.test(name)) return { at: body, name };
  }
  return undefined;
}

const withoutComments = (text: string): string =>
  text.replace(/"_comment"\s*:\s*(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\])/g, "");
const mayBeChallenge =
  /challenge|token|nonce|echo|code|key|secret|validat|verif|crc|random|value|string|text/i;

/** What services call it that they want back. */
const isChallenge = /challenge|^crc|(?:validation|verification|plain)_?token|^nonce$/i;
