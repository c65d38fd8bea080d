import { defineRule } from "../../../findings/rule.ts";
import { documentedAge } from "../../../flow/documented-ages.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { verdictOn } from "../../../flow/machine/verification.ts";
import type { TimeForm } from "../../../flow/time-form.ts";
import type { RuleModule } from "../../checks.ts";
import { verificationOf } from "./commands-of.ts";
import { DAY, isUseless, reckoning, saidForm, timeForms, YEAR } from "./signed-times.ts";

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

const otherTolerance = defineRule<{ said: string; accepts: boolean }>({
  id: "intake/other-tolerance",
  severity: "warning",
  summary: "`verification` accepts deliveries for a longer or a shorter time than a comment says",
  why: "Who recorded a delivery can send it again as long as it is accepted. A limit that is far longer than the service's own lets such copies in; one that is far shorter refuses what came a little late.",
  guards: ["D3", "D26", "D31"],
  message: ({ said, accepts }) =>
    accepts
      ? `A comment says ${said}, and this accepts a delivery that is twice as old.`
      : `A comment says ${said}, and this refuses a delivery that is half as old.`,
  because: ({ said, accepts }) => [
    `the limit is ${said}, by the comment`,
    accepts ? "a delivery of twice that age is accepted" : "a delivery of half that age is refused",
  ],
  help: () => "Compare in one unit: `now` is in seconds.",
  examples: [
    {
      title: "D31",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      with: { "/data_intake/0/_comment": '"Older than five minutes is a replay."' },
      bad: verification("300000").replace(/"if .*? end"/, (test) => `«${test}»`),
      good: verification("300"),
    },
  ],
});

const module: RuleModule = {
  rules: [longTolerance, otherTolerance],
  checks: {
    intake(intake, report, model) {
      const readable = verificationOf(intake, model);
      if (readable === undefined) return;
      const { root, all } = readable;
      const said = saidForm(root, model);
      const verdicts = (form: TimeForm, ages: readonly number[]): readonly (boolean | undefined)[] =>
        ages.map((age) => verdictOn(root, "genuine", false, form, { age }).accepted);
      const possible = said === undefined ? timeForms(all) : [said];
      const at = reckoning(all)?.program?.node ?? root.member.key;
      const limit = hasComments(model) ? documentedAge(root.node) : undefined;
      if (limit !== undefined) {
        const { seconds, text, comment } = limit;
        const told = possible
          .map((form) => verdicts(form, [2, seconds / 2, 2 * seconds, YEAR]))
          .filter(([fresh, , , stale]) => !isUseless(fresh, stale) && stale === false);
        const accepts = told.every(([, , old]) => old === true);
        const refuses = told.every(([fresh, young]) => fresh === true && young === false);
        if (told.length > 0 && accepts !== refuses) {
          report(otherTolerance, at, { said: text, accepts }, [{ message: "the comment", at: comment }]);
          return;
        }
      }
      const forms = possible.map((form) => verdicts(form, [2, 2 * DAY, YEAR]));
      // Who doesn't look at the time accepts what is a year old as well.
      const working = forms.filter(([fresh, , stale]) => !isUseless(fresh, stale));
      if (working.length > 0 && working.every(([, old, stale]) => old === true && stale === false))
        report(longTolerance, at, {});
    },
  },
};
export default module;
