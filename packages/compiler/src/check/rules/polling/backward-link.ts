import type { IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { derivedInPart } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { derivedByPart } from "../../../check/by-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isTrue } from "../../../flow/machine/value.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { cyclesOf, inEach } from "./cycles.ts";

const place = {
  in: "inbound-polling",
  at: "/data_intake/0/request/!pipe",
  with: {
    "/api/pagination":
      '{"style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": ".links.next"}}}',
    "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http": '{"path": "/lists", "pagination": true}',
    "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {cursor: null}}"}',
    "/data_intake/0/pre_poll": undefined,
    "/data_intake/0/post_poll": undefined,
  },
} as const;
const request = (cursor: string): string =>
  `[{"!http": {"path": "/lists/\${custom_data.list.value}/customers", "params": {"cursor": "\${polling_state.cursor}", "sort": "created"}}}, {"!jq": "{results: .items, iterate: (${cursor} != null), polling_state: {cursor: ${cursor.replace(/[«»]/g, "")}}}"}]`;

const backwardLink = defineRule<{ text: string; other: string }>({
  id: "polling/backward-link",
  severity: "warning",
  summary: "A poll goes on with the previous page, the app's other lists with the next one",
  why: "The first page has no previous one. `iterate` is false there and the cycle ends: whatever is on later pages never arrives.",
  guards: ["polling.polling_state", "polling.iterate", "D33"],
  message: ({ text, other }) =>
    `\`${text}\` leads back, and the first page has none. Elsewhere the app goes on with \`${other}\`.`,
  because: ({ text }) => [
    "page 1 of 3 is read, from the oldest record on",
    `it has no \`${text}\`: \`iterate\` is false, and page 2 is never requested`,
  ],
  help: ({ other }) => `Read \`${other}\`.`,
  examples: [{ ...place, bad: request("«.links.prev»"), good: request(".links.next") }],
});

const module: RuleModule = {
  rules: [backwardLink],
  checks: {
    reach: "document",
    intake(intake, report, model) {
      if (intake.type !== "polling") return;
      const found = backIn(intake, model);
      if (found === undefined) return;
      // Newest first, what came later is on the pages before.
      const cycles = cyclesOf(intake, model);
      if (cycles?.order !== "ascending") return;
      if (inEach(cycles, ({ pages }) => isTrue(pages[0].iterate) === false))
        report(backwardLink, found.at, { text: found.text, other: found.other });
    },
  },
};
export default module;

const previous =
  /(?:\.(\w+))?\.(prev(?:ious)?(?:_?(?:cursor|token|link|url|page(?:_?(?:token|url|link))?))?)\b/gi;

const readingBack = derivedInPart(({ programs }) =>
  programs.filter(({ node }) => /\.prev/i.test(node.value)),
);

/** A member for the previous page that `request` reads, where others read that for the next one in the same object. */
function backIn(intake: IntakeSymbol, model: Model) {
  const request = intake.commands.get("request");
  const own = readingBack(partOfUnit(intake, model)).filter(
    ({ command }) => outermostCommand(command) === request,
  );
  for (const { node } of own)
    for (const match of node.value.matchAll(previous)) {
      const [text, above = "", name] = match as unknown as [string, string | undefined, string];
      const other = nextLinks(model).find(
        (each) => each.above === above && each.name.toLowerCase() === nextOf(name),
      );
      if (other === undefined || node.value.includes(other.text)) continue;
      const at: StringPart = { node, from: match.index, to: match.index + text.length };
      return { at, text, other: other.text };
    }
  return undefined;
}

/** `next_cursor` of `prev_cursor`. */
const nextOf = (name: string): string => name.toLowerCase().replace(/^prev(?:ious)?/, "next");

interface Link {
  readonly text: string;
  readonly above: string;
  readonly name: string;
}

/** The members for the next page that programs read, `.links.next`. */
const nextLinks = derivedByPart(({ programs }): readonly Link[] =>
  programs.flatMap(({ node }: JqProgram) =>
    node.value.includes(".next")
      ? [...node.value.matchAll(/(?:\.(\w+))?\.(next\w*)\b/gi)].map(([text, above = "", name]) => ({
          text,
          above,
          name: name!,
        }))
      : [],
  ),
);
