import type { Command, Expansion, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { partAt } from "../../../flow/nodes.ts";
import { expansionTrails } from "../../../flow/origin.ts";
import { boundName } from "../../../flow/protocol/bound-names.ts";
import { keepsKey, keepsWhileGoingOn, mayGoOn } from "../../../flow/protocol/kept-state.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { keysSent, paramAt } from "../../../flow/protocol/request-reads.ts";
import { stateDependence } from "../../../flow/protocol/state-dependence.ts";
import { keptKey } from "../../../flow/protocol/state-paths.ts";
import { type StateWrite, writesIn } from "../../../flow/protocol/state-writes.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { closes, sentKeys } from "./cut-places.ts";

const earlyReceipt = defineRule<{ key: string; start: string; head?: string }>({
  id: "polling/early-receipt",
  severity: "warning",
  summary: "`post_poll` confirms a window to its end, though a cycle may end before its last page",
  why: "A cycle ends at 1,000 results, also in the middle of a window. A service that is told that all was read up to the window's end may delete, or never list again, what stands on the pages still to come.",
  guards: ["polling.post_poll", "polling.polling_state", "D33"],
  message: ({ key, start, head }) =>
    head !== undefined
      ? `\`${key}\` is of the newest record there is now, as \`${head}\` gives it. A cycle may have ended before it, and \`${start}\` is how far was read.`
      : `\`${key}\` is the end of the window, also where a cycle ended before its last page. \`${start}\` moves only behind that.`,
  because: ({ key, start, head }) =>
    head !== undefined
      ? [
          "the cycle ends at its limit, or a record comes meanwhile",
          `\`post_poll\` confirms all that is up to the newest record, also what lies behind \`${start}\``,
        ]
      : [
          "page 1 is read, the cycle is cut at its limit, and there are more pages",
          `\`post_poll\` confirms all that is before \`${key}\`, also what is on those pages`,
          `\`${start}\` still is where the window begins`,
        ],
  help: ({ start }) => `Send \`\${polling_state.${start}}\`: everything up to it was read.`,
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/post_poll/!pipe/0/!http/body",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "(now - 86400 | floor) as $start | {polling_state: {since: $start, until: $start, token: null}}"}',
        "/data_intake/0/pre_poll":
          '{"!jq": ".polling_state as $s | {polling_state: (if $s.token == null then $s + {until: (now - 300 | floor)} else $s end)}"}',
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"changed_from": "${polling_state.since}", "changed_to": "${polling_state.until}", "page_token": "${polling_state.token}"}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"${polling_state} as $s | {results: .items, iterate: (.next_page_token != null), polling_state: (if .next_page_token != null then $s + {token: .next_page_token} else $s + {since: $s.until, token: null} end)}"',
        "/data_intake/0/post_poll":
          '{"!pipe": [{"!http": {"method": "POST", "path": "/receipts", "body": {}}}, {"!jq": "{polling_state: ${polling_state}}"}]}',
      },
      bad: '{"read_until": "${polling_state.«until»}"}',
      good: '{"read_until": "${polling_state.since}"}',
    },
  ],
});

const module: RuleModule = {
  rules: [earlyReceipt],
  checks: {
    intake(intake, report, model) {
      const after = intake.type === "polling" ? intake.commands.get("post_poll") : undefined;
      if (after === undefined || !isReadable(intake, model)) return;
      tellOfHead(after, intake, report, model);
      const receipts = partOfUnit(intake, model).expansions.filter(
        ({ root, command }) =>
          root === "polling_state" &&
          command?.key === "!http" &&
          outermostCommand(command) === after &&
          isAlways(command),
      );
      if (receipts.length === 0) return;
      const ends = endsOfWindows(intake, model);
      for (const expansion of receipts) {
        const segment = expansion.syntax.path[1];
        const start = segment === undefined ? undefined : ends.get(segment.text);
        if (segment === undefined || start === undefined || !confirms(expansion, intake, model)) continue;
        report(earlyReceipt, partAt(expansion, segment), { key: segment.text, start });
      }
    },
  },
};
export default module;

/** Where the newest record of a list is asked for: `/feed/head`, `/entries/latest`. */
const ofHead = /(?:^|[/._-])(?:head|newest|latest|tip)\/?$/i;

/** What `post_poll` asks of the head of the list, and confirms instead of the place that pages moved. */
function tellOfHead(after: Command, intake: IntakeSymbol, report: Report, model: Model): void {
  for (const expansion of partOfUnit(intake, model).expansions) {
    const { root, command, syntax, node } = expansion;
    if (root !== "piped_content" || command?.key !== "!http" || outermostCommand(command) !== after) continue;
    const param = isReading(command) ? undefined : paramAt(node, command);
    const last = syntax.path.at(-1);
    if (param === undefined || last === undefined || !confirms(expansion, intake, model)) continue;
    const trails = expansionTrails(flowOf(model), expansion);
    const [origin] = trails.map((trail) => trail.origin);
    if (trails.length !== 1 || origin?.kind !== "response" || origin.path.length === 0) continue;
    const path = textOf(origin.command.argument, "path") ?? "";
    const isBeside = origin.command.pipe === command.pipe && outermostCommand(origin.command) === after;
    if (!isBeside || !isReading(origin.command) || !ofHead.test(path)) continue;
    const start = [...keysSent(intake, model)].find((key) => moves(key, intake, model));
    if (start !== undefined)
      report(earlyReceipt, partAt(expansion, last), { key: last.text, start, head: path });
  }
}

