import type { Command } from "../../../bind/bound-nodes.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { valueReaders } from "../../../flow/protocol/value-readers.ts";
import type { RuleModule } from "../../checks.ts";
import { verificationOf } from "./commands-of.ts";
import { isHashRead } from "./hash-reads.ts";

const unreadHash = defineRule<Record<string, never>>({
  id: "intake/unread-hash",
  severity: "warning",
  summary: "Nothing reads the hash that `!sha` makes",
  why: "`!sha` gives `hash` beside `value_to_encrypt`, which is the text that it hashed. A challenge that is answered with that text proves nothing, so the service never confirms the webhook, and a record that is known by a hash isn't found by the text.",
  guards: ["command.!sha", "D26"],
  message: () => "Nothing after this step reads its `hash`.",
  because: () => ["`!sha` makes the hash", "what is sent or compared afterwards is something else"],
  help: () => "Read `.hash`, or `hash` of this step's `piped_content`.",
  examples: [
    {
      title: "D26: a path with the text instead of its hash",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{value_to_encrypt: (.email | ascii_downcase)}"}, {«"!sha"»: {"algorithm": "sha256"}}, {"!http": {"method": "PUT", "path": "/lists/${custom_data.list.value}/people/${piped_content.2.value_to_encrypt}"}}]}',
      good: '{"!pipe": [{"!jq": "{value_to_encrypt: (.email | ascii_downcase)}"}, {"!sha": {"algorithm": "sha256"}}, {"!http": {"method": "PUT", "path": "/lists/${custom_data.list.value}/people/${piped_content.2.hash}"}}]}',
    },
    {
      title: "D26: a challenge answered with its own text",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      bad: '{"!switch": {"jq": "if .body.challenge? != null then 0 else 1 end", "cases": [{"!pipe": [{"!jq": "{value_to_encrypt: .body.challenge}"}, {«"!sha"»: {"algorithm": "sha256", "secret": "${data.workflow.hook_id}"}}, {"!respond": {"code": 200, "process_payload": false, "body": {"answer": "${piped_content.2.value_to_encrypt}"}}}]}, {"!pipe": [{"!jq": "{value_to_encrypt: .raw_body}"}, {"!sha": {"algorithm": "sha256", "secret": "${data.workflow.hook_id}"}}, {"!switch": {"jq": "if .hash == ${piped_content.0.headers.x-signature | default} then 0 else 1 end", "cases": [{"!respond": {"code": 200, "process_payload": true}}, {"!respond": {"code": 401, "process_payload": false}}]}}]}]}}',
      good: '{"!switch": {"jq": "if .body.challenge? != null then 0 else 1 end", "cases": [{"!pipe": [{"!jq": "{value_to_encrypt: .body.challenge}"}, {"!sha": {"algorithm": "sha256", "secret": "${data.workflow.hook_id}"}}, {"!respond": {"code": 200, "process_payload": false, "body": {"answer": "${piped_content.2.hash}"}}}]}, {"!pipe": [{"!jq": "{value_to_encrypt: .raw_body}"}, {"!sha": {"algorithm": "sha256", "secret": "${data.workflow.hook_id}"}}, {"!switch": {"jq": "if .hash == ${piped_content.0.headers.x-signature | default} then 0 else 1 end", "cases": [{"!respond": {"code": 200, "process_payload": true}}, {"!respond": {"code": 401, "process_payload": false}}]}}]}]}}',
    },
  ],
});

const module: RuleModule = {
  rules: [unreadHash],
  checks: {
    part(part, report) {
      const made = part.commands.flatMap((command) => {
        const step = command.key === "!sha" ? stepWith(command) : undefined;
        return step === undefined || command.place.name === "intake.verification" ? [] : [{ command, step }];
      });
      if (made.length === 0) return;
      const readers = valueReaders(part);
      for (const { command, step } of made) {
        const { members, whole } = readers.of(step);
        // Where nothing of it is read, the step is told as unused.
        if (!whole && members.has("value_to_encrypt") && !members.has("hash"))
          report(unreadHash, command.member.key, {});
      }
    },
    intake(intake, report, model) {
      const readable = verificationOf(intake, model);
      if (readable === undefined) return;
      const { all } = readable;
      const made = all.filter(
        ({ key, pipe, parent }) => key === "!sha" && pipe !== undefined && parent === pipe,
      );
      // Where none is read, anybody is let in, and that is told.
      if (made.length === 0 || !isHashRead(all, model)) return;
      const readers = valueReaders(partOfUnit(intake, model));
      for (const command of made) {
        const isLast = command.pipe?.children.at(-1) === command;
        const { members, whole } = readers.of(command);
        if (!isLast && !whole && !members.has("hash")) report(unreadHash, command.member.key, {});
      }
    },
  },
};
export default module;

/** The step of a pipe that gives what a command gives: the command, or a `!switch` of which no other case gives anything. */
function stepWith(command: Command): Command | undefined {
  const { pipe, parent } = command;
  if (pipe === undefined || parent === pipe) return pipe && command;
  if (parent?.key !== "!switch" || parent.parent !== pipe) return undefined;
  const isOnly = parent.children.every(
    (child) => child === command || child?.key === "!error" || child?.program?.node.value.trim() === "null",
  );
  return isOnly ? parent : undefined;
}
