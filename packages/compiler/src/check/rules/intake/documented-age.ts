import { memoize } from "@configc/jq/internal";
import { defineRule } from "../../../findings/rule.ts";
import { commentedBelow, commentsAround, hasComments } from "../../../flow/documented-words.ts";
import { verdictOn } from "../../../flow/machine/verification.ts";
import { durationsIn } from "../../../flow/said-durations.ts";
import type { RuleModule } from "../../checks.ts";
import { verificationOf } from "./commands-of.ts";
import { isUseless, reckoning, saidForm, timeForms, YEAR } from "./verdict.ts";

const verification = (seconds: string): string =>
  `{"!pipe": [{"!jq": "{value_to_encrypt: (.headers[\\"x-timestamp\\"] + .raw_body)}"}, {"!sha": {"algorithm": "sha256", "secret": "<SIGNING_SECRET>"}}, {"!switch": {"jq": "if (now - (\${piped_content.0.headers.x-timestamp} | tonumber)) < ${seconds} and .hash == \${piped_content.0.headers.x-signature} then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}]}`;
const marked = (text: string): string => text.replace(/"if .*? end"/, (test) => `«${test}»`);

const documentedAge = defineRule<{ seconds: number; isTooLong: boolean }>({
  id: "intake/documented-age",
  severity: "warning",
  summary: "`verification` takes deliveries of another age than a comment says",
  why: "The service says how old a delivery may be. If `verification` takes older ones, whoever recorded one can send it again. If it refuses younger ones, genuine deliveries are lost whenever the network is slow or a clock is a little off.",
  guards: ["D3", "D26", "D31"],
  message: ({ seconds, isTooLong }) =>
    isTooLong
      ? `A comment says that a delivery may be ${shown(seconds)} old. This accepts one that is twice as old.`
      : `A comment says that a delivery may be ${shown(seconds)} old. This refuses one that is half as old.`,
  because: ({ seconds, isTooLong }) => [
    `a delivery that was signed ${shown(isTooLong ? 2 * seconds : seconds / 2)} ago`,
    isTooLong ? "`process_payload: true`: it is accepted" : "it is refused",
  ],
  help: ({ seconds }) => `Compare the age in seconds with ${seconds}.`,
  examples: [
    {
      title: "D31",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      with: { "/data_intake/0/_comment": '"Older than five minutes is a replay."' },
      bad: marked(verification("3600")),
      good: verification("300"),
    },
  ],
});

const shown = (seconds: number): string =>
  seconds >= 120 && seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`;

const module: RuleModule = {
  rules: [documentedAge],
  checks: {
    reach: "saved",
    intake(intake, report, model) {
      if (!hasComments(model)) return;
      const readable = verificationOf(intake, model);
      if (readable === undefined) return;
      const { root, all } = readable;
      const comments = commentsAround(root.node, [...commentedBelow(root.node)]);
      const [said, ...others] = comments.filter(({ value }) => ageIn(value) !== undefined);
      const seconds = said === undefined ? undefined : ageIn(said.value);
      if (said === undefined || seconds === undefined || others.some(({ value }) => ageIn(value) !== seconds))
        return;
      const form = saidForm(root, model);
      const forms = (form === undefined ? timeForms(all) : [form]).map((each) =>
        [2, seconds / 2, 2 * seconds, YEAR].map(
          (age) => verdictOn(root, "genuine", true, each, { age }).accepted,
        ),
      );
      // Who doesn't look at the time accepts what is a year old as well.
      const working = forms.filter(([fresh, , , stale]) => !isUseless(fresh, stale));
      if (working.length === 0) return;
      const isTooLong = working.every(([, , old, stale]) => old === true && stale === false);
      const isTooShort = working.every(([fresh, young]) => fresh === true && young === false);
      if (!isTooLong && !isTooShort) return;
      report(documentedAge, reckoning(all)?.program?.node ?? root.member.key, { seconds, isTooLong }, [
        { message: "the comment", at: said },
      ]);
    },
  },
};
export default module;

const old =
  /\b(?:old|older|off|replay(?:s|ed)?|stale|played again|may differ|tolerance|allowed|turned away|good for)\b/i;
const ofDelivery =
  /\b(?:replay(?:s|ed)?|refuse[sd]?|turned away|rejected|signature|signed|timestamp|deliver(?:y|ies)|notices?|calls?|requests?|events?|time|sent|old|older)\b/i;
/** What lives for some time beside: a cursor, a token, a list. */
const ofOther =
  /\b(?:cursor|token|page|list|link|snapshot|export|session|late|after its|window|again|tried|retr\w+|repeat\w*)\b/i;

/** The age in seconds up to which a comment says that deliveries are taken: `older than five minutes is a replay`. */
const ageIn: (text: string) => number | undefined = memoize((text) => {
  const ages = text
    .split(/(?<=[.;])\s+/)
    .filter((clause) => old.test(clause) && ofDelivery.test(clause) && !ofOther.test(clause))
    .flatMap(durationsIn);
  const [age, ...others] = new Set(ages);
  return others.length === 0 && age !== undefined && age > 0 ? age : undefined;
}, 200);
