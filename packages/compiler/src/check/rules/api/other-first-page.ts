import { constantOf, groupBy } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { bare } from "../../../flow/nodes.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy, paramOf, type RequestRead } from "../../../flow/protocol/request-reads.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import type { Location } from "../../../parse/document.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";

const otherFirstPage = defineRule<{ param: string; value: number; other: number; beside: string }>({
  id: "api/other-first-page",
  severity: "warning",
  summary: "One parameter begins with different numbers in two places",
  why: "A service counts its pages from 0 or from 1, and its records too. Where the count begins one too high, the first page is left out of every list. One too low, it is read twice or refused.",
  guards: ["pagination.page_number", "pagination.offset", "polling.polling_state", "D22"],
  message: ({ param, value, other, beside }) =>
    `\`${param}\` begins with ${value} here, but with ${other} in ${beside}. The service counts in one way only.`,
  because: ({ param, value, other }) => [
    `the first page is asked for with \`${param}=${other}\``,
    `here the first request sends \`${param}=${value}\``,
  ],
  help: () => "Begin with the same number in both, that of the service's first page.",
  examples: [
    {
      title: "D22",
      in: "inbound-polling",
      at: "/api/pagination",
      with: {
        "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http":
          '{"path": "/lists", "pagination": true}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: (${polling_state.page} < .pages), polling_state: {page: (if ${polling_state.page} < .pages then ${polling_state.page} + 1 else 1 end)}}"',
        "/data_intake/0/request/!pipe/0/!http/params": '{"page": "${polling_state.page}", "sort": "name"}',
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {page: 1}}"}',
        "/data_intake/0/pre_poll": undefined,
      },
      bad: '{"style": {"type": "page", "page_number": {"param": "page", "value": «0»}}, "parser": {"total_pages": {"!jq": ".pages"}}}',
      good: '{"style": {"type": "page", "page_number": {"param": "page", "value": 1}}, "parser": {"total_pages": {"!jq": ".pages"}}}',
    },
  ],
});

const module: RuleModule = {
  rules: [otherFirstPage],
  checks: {
    api({ node }, report, model) {
      const pagination = node.get("pagination");
      const style = pagination?.kind === "object" ? pagination.get("style") : undefined;
      for (const [name, usual] of [
        ["page_number", 1],
        ["offset", 0],
      ] as const) {
        const parameter = style?.kind === "object" ? style.get(name) : undefined;
        const param = textOf(parameter, "param");
        if (parameter?.kind !== "object" || param === undefined) continue;
        const written = parameter.get("value");
        const value = written === undefined ? usual : written.kind === "number" ? written.value : undefined;
        const [begun, ...others] = begins(model).filter((each) => each.param === param);
        if (value === undefined || begun === undefined || begun.value === value) continue;
        if (others.some((each) => each.value !== begun.value)) continue;
        const own = "`api.pagination`";
        const intake = `the intake \`${begun.intake.name ?? ""}\``;
        // The one that says how the service counts by how it ends is right.
        if (value > begun.value && !begun.endsBefore)
          report(otherFirstPage, begun.at, { param, value: begun.value, other: value, beside: own });
        else
          report(otherFirstPage, written ?? parameter, { param, value, other: begun.value, beside: intake }, [
            { message: "begins here", at: begun.at },
          ]);
      }
    },
  },
};
export default module;

interface Begun {
  readonly intake: IntakeSymbol;
  readonly param: string;
  readonly value: number;
  readonly at: Location;
  /** It ends where the number after the page is that of the pages: it counts from 0. */
  readonly endsBefore: boolean;
}

/** With which numbers intakes begin parameters that their own programs count. */
const begins = derivedByPart(({ intakes }, model) =>
  intakes.flatMap((intake) => {
    if (intake.type !== "polling" || !isReadable(intake, model)) return [];
    const reads = groupBy(askedBy(intake, model)?.reads ?? [], paramOf);
    return [...reads].flatMap(([param, [read]]) =>
      param === undefined || read === undefined ? [] : beginsWith(intake, param, read, model),
    );
  }),
);

function beginsWith(
  intake: IntakeSymbol,
  param: string,
  { key }: RequestRead,
  model: Model,
): readonly Begun[] {
  const [write, ...others] = writesIn(intake, "initial_setup", model) ?? [];
  const value = write?.keys.get(key);
  const number = value === undefined ? undefined : constantOf(bare(value));
  if (write === undefined || value === undefined || others.length > 0 || typeof number !== "number")
    return [];
  const at = { node: write.program.node, from: value.start, to: value.end };
  const ends = writesIn(intake, "request", model) ?? [];
  const endsBefore = ends.some(({ program }) => /\+\s*1\)?\s*(?:<|>=|==|!=)/.test(program.node.value));
  return [{ intake, param, value: number, at, endsBefore }];
}
