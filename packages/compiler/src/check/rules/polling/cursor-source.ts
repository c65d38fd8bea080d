import type { Expression } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedClauses } from "../../../flow/documented-clauses.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { pagingOf } from "../../../flow/machine/paging.ts";
import { bare, partAt } from "../../../flow/nodes.ts";
import { trailsOf } from "../../../flow/origin.ts";
import { ownToken, unreadNext } from "../../../flow/protocol/documented-next.ts";
import {
  lastName,
  moreName,
  onlyOutcome,
  resolved,
  waysOf,
  writtenAs,
} from "../../../flow/protocol/forms.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy, paramOf } from "../../../flow/protocol/request-reads.ts";
import { stageBefore } from "../../../flow/protocol/stage-before.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import { type Watermark, watermarksOf } from "../../../flow/protocol/watermarks.ts";
import type { Report, RuleModule } from "../../checks.ts";

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

const otherToken = defineRule<{ key: string; text: string; asked: string; isSaid?: true }>({
  id: "polling/other-token",
  severity: "warning",
  summary: "The cursor is taken from another member than the one that leads to the next page",
  why: "`iterate` asks whether the answer has a token for the next page. The next request has to send that token. Another member of the answer is null or leads to another page, so the first page comes again and the cycle ends there.",
  guards: ["polling.polling_state", "polling.iterate", "D33"],
  message: ({ key, text, asked, isSaid }) =>
    isSaid
      ? `A comment calls the next place \`${asked}\`, but \`${key}\`, which the next request sends, becomes \`${text}\`.`
      : `\`iterate\` asks for \`${asked}\`, but \`${key}\`, which the next request sends, becomes \`${text}\`.`,
  because: ({ key, text, asked }) => [
    `page 1 has \`${asked}\`, so there is more`,
    `page 2 is requested with \`${text}\` as \`${key}\``,
  ],
  help: ({ asked }) => `Save \`${asked}\`.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe",
      with: {
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {token: null}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"page_token": "${polling_state.token}"}}}, {"!jq": "{results: .items, iterate: (.next_token != null), polling_state: {token: «.token»}}"}]',
      good: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"page_token": "${polling_state.token}"}}}, {"!jq": "{results: .items, iterate: (.next_token != null), polling_state: {token: .next_token}}"}]',
    },
    {
      title: "The token that was sent",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe",
      with: {
        "/data_intake/0/_comment": '"next_token is always there, also on the last page."',
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {token: null}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"page_token": "${polling_state.token}"}}}, {"!jq": "{results: .items, iterate: .more, polling_state: {token: «.token»}}"}]',
      good: '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"page_token": "${polling_state.token}"}}}, {"!jq": "{results: .items, iterate: .more, polling_state: {token: .next_token}}"}]',
    },
  ],
});

const module: RuleModule = {
  rules: [flagAsCursor, otherToken],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      for (const { key, way, program } of keptOf(intake, model)) {
        const at = { node: program.node, from: way.start, to: way.end };
        const name = lastName(way) ?? "";
        if (moreName.test(name) && !leadsOn(name, intake, model) && !isFlagFrom(key, intake, model))
          report(flagAsCursor, at, { key, text: writtenAs(way, program) });
      }
      tellOther(intake, report, model);
    },
  },
};
export default module;

/** A token of the answer that isn't the one it asks about. */
function tellOther(intake: IntakeSymbol, report: Report, model: Model): void {
  const asked = tokenAsked(intake, model);
  const [own, ...others] = keptOf(intake, model).filter(isOfAnswer);
  if (asked === undefined || !isTokenName(asked.name)) {
    // `mark` of the answer leads on, and `mark` is sent: the id of a record isn't that.
    const kept = keptOf(intake, model).find(
      ({ key, way }) => key === asked?.name && constantOf(bare(way)) === undefined,
    );
    if (asked === undefined || kept === undefined || !isOfItem(kept.key, intake, model))
      return tellUnread(intake, report, model);
    const { key, way, program } = kept;
    return report(otherToken, partAt(program, way), {
      key,
      text: writtenAs(way, program),
      asked: asked.text,
    });
  }
  if (own === undefined || others.length > 0 || own.program !== asked.program) return;
  const { key, way, program } = own;
  const name = lastName(way) ?? "";
  const text = writtenAs(way, program);
  const isToken = /^(?:page_?)?(?:token|cursor)$/i.test(name);
  const isBeside = ofThisPage.test(name) && aboveIn(text) !== "" && aboveIn(text) === aboveIn(asked.text);
  if ((!isToken && !isBeside) || text === asked.text) return;
  if (isToken && hasComments(model) && isSaidLink(asked.name, program)) return;
  // A step before may have taken it from anywhere.
  const trails = trailsOf(flowOf(model), program, way);
  if (!trails.every(({ origin }) => origin.kind === "response") || trails.length === 0) return;
  report(otherToken, partAt(program, way), { key, text, asked: asked.text });
}

/** `this` of `{this, next}`: where the page at hand begins. */
const ofThisPage = /^(?:this|current|self|own|here|present)(?:_?(?:page|token|cursor))?$/i;

/** `.cursors` of `.cursors.next`: what two places of one answer stand in. */
const aboveIn = (text: string): string => text.slice(0, Math.max(0, text.lastIndexOf(".")));

/** Whether a member of the answer leads to the next page by how it is used, as `.more` that is null on the last page. */
const leadsOn = (name: string, intake: IntakeSymbol, model: Model): boolean =>
  [...(pagingOf(intake, model)?.tokens ?? [])].some((token) => token.split(".").at(-1) === name);

/** A cursor that becomes `.token`, where a comment names `next_token` and nothing reads that. */
function tellUnread(intake: IntakeSymbol, report: Report, model: Model): void {
  const own = keptOf(intake, model).find(
    (kept) => isOfAnswer(kept) && ownToken.test(lastName(kept.way) ?? ""),
  );
  if (own === undefined) return;
  const asked = unreadNext(own.program.node, partOfUnit(intake, model).programs, model);
  if (asked === undefined) return;
  const { key, way, program } = own;
  const trails = trailsOf(flowOf(model), program, way);
  if (!trails.every(({ origin }) => origin.kind === "response") || trails.length === 0) return;
  const text = writtenAs(way, program);
  report(otherToken, partAt(program, way), { key, text, asked, isSaid: true });
}

/** A member of the answer, read from all of it. */
const isOfAnswer = ({ way, program }: Kept): boolean =>
  way.kind === "Postfix" && way.head.kind === "Identity" && !stageBefore(program).has(way.head);

/** `.rows[-1].id`, `.rows | last | .id`, or `$last.id` of what is bound to one of them: wherever a key moves, it becomes that of a record. */
function isOfItem(key: string, intake: IntakeSymbol, model: Model): boolean {
  const watermarks = watermarksOf(intake, key, model) ?? [];
  return (
    watermarks.length > 0 &&
    watermarks.every(({ from, member }) => member !== undefined && ofRecord.has(from))
  );
}

const ofRecord: ReadonlySet<Watermark["from"]> = new Set<Watermark["from"]>(["first", "last", "greatest"]);

const isTokenName = (name: string): boolean =>
  /next|continu/i.test(name) && !/(?:count|size|total|left|_at|_in)$/i.test(name);

/** Whether a key begins as true or false: a service that remembers the place is told whether to go on. */
const isFlagFrom = (key: string, intake: IntakeSymbol, model: Model): boolean =>
  (writesIn(intake, "initial_setup", model) ?? []).some(({ keys }) => {
    const value = keys.get(key);
    return value !== undefined && typeof constantOf(value) === "boolean";
  });

/** Whether a comment calls a member a whole link: `paging.next is the link to the next page`, beside a cursor. */
const isSaidLink = (name: string, { node }: JqProgram): boolean => {
  const said = new RegExp(
    `(?<!\\w)${escapedPattern(name)}["\`]? is (?:\\w+ ){0,3}(?:link|url|address)\\b`,
    "i",
  );
  return documentedClauses(node).some(({ text }) => said.test(text));
};

/** Whether a key of that name is sent under the same name. */
const isKeySent = (name: string, intake: IntakeSymbol, model: Model): boolean =>
  askedBy(intake, model)?.reads.some((read) => read.key === name && paramOf(read) === name) === true;

/** `.next_token` where `iterate` is `.next_token != null`, or `$token != ""` with what that is bound to. */
function tokenAsked(
  intake: IntakeSymbol,
  model: Model,
): { readonly text: string; readonly name: string; readonly program: JqProgram } | undefined {
  const outcome = onlyOutcome(intake, model);
  const asked = outcome === undefined ? undefined : resolved(outcome.members.get("iterate"), outcome.program);
  if (outcome === undefined || asked?.kind !== "Comparison" || asked.operator !== "!=") return undefined;
  const { program } = outcome;
  const nothing = constantOf(asked.right);
  if (nothing !== null && nothing !== "") return undefined;
  const made = resolved(asked.left, program);
  const token = made?.kind === "Alternative" ? resolved(made.operands[0], program) : made;
  const name = token === undefined ? undefined : lastName(token);
  if (token === undefined || name === undefined) return undefined;
  return isTokenName(name) || isKeySent(name, intake, model)
    ? { text: writtenAs(token, program), name, program }
    : undefined;
}

interface Kept {
  readonly key: string;
  readonly way: Expression;
  readonly program: JqProgram;
}

/** What `request` may write under the keys that it sends. */
export function keptOf(intake: IntakeSymbol, model: Model): readonly Kept[] {
  const sent = new Set(askedBy(intake, model)?.reads.map(({ key }) => key));
  return (writesIn(intake, "request", model) ?? []).flatMap(({ keys, program }) =>
    [...keys].flatMap(([key, value]) =>
      sent.has(key) ? waysOf(value, program).map((way) => ({ key, way, program })) : [],
    ),
  );
}
