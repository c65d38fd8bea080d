import type { Expression } from "@configc/jq";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { nameOfValue } from "../../../flow/id-names.ts";
import { bare, textAt } from "../../../flow/nodes.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { isKept, keepsKey } from "../../../flow/protocol/kept-state.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { keysSent } from "../../../flow/protocol/request-reads.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";

const oldFirst = defineRule<{ key: string; text: string; beside?: string }>({
  id: "polling/old-first",
  severity: "warning",
  summary: "The old value of a key wins over the new one",
  why: "`a // b` takes `b` only where `a` is null. With the old value on the left, a mark never moves: each cycle asks for the same records again, and newer ones never arrive.",
  guards: ["polling.polling_state", "polling.request", "D23", "D33"],
  message: ({ key, text, beside }) =>
    `\`${key}\` stays as it is once it's set: \`${text}\` takes the old value first${beside === undefined ? ", and nothing clears it" : `. \`${beside}\` takes the new one first`}.`,
  because: ({ key, text }) => [`\`${key}\` is set`, `\`${text}\` gives the old one again, whatever was read`],
  help: () => "Swap the two sides of `//`.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {after: 0, after_id: 0}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"after": "${polling_state.after}", "after_id": "${polling_state.after_id}", "sort": "changed_at,id"}}}, {"!jq": "(.items | last) as $last | {results: .items, iterate: .has_more, polling_state: {after: «(${polling_state.after} // $last.changed_at)», after_id: ($last.id // ${polling_state.after_id})}}"}]',
      good: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"after": "${polling_state.after}", "after_id": "${polling_state.after_id}", "sort": "changed_at,id"}}}, {"!jq": "(.items | last) as $last | {results: .items, iterate: .has_more, polling_state: {after: ($last.changed_at // ${polling_state.after}), after_id: ($last.id // ${polling_state.after_id})}}"}]',
    },
  ],
});

const module: RuleModule = {
  rules: [oldFirst],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const sent = keysSent(intake, model);
      for (const { keys, program } of writesIn(intake, "request", model) ?? []) {
        const beside = [...keys].find(([key, value]) => sideOf(value, key, program) === "right");
        for (const [key, value] of keys) {
          if (!sent.has(key) || sideOf(value, key, program) !== "left") continue;
          const isRenewed = isToken.test(key) && isCalled(key, value) && isNeverCleared(key, intake, model);
          if (beside === undefined && !isRenewed) continue;
          const at = { node: program.node, from: value.start, to: value.end };
          const text = textAt(bare(value), program);
          report(oldFirst, at, { key, text, ...(beside === undefined ? {} : { beside: beside[0] }) });
        }
      }
    },
  },
};
export default module;

/** What a service gives anew each time; an id that is looked up once, or the key of a session, stays what it was. */
const isToken =
  /^(?!.*(?:access|auth|session|csrf|api|refresh))(?:.*[_a-z])?(?:token|cursor|marker|checkpoint|watermark|since|after)$/i;

/** Whether what would be the new value is called as the key is: `.next_sync_token` for `sync_token`. */
const isCalled = (key: string, value: Expression): boolean => {
  const node = bare(value);
  const other = node.kind === "Alternative" ? bare(node.operands.at(-1)!) : node;
  const name = wordsOf((other.kind === "Postfix" ? nameOfValue(other) : undefined) ?? "");
  return wordsOf(key).every((word) => name.includes(word));
};

/** Whether each command that sets a key gives its old value, where it has one: a token of one listing is cleared behind its last page. */
const isNeverCleared = (key: string, intake: IntakeSymbol, model: Model): boolean =>
  ["pre_poll", "request", "post_poll"].every((command) =>
    writesIn(intake, command, model)?.every((write) => {
      const value = write.keys.get(key);
      return keepsKey(write, key) || (value !== undefined && sideOf(value, key, write.program) === "left");
    }),
  );

/** On which side of `//` a key's old value stands, where the other side is a new one. */
function sideOf(value: Expression, key: string, program: JqProgram): "left" | "right" | undefined {
  const node = bare(value);
  if (node.kind !== "Alternative" || node.operands.length !== 2) return undefined;
  const [left, right] = node.operands.map((each) => isKept(bare(each), key, program));
  if (left === right) return undefined;
  return left === true ? "left" : "right";
}
