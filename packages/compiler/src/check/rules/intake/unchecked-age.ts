import { defineRule } from "../../../findings/rule.ts";
import { documentedAge } from "../../../flow/documented-ages.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import type { RuleModule } from "../../checks.ts";
import { verificationOf } from "./commands-of.ts";

const verification = (test: string): string =>
  `{"!pipe": [{"!jq": "{value_to_encrypt: (.headers[\\"x-timestamp\\"] + .raw_body)}"}, {"!sha": {"algorithm": "sha256", "secret": "<SIGNING_SECRET>"}}, {"!switch": {"jq": "if ${test}.hash == \${piped_content.0.headers.x-signature} then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}]}`;

const uncheckedAge = defineRule<{ said: string }>({
  id: "intake/unchecked-age",
  severity: "warning",
  summary: "A comment says how old a delivery may be, and `verification` doesn't look at the time",
  why: "A signature says who sent a delivery, not when it came. Who recorded one can send it again with its signature, as often as somebody likes. So services sign the time, too, and say how old it may be.",
  guards: ["D3", "D26", "D31"],
  message: ({ said }) =>
    `A comment says ${said}, and nothing here compares the time of a delivery with \`now\`.`,
  because: ({ said }) => [
    `the limit is ${said}, by the comment`,
    "a genuine delivery of a year ago, sent again, is accepted",
  ],
  help: () => "Compare how long ago it was: `now - $time < 300`.",
  examples: [
    {
      title: "D31",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      with: { "/data_intake/0/_comment": '"Older than five minutes is a replay."' },
      bad: verification("").replace('"!sha"', '«"!sha"»'),
      good: verification("(now - (${piped_content.0.headers.x-timestamp} | tonumber)) < 300 and "),
    },
  ],
});

const module: RuleModule = {
  rules: [uncheckedAge],
  checks: {
    intake(intake, report, model) {
      if (!hasComments(model)) return;
      const { root, all } = verificationOf(intake, model) ?? {};
      const sha = all?.find(({ key }) => key === "!sha");
      // Without a signature, an age says nothing.
      if (root === undefined || sha === undefined) return;
      if (all!.some(({ program }) => /\bnow\b|\blocaltime\b/.test(program?.node.value ?? ""))) return;
      const limit = documentedAge(root.node);
      if (limit !== undefined && limit.seconds <= HOUR)
        report(uncheckedAge, sha.member.key, { said: limit.text }, [
          { message: "the comment", at: limit.comment },
        ]);
    },
  },
};
export default module;

/** What is said of a longer time is most likely said of something else, such as how long a delivery is tried again. */
const HOUR = 3600;
