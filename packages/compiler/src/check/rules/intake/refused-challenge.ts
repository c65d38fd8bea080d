import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
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

const module: RuleModule = {
  rules: [refusedChallenge],
  checks: {
    intake(intake, report, model) {
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

/** What services call it that they want back. */
const isChallenge = /challenge|^crc|(?:validation|verification|plain)_?token|^nonce$/i;
