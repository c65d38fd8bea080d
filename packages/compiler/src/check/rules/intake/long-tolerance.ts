import { defineRule } from "../../../findings/rule.ts";
import { verdictOn } from "../../../flow/machine/verification.ts";
import type { RuleModule } from "../../checks.ts";
import { verificationOf } from "./commands-of.ts";
import { DAY, isUseless, reckoning, saidForm, timeForms, YEAR } from "./verdict.ts";

const verification = (seconds: string): string =>
  `{"!pipe": [{"!jq": "{value_to_encrypt: (.headers[\\"x-timestamp\\"] + .raw_body)}"}, {"!sha": {"algorithm": "sha256", "secret": "<SIGNING_SECRET>"}}, {"!switch": {"jq": "if (now - (\${piped_content.0.headers.x-timestamp} | tonumber)) < ${seconds} and .hash == \${piped_content.0.headers.x-signature} then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}]}`;

const longTolerance = defineRule<Record<string, never>>({
  id: "intake/long-tolerance",
  severity: "hint",
  summary: "`verification` accepts deliveries that are some days old",
  why: "Who recorded a delivery can send it again as long as it is accepted. Five minutes are usual, and enough for clocks that differ. A number that is meant in milliseconds is three days in seconds.",
  guards: ["D26", "D31"],
  message: () => "This accepts a delivery that was signed two days ago.",
  because: () => [
    "a genuine delivery of two days ago, sent again",
    "`process_payload: true`: it is accepted",
  ],
  help: () => "Compare seconds with seconds: `< 300` for five minutes.",
  examples: [
    {
      title: "D31",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      bad: verification("300000").replace(/"if .*? end"/, (test) => `«${test}»`),
      good: verification("300"),
    },
  ],
});

const module: RuleModule = {
  rules: [longTolerance],
  checks: {
    intake(intake, report, model) {
      const readable = verificationOf(intake, model);
      if (readable === undefined) return;
      const { root, all } = readable;
      const said = saidForm(root, model);
      const forms = (said === undefined ? timeForms(all) : [said]).map((form) =>
        [2, 2 * DAY, YEAR].map((age) => verdictOn(root, "genuine", false, form, { age }).accepted),
      );
      // Who doesn't look at the time accepts what is a year old as well.
      const working = forms.filter(([fresh, , stale]) => !isUseless(fresh, stale));
      if (working.length > 0 && working.every(([, old, stale]) => old === true && stale === false))
        report(longTolerance, reckoning(all)?.program?.node ?? root.member.key, {});
    },
  },
};
export default module;
