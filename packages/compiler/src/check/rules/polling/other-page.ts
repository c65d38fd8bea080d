import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { Cycle } from "../../../flow/machine/cycle.ts";
import { leavesOf } from "../../../flow/machine/leaves.ts";
import { pageText } from "../../../flow/machine/roles.ts";
import { areEqual, isTrue } from "../../../flow/machine/value.ts";
import type { RuleModule } from "../../checks.ts";
import { cyclesOf, valueIn } from "./cycles.ts";
import { type ArgsOf, type Found, inAll, nameOf, teller } from "./found.ts";

const place = {
  in: "inbound-polling",
  at: "/data_intake/0/request/!pipe",
  with: {
    "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {cursor: null}}"}',
    "/data_intake/0/pre_poll": undefined,
    "/data_intake/0/post_poll": undefined,
  },
} as const;
const request = (cursor: string): string =>
  `[{"!http": {"path": "/lists/\${custom_data.list.value}/customers", "params": {"cursor": "\${polling_state.cursor}"}}}, {"!jq": "{results: .items, iterate: (.links.next != null), polling_state: {cursor: ${cursor}}}"}]`;

const otherPage = defineRule<{ name: string; page: string }>({
  id: "polling/other-page",
  severity: "warning",
  summary: "The next request asks for the first, the last or the previous page instead of the next one",
  why: "What an answer calls `first`, `last`, `self` or `previous` leads there and not to the next page. The pages between are never read, and the one that is asked for comes again and again, up to a limit of the cycle.",
  guards: ["polling.polling_state", "polling.request", "D33"],
  message: ({ name, page }) => `Page 1 of 3 says that there is more, but the next \`${name}\` ${page}.`,
  because: ({ name, page }) => ["page 1 of 3 is read, and `iterate` is true", `the next \`${name}\` ${page}`],
  help: () => "Take what the answer calls the next one.",
  examples: [
    {
      title: "The page before the first",
      ...place,
      bad: request("«.links.previous»"),
      good: request(".links.next"),
    },
    { title: "The last page", ...place, bad: request("«.links.last»"), good: request(".links.next") },
  ],
});

const module: RuleModule = {
  rules: [otherPage],
  checks: {
    intake(intake, report, model) {
      const found = otherPageOf(intake, model);
      if (found !== undefined) teller(report, intake, model)(otherPage, found);
    },
  },
};
export default module;

/** What certainly leads to another page than the next one. */
export function otherPageOf(intake: IntakeSymbol, model: Model): Found<ArgsOf<typeof otherPage>> | undefined {
  const cycles = cyclesOf(intake, model);
  return cycles === undefined ? undefined : inAll(cycles, otherPageIn);
}

function otherPageIn({ pages }: Cycle): Found<ArgsOf<typeof otherPage>> | undefined {
  const [first, second] = pages;
  if (isTrue(first.iterate) !== true) return undefined;
  for (const leaf of leavesOf(second)) {
    const before = valueIn(first, leaf);
    const page =
      leaf.value === pageText(0)
        ? "leads to page 1 again"
        : leaf.value === pageText(2)
          ? "leads to the last page"
          : undefined;
    if (page !== undefined) return { leaf, args: { name: nameOf(leaf), page } };
    // Null again: there is no page before the first.
    if (leaf.value !== null || before === undefined || !areEqual(before, null)) continue;
    if (pages.slice(2).some((third) => valueIn(third, leaf) !== null))
      return { leaf, args: { name: nameOf(leaf), page: "is that of the page before, which is null" } };
  }
  return undefined;
}
