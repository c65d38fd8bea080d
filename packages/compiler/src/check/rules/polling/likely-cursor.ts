import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { lastName, moreName, onlyOutcome, resolved, writtenAs } from "../../../flow/protocol/forms.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { keptOf } from "./cursor-source.ts";
import { otherPageOf } from "./other-page.ts";
import { goesOnForever } from "./page-end.ts";

const previousCursor = defineRule<{ key: string; text: string }>({
  id: "polling/previous-cursor",
  severity: "hint",
  summary: "The next request uses the cursor of the previous page",
  why: "Responses often have two cursors: for the start and the end of the page, or for the previous and the next page. With the first of them, the next request gets the same page or the previous one, and the cycle ends because nothing is new.",
  guards: ["polling.polling_state", "polling.request", "D33"],
  message: ({ key, text }) =>
    `\`iterate\` asks for the next page, but \`${key}\` becomes \`${text}\`, which looks like the start of this page or the previous one.`,
  because: ({ key }) => [
    "page 1 is read, and there is more",
    `page 2 is requested with a \`${key}\` that leads back to page 1`,
  ],
  help: () => "Use the cursor for the end of the page, such as `.endCursor` or `.next_cursor`.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {after: null}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"after": "${polling_state.after}"}}}, {"!jq": "{results: .items, iterate: .page.has_next, polling_state: {after: «.page.first_cursor»}}"}]',
      good: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"after": "${polling_state.after}"}}}, {"!jq": "{results: .items, iterate: .page.has_next, polling_state: {after: .page.last_cursor}}"}]',
    },
  ],
});

const emptyToken = defineRule<{ token: string; instead: string }>({
  id: "polling/empty-token",
  severity: "hint",
  summary: "`iterate` compares a token only with an empty string",
  why: "After the last page an API omits the token, or gives `null` or an empty string. A missing token isn't equal to an empty string, so `iterate` stays true and the cycle starts again from the first page.",
  guards: ["polling.iterate", "D33"],
  message: ({ token }) =>
    `If \`${token}\` is null or missing, it isn't equal to \`""\`, so this stays true forever.`,
  because: ({ token }) => [
    `the last page has no \`${token}\``,
    '`null != ""` is true: the next request sends null and gets the first page',
  ],
  help: ({ instead }) => `Write \`${instead}\`, which handles all three.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {cursor: null}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"cursor": "${polling_state.cursor}"}}}, {"!jq": "{results: .items, iterate: («.next != \\"\\"»), polling_state: {cursor: .next}}"}]',
      good: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"cursor": "${polling_state.cursor}"}}}, {"!jq": "{results: .items, iterate: ((.next // \\"\\") != \\"\\"), polling_state: {cursor: .next}}"}]',
      fixed:
        '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"cursor": "${polling_state.cursor}"}}}, {"!jq": "{results: .items, iterate: ((.next // \\"\\") != \\"\\"), polling_state: {cursor: .next}}"}]',
    },
  ],
  fixes: ({ at, args: { instead } }, { document }) => [
    {
      title: `Change to \`${instead}\``,
      safe: false,
      edits: [{ ...spanOf(document, at), newText: JSON.stringify(instead).slice(1, -1) }],
    },
  ],
});

const module: RuleModule = {
  rules: [previousCursor, emptyToken],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      if (goesForward(intake, model) && otherPageOf(intake, model) === undefined)
        for (const { key, way, program } of keptOf(intake, model)) {
          const name = lastName(way) ?? "";
          const at = { node: program.node, from: way.start, to: way.end };
          // `since` becomes `before`, the end of the window that was read.
          if (boundName(key)?.end === "lower" && /^before$/i.test(name)) continue;
          if (previousName.test(name) && !moreName.test(name) && !previousName.test(key))
            report(previousCursor, at, { key, text: writtenAs(way, program) });
        }
      const compared = emptyComparison(intake, model);
      if (compared === undefined || goesOnForever(intake, model)) return;
      const { node, token, program } = compared;
      const at = { node: program.node, from: node.start, to: node.end };
      report(emptyToken, at, { token, instead: `(${token} // "") != ""` });
    },
  },
};
export default module;

const previousName = /^(?:start|first|prev|previous|before)_?(?:cursor|token|page_?token|page|link|url)?$/i;

/** Whether `iterate` asks for a next page by its name. */
function goesForward(intake: IntakeSymbol, model: Model): boolean {
  const outcome = onlyOutcome(intake, model);
  const iterate = outcome?.members.get("iterate");
  if (outcome === undefined || iterate === undefined) return false;
  const text = writtenAs(iterate, outcome.program);
  return /next|more/i.test(text) && !/prev/i.test(text);
}

/** `.next != ""`, where the state begins with null and the token is what is kept. */
function emptyComparison(
  intake: IntakeSymbol,
  model: Model,
): { readonly node: Expression; readonly token: string; readonly program: JqProgram } | undefined {
  const outcome = onlyOutcome(intake, model);
  const node = outcome === undefined ? undefined : resolved(outcome.members.get("iterate"), outcome.program);
  if (outcome === undefined || node?.kind !== "Comparison" || node.operator !== "!=") return undefined;
  if (node.left.kind !== "Postfix" || constantOf(node.right) !== "") return undefined;
  const { program } = outcome;
  const token = writtenAs(node.left, program);
  const key = keptOf(intake, model).find((each) => writtenAs(each.way, each.program) === token)?.key;
  const startsNull = (writesIn(intake, "initial_setup", model) ?? []).some(({ keys }) => {
    const value = key === undefined ? undefined : keys.get(key);
    return value !== undefined && constantOf(value) === null;
  });
  return startsNull ? { node, token, program } : undefined;
}