/** Whether each page moves a key to what it has, or leaves it. */
const moves = (key: string, intake: IntakeSymbol, model: Model): boolean =>
  (writesIn(intake, "request", model) ?? []).some(({ keys, program }) => {
    const value = keys.get(key);
    return value !== undefined && stateDependence(program, [value]).input;
  });

const isReading = ({ argument }: Command): boolean =>
  /^(?:get|head|options)$/i.test(textOf(argument, "method") ?? "get");

/** Whether a request changes something, and is made at the end of each cycle, whatever came. */
function isAlways(command: Command): boolean {
  if (isReading(command)) return false;
  for (let at = command.parent; at !== undefined; at = at.parent) if (at.key === "!switch") return false;
  return true;
}

/** The ends of windows that stay while pages are read, by their keys, with the start that moves behind the last page alone. */
function endsOfWindows(intake: IntakeSymbol, model: Model): ReadonlyMap<string, string> {
  const sent = sentKeys(intake, model);
  const writes = writesIn(intake, "request", model) ?? [];
  const found = new Map<string, string>();
  for (const { key, param } of sent) {
    if (boundName(param)?.end !== "upper" || !writes.every((write) => keepsKey(write, key))) continue;
    const start = sent.find(
      (each) =>
        each.key !== key &&
        boundName(each.param)?.end === "lower" &&
        sent.some(
          (place) =>
            place.key !== each.key && place.key !== key && closes(place.key, each.key, intake, model),
        ),
    );
    if (start !== undefined) found.set(key, start.key);
  }
  for (const [key, start] of endsInState(intake, writes, model)) found.set(key, start);
  return found;
}

/**
 * Ends that `pre_poll` gets with a list of its own, an export or a job, which is asked for by its id: while there are more pages they stay, and
 * behind the last one the start becomes the end.
 */
function endsInState(
  intake: IntakeSymbol,
  writes: readonly StateWrite[],
  model: Model,
): readonly (readonly [key: string, start: string])[] {
  const begun = (writesIn(intake, "pre_poll", model) ?? []).flatMap(({ keys, program }) =>
    [...keys].flatMap(([key, value]) =>
      boundName(key)?.end === "upper" && keptKey(value, program) === undefined ? [key] : [],
    ),
  );
  return begun.flatMap((key) => {
    const start = writes
      .flatMap(({ keys, program }) => [...keys].map(([to, value]) => ({ to, from: keptKey(value, program) })))
      .find(({ to, from }) => from === key && to !== key && boundName(to)?.end === "lower")?.to;
    const going = start === undefined ? [] : writes.filter(mayGoOn);
    const stays =
      going.length > 0 &&
      going.every((write) => [start!, key].every((each) => keepsWhileGoingOn(write, each)));
    return stays ? [[key, start!] as const] : [];
  });
}

const receipt =
  /receipt|acknowledg|(?:^|[^a-z])acks?(?:[^a-z]|$)|confirm|commit|(?:synced|read|processed|delivered|consumed|taken|handled|imported)_?(?:through|until|to|up_?to|till|before)/i;
const gone =
  /\b(?:deletes?|deleted|throws? away|thrown away|discards?|discarded|purges?|purged|forgets?|drops?|dropped|removes?|removed|frees?|clears?|expires?|(?:no longer|never) (?:lists?|gives?|shows?|sends?|kept|listed))\b(?! (?:an? |the |its |this |that |our )?(?:\w+ )?(?:warnings?|alarms?|flags?|tokens?|locks?|badges?|errors?|hints?|state)\b)/i;
/** What a service is told for people to see. */
const onlyShown =
  /\bkeeps? (?:everything|all)\b|\bonly (?:shown|shows|for (?:people|show|statistics|information|support))\b|\b(?:deletes?|removes?|drops?|loses?|forgets?) nothing\b|\bnothing (?:is|gets) (?:deleted|lost|removed|dropped)\b/i;

/** Whether names say that the service takes it for a receipt, or a comment that it does away with what is confirmed. */
function confirms({ node, command }: Expansion, intake: IntakeSymbol, model: Model): boolean {
  const argument = command?.argument;
  const path = textOf(argument, "path") ?? textOf(argument, "url") ?? "";
  const param = command === undefined ? undefined : paramAt(node, command);
  const after = intake.commands.get("post_poll");
  if (
    hasComments(model) &&
    after !== undefined &&
    [...commentsBelow(after.node)].some(({ value }) => onlyShown.test(value))
  )
    return false;
  if (receipt.test(path) || (param !== undefined && receipt.test(param))) return true;
  return (
    hasComments(model) &&
    after !== undefined &&
    [...commentsBelow(after.node)].some(({ value }) => gone.test(value))
  );
}
