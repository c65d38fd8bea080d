import type { Expression } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import {
  lastName,
  moreName,
  onlyOutcome,
  resolved,
  waysOf,
  writtenAs,
} from "../../../flow/protocol/forms.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy } from "../../../flow/protocol/request-reads.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";

const flagAsCursor = defineRule<{ key: string; text: string }>({
  id: "polling/flag-as-cursor",
  severity: "warning",
  summary: "The cursor of the next request is only a flag",
  why: "The request sends this key to say where the next page begins. A flag such as `has_more` is sent as `true`, which isn't a place in any list: the second request fails, or gives the first page again.",
  guards: ["polling.polling_state", "polling.request", "D33"],
  message: ({ key, text }) =>
    `\`${text}\` only says whether there is another page, but the next request sends it as \`${key}\`.`,
  because: ({ key }) => ["page 1 is read, and there is more", `page 2 is requested with \`${key}\` = true`],
  help: () => "Save the cursor from the response, such as `.next_cursor`.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {cursor: null}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"cursor": "${polling_state.cursor}"}}}, {"!jq": "{results: .items, iterate: .has_more, polling_state: {cursor: «.has_more»}}"}]',
      good: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"cursor": "${polling_state.cursor}"}}}, {"!jq": "{results: .items, iterate: .has_more, polling_state: {cursor: .next}}"}]',
    },
  ],
});

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
      bad: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"after": "${polling_state.after}"}}}, {"!jq": "{results: .items, iterate: .page.has_next, polling_state: {after: «.page.start_cursor»}}"}]',
      good: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"after": "${polling_state.after}"}}}, {"!jq": "{results: .items, iterate: .page.has_next, polling_state: {after: .page.end_cursor}}"}]',
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
  rules: [flagAsCursor, previousCursor, emptyToken],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const sent = new Set(askedBy(intake, model)?.reads.map(({ key }) => key));
      const goesOn = goesForward(intake, model);
      for (const { key, way, program } of kept(intake, sent, model)) {
        const name = lastName(way);
        const at = { node: program.node, from: way.start, to: way.end };
        const args = { key, text: writtenAs(way, program) };
        if (name !== undefined && moreName.test(name)) report(flagAsCursor, at, args);
        else if (name !== undefined && previousName.test(name) && goesOn && !previousName.test(key))
          report(previousCursor, at, args);
      }
      const compared = emptyComparison(intake, sent, model);
      if (compared !== undefined) {
        const { node, token, program } = compared;
        const at = { node: program.node, from: node.start, to: node.end };
        report(emptyToken, at, { token, instead: `(${token} // "") != ""` });
      }
    },
  },
};
export default module;

interface Kept {
  readonly key: string;
  readonly way: Expression;
  readonly program: JqProgram;
}

/** What `request` may write under the keys that it sends. */
function kept(intake: IntakeSymbol, sent: ReadonlySet<string>, model: Model): readonly Kept[] {
  return (writesIn(intake, "request", model) ?? []).flatMap(({ keys, program }) =>
    [...keys].flatMap(([key, value]) =>
      sent.has(key) ? waysOf(value, program).map((way) => ({ key, way, program })) : [],
    ),
  );
}

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
  sent: ReadonlySet<string>,
  model: Model,
): { readonly node: Expression; readonly token: string; readonly program: JqProgram } | undefined {
  const outcome = onlyOutcome(intake, model);
  const node = outcome === undefined ? undefined : resolved(outcome.members.get("iterate"), outcome.program);
  if (outcome === undefined || node?.kind !== "Comparison" || node.operator !== "!=") return undefined;
  if (node.left.kind !== "Postfix" || constantOf(node.right) !== "") return undefined;
  const { program } = outcome;
  const token = writtenAs(node.left, program);
  const key = kept(intake, sent, model).find((each) => writtenAs(each.way, each.program) === token)?.key;
  const startsNull = (writesIn(intake, "initial_setup", model) ?? []).some(({ keys }) => {
    const value = key === undefined ? undefined : keys.get(key);
    return value !== undefined && constantOf(value) === null;
  });
  return startsNull ? { node, token, program } : undefined;
}
