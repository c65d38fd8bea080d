import type { Expression } from "@configc/jq";
import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type Leaf, leavesOf } from "../../../flow/machine/leaves.ts";
import { isBackwards } from "../../../flow/machine/page-order.ts";
import { type Paging, pagesToTry, pagingOf } from "../../../flow/machine/paging.ts";
import { areEqual, isTrue, UNKNOWN } from "../../../flow/machine/value.ts";
import { nodesIn, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { requestedPageSize } from "../../../flow/protocol/page-size.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { sizeIn, valueIn } from "./cycles.ts";
import { nameOf } from "./found.ts";

const state = (condition: string): string =>
  `"\${polling_state} as $s | {results: .items, iterate: (.next_page_token != null), polling_state: (if ${condition} then {since: (.items[-1].updated_at // $s.since), token: null} else $s + {token: .next_page_token} end)}"`;

const otherEnd = defineRule<{ text: string; position: string }>({
  id: "polling/other-end",
  severity: "warning",
  summary: "The state ends a list by another sign than `iterate`",
  why: "A page may have fewer records than were asked for and still be followed by others. If the state then begins anew while `iterate` asks for the next page, that page is never read. And if the last page happens to be full, the state doesn't end the list at all.",
  guards: ["polling.request", "polling.iterate", "polling.polling_state", "D33"],
  message: ({ text, position }) =>
    `\`${text}\` ends the list on a short page, while \`iterate\` goes on: the next request begins again, without the next \`${position}\`.`,
  because: ({ position }) => [
    "page 1 of 3 has fewer records than were asked for, and the response says that there is more",
    "`iterate` is true, but the state begins anew",
    `pages 2 and 3 are never requested: \`${position}\` is the first one again`,
  ],
  help: () => "Ask the same in both: what `iterate` asks.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/1/!jq",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {since: (now - 86400 | todate), token: null}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
        "/data_intake/0/request/!pipe/0/!http/params":
          '{"updated_since": "${polling_state.since}", "page_token": "${polling_state.token}", "limit": 50}',
      },
      bad: state("«(.items | length) < 50»"),
      good: state(".next_page_token == null"),
      samples: { world: { intakes: {} } },
    },
  ],
});

const module: RuleModule = {
  rules: [otherEnd],
  checks: {
    intake(intake, report, model) {
      if (intake.type !== "polling" || !isReadable(intake, model)) return;
      const condition = lengthAsked(intake, model);
      const paging = condition === undefined ? undefined : pagingOf(intake, model);
      if (condition === undefined || paging === undefined) return;
      const position = positionLost(paging, intake, model);
      if (position === undefined) return;
      const { node, program } = condition;
      const text = excerpt(textAt(node, program), 40);
      report(otherEnd, partAt(program, node), { text, position });
    },
  },
};
export default module;

/** The condition on how many records a page has by which `request` decides what its state becomes, where there is one. */
function lengthAsked(
  intake: IntakeSymbol,
  model: Model,
): { readonly node: Expression; readonly program: JqProgram } | undefined {
  const programs = new Set((writesIn(intake, "request", model) ?? []).map(({ program }) => program));
  const asked = [...programs].flatMap((program) =>
    program.node.value.includes("length")
      ? nodesOfKind(program, "If").flatMap(({ branches }) =>
          branches.flatMap(({ condition }) => (asksLength(condition) ? [{ node: condition, program }] : [])),
        )
      : [],
  );
  return asked.length === 1 ? asked[0] : undefined;
}

const asksLength = (condition: Expression): boolean =>
  nodesIn(condition).some((node) => node.kind === "Call" && node.name.text === "length") &&
  nodesIn(condition).some(({ kind }) => kind === "Comparison");

/** Records of a page that is short of what was asked for. */
const SHORT = 2;
/** Records of a page where the request doesn't say it. */
const USUAL_SIZE = 100;

/** What says where the next page begins, where that is the first one again behind a short page that others follow. */
function positionLost(paging: Paging, intake: IntakeSymbol, model: Model): string | undefined {
  const size = requestedPageSize(intake, model) ?? sizeIn(leavesOf(paging.first), model) ?? USUAL_SIZE;
  if (size <= SHORT) return undefined;
  const names = pagesToTry(paging, size).map((full) => {
    const [pages, short] = [paging.read(full), paging.read({ ...full, size: SHORT })];
    const [first, second] = pages;
    const [one, two] = short;
    if (first === undefined || second === undefined || one === undefined || two === undefined)
      return undefined;
    if (isTrue(first.iterate) !== true || isTrue(one.iterate) !== true || isBackwards(pages))
      return undefined;
    const isLost = (leaf: Leaf): boolean => {
      const [from, again] = [valueIn(first, leaf), valueIn(two, leaf)];
      if (from === undefined || again === undefined || from === UNKNOWN || again === UNKNOWN) return false;
      return isKnown(leaf) && !areEqual(leaf.value, from) && areEqual(from, again);
    };
    const leaf = leavesOf(second).find(isLost);
    return leaf === undefined ? undefined : nameOf(leaf);
  });
  const [name] = names;
  return names.every((each) => each === name) ? name : undefined;
}

/** A token, or the number of a page. */
const isKnown = ({ value }: Leaf): boolean =>
  typeof value === "number" || (typeof value === "string" && /^after \d$/.test(value));
