import type { Command } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround, hasComments } from "../../../flow/documented-words.ts";
import { isSizeParam } from "../../../flow/protocol/page-size.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";

const oddPageSize = defineRule<{ size: number; other: number | undefined }>({
  id: "api/odd-page-size",
  severity: "warning",
  summary: "A page of far more or far fewer records than a list is read with",
  why: "A page has some tens or hundreds of records. With one or two of them, a list of some hundred takes as many requests, and an import ends after a hundred. Too large a page is refused, or cut to what the service gives, and what asks whether the page is full ends too early.",
  guards: ["api.pagination", "polling.request", "http.params"],
  message: ({ size, other }) =>
    other === undefined
      ? `A page of ${size} is too small to read a list with.`
      : `A page has ${size} records here, and ${other} elsewhere.`,
  because: ({ size, other }) => [
    other === undefined
      ? `300 records: ${Math.ceil(300 / size)} requests`
      : `another list is read by ${other}`,
    other === undefined ? "a list is read page by page" : `${size} is far more than services give at once`,
  ],
  help: () => "Look up how many records the service gives at most.",
  examples: [
    {
      title: "Too few",
      in: "outbound",
      at: "/api/pagination",
      bad: '{"style": {"type": "limitoffset", "limit": {"param": "limit", "value": «2»}, "offset": {"param": "offset", "value": 0}}, "parser": {"total_items": {"!jq": ".total"}}}',
      good: '{"style": {"type": "limitoffset", "limit": {"param": "limit", "value": 200}, "offset": {"param": "offset", "value": 0}}, "parser": {"total_items": {"!jq": ".total"}}}',
    },
    {
      title: "Too many",
      in: "outbound",
      at: "/api/pagination",
      with: {
        "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http":
          '{"path": "/lists", "params": {"limit": 100}}',
      },
      bad: '{"style": {"type": "limitoffset", "limit": {"param": "limit", "value": «100000»}, "offset": {"param": "offset", "value": 0}}, "parser": {"total_items": {"!jq": ".total"}}}',
      good: '{"style": {"type": "limitoffset", "limit": {"param": "limit", "value": 100}, "offset": {"param": "offset", "value": 0}}, "parser": {"total_items": {"!jq": ".total"}}}',
    },
  ],
});

const module: RuleModule = {
  rules: [oddPageSize],
  checks: {
    document(model, report) {
      const own = ownSize(model);
      if (own !== undefined && own.size >= 1 && own.size < FEW && !isSaid(own, model))
        report(oddPageSize, own.node, { size: own.size, other: undefined });
      const sizes = [...(own === undefined ? [] : [own]), ...sizesSent(model)];
      const large = sizes.filter(({ size }) => size >= MANY);
      if (large.length === 0) return;
      // One alone may be what an API of open data gives.
      const other = sizes.find(({ size }) => size >= 10 && size <= 1_000)?.size;
      if (other !== undefined)
        for (const { node, size } of large)
          if (!isSaid({ node, size }, model)) report(oddPageSize, node, { size, other });
    },
    intake(intake, report, model) {
      if (intake.type !== "polling") return;
      const request = intake.commands.get("request");
      for (const command of (request === undefined ? undefined : allIn(request)) ?? []) {
        // A queue may be read one by one, and what is looked for may be the first.
        for (const { node, size } of sizesIn(command, model))
          if (size > 1 && size < FEW && isPaged(command) && !isSaid({ node, size }, model))
            report(oddPageSize, node, { size, other: undefined });
      }
    },
  },
};
export default module;

/** Nobody reads a list by fewer. */
const FEW = 5;
const MANY = 20_000;

interface Size {
  readonly node: JsonNode;
  readonly size: number;
}

/** Whether a comment has the number: who wrote it down knows how large a page is. */
const isSaid = ({ node, size }: Size, model: Model): boolean =>
  hasComments(model) &&
  commentsAround(node, []).some(({ value }) =>
    new RegExp(`(?<![\\d.,])${size}(?![\\d%]|[.,]\\d)`).test(value.replace(/(?<=\d),(?=\d{3})/g, "")),
  );

/** The size of a page in `api.pagination`. */
function ownSize({ api }: Model): Size | undefined {
  const pagination = api?.node.get("pagination");
  const style = pagination?.kind === "object" ? pagination.get("style") : undefined;
  for (const name of ["limit", "page_size"]) {
    const member = style?.kind === "object" ? style.get(name) : undefined;
    const node = member?.kind === "object" ? member.get("value") : undefined;
    if (node !== undefined) return sizeOf(node);
  }
  return undefined;
}

function sizeOf(node: JsonNode): Size | undefined {
  if (node.kind === "number") return { node, size: node.value };
  return node.kind === "string" && /^\d+$/.test(node.value) ? { node, size: Number(node.value) } : undefined;
}

const sizesSent = derivedByPart(({ commands }, model): readonly Size[] =>
  commands.flatMap((command) => (command.key === "!http" ? sizesIn(command, model) : [])),
);

function sizesIn({ key, argument }: Command, model: Model): readonly Size[] {
  const params = key === "!http" && argument?.kind === "object" ? argument.get("params") : undefined;
  if (params?.kind !== "object") return [];
  return params.members.flatMap(({ name, value }) =>
    value !== undefined && isSizeParam(name, model) ? (sizeOf(value) ?? []) : [],
  );
}

/** Whether pages are counted. With a place to go on from, two records may be asked for to see whether there is a second one. */
const isPaged = ({ argument }: Command): boolean => {
  const params = argument?.kind === "object" ? argument.get("params") : undefined;
  return (
    params?.kind === "object" &&
    params.members.some(
      ({ name, value }) =>
        /page|offset|skip/i.test(name) && value?.kind === "string" && value.value.includes("polling_state"),
    )
  );
};
