import { defineRule } from "../../../findings/rule.ts";
import { verdictOn } from "../../../flow/machine/verification.ts";
import { isEventName, registeredEvents } from "../../../flow/registered-events.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames } from "../../message-text.ts";
import { allIn } from "../workflow/commands.ts";
import { verificationOf } from "./commands-of.ts";
import { echoesBelow, processedPing } from "./pings.ts";
import { timeForms } from "./signed-times.ts";

const at = "/data_intake/0/verification";
const verification = (test: string): string =>
  `{"!pipe": [{"!jq": "{value_to_encrypt: .raw_body}"}, {"!sha": {"algorithm": "sha256", "secret": "<SIGNING_SECRET>"}}, {"!switch": {"jq": "if .hash != \${piped_content.0.headers.x-signature} then 2 elif \${piped_content.0.body.event} ${test} then 0 else 1 end", "cases": [{"!respond": {"process_payload": false}}, {"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}]}`;

const refusedEvent = defineRule<{ events: readonly string[]; isAnswered?: true }>({
  id: "intake/refused-event",
  severity: "warning",
  summary: "`verification` hands on none of the events that `create` registers",
  why: "Services send checks of their own, which an app answers and drops. If what the app was registered for is taken for a check, each delivery is answered with success and thrown away: nothing ever arrives, and nobody notices.",
  guards: ["webhook.create", "D26", "D31"],
  message: ({ events, isAnswered }) =>
    isAnswered
      ? `A genuine delivery of ${allNames(events)} gets the answer for a check, and isn't processed. \`create\` registers it.`
      : `A genuine delivery of ${allNames(events)} isn't processed, and \`create\` registers nothing else.`,
  because: ({ events }) => [
    `a genuine delivery has the event \`${events[0]}\``,
    "its answer doesn't process the payload",
  ],
  help: () => "Process the events that `create` registers, and drop the others.",
  examples: [
    {
      title: "D26",
      in: "inbound-webhook",
      at,
      with: {
        "/data_intake/0/create/!pipe/0/!http/body":
          '{"url": "${webhook.url}", "events": ["submission.created"]}',
      },
      bad: verification('== \\"submission.created\\"').replace('"!pipe"', '«"!pipe"»'),
      good: verification('!= \\"submission.created\\"'),
    },
  ],
});

const module: RuleModule = {
  rules: [refusedEvent],
  checks: {
    intake(intake, report, model) {
      const readable = verificationOf(intake, model);
      const create = intake.commands.get("create");
      if (readable === undefined || create === undefined) return;
      const { root, all } = readable;
      const registered = registeredEvents(intake, allIn(create) ?? []);
      if (registered === undefined || registered.field !== undefined || registered.events.length === 0)
        return;
      const { events, name } = registered;
      if (events.some((event) => /[*#]|^all$|ping|test/i.test(event))) return;
      const isNamedBy = (member: string): boolean =>
        isEventName(member, name) || /(?:^|-)(?:event|topic)(?:-(?:type|name))?$/.test(member);
      const forms = timeForms(all);
      // A check that is processed instead is told as that, and so is what is refused whatever it is about.
      if (all.some((each) => processedPing(each) !== undefined)) return;
      if (forms.every((form) => verdictOn(root, "genuine", false, form).accepted === false)) return;
      const isRefused = (event: string): boolean =>
        forms.every(
          (form) =>
            verdictOn(root, "genuine", false, form, { event: { is: event, isNamedBy } }).accepted === false,
        );
      if (events.every(isRefused)) return report(refusedEvent, root.member.key, { events });
      // Some may be dropped on purpose, but not with what answers a check.
      const answered = all.some(echoesBelow)
        ? events.filter((event) =>
            forms.every((form) => {
              const given = { event: { is: event, isNamedBy } };
              const { accepted, answer } = verdictOn(root, "genuine", false, form, given);
              return accepted === false && answer !== undefined && echoesBelow(answer);
            }),
          )
        : [];
      if (answered.length > 0) report(refusedEvent, root.member.key, { events: answered, isAnswered: true });
    },
  },
};
export default module;
