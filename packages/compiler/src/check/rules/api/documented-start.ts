import { constantOf, escapedPattern, memoize } from "@configc/jq/internal";
import { defineRule } from "../../../findings/rule.ts";
import { commentsOver } from "../../../flow/counted.ts";
import { commentsAround, commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { bare } from "../../../flow/nodes.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy, paramOf } from "../../../flow/protocol/request-reads.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import { isOfScreens, isOfThePast } from "../../../flow/said/of-others.ts";
import { type StringNode, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const documentedStart = defineRule<{ param: string; value: number; said: number }>({
  id: "api/documented-start",
  severity: "warning",
  summary: "A list begins with another number than a comment says",
  why: "A service counts its pages from 0 or from 1, and its records too. Where the count begins one too high, the first page is left out of every list. One too low, a page is read twice or refused.",
  guards: ["pagination.page_number", "pagination.offset", "polling.polling_state", "D3", "D22"],
  message: ({ param, value, said }) =>
    `\`${param}\` begins with ${value}, but a comment says that it counts from ${said}.`,
  because: ({ param, value, said }) => [
    `the first page is asked for with \`${param}=${said}\``,
    `the first request sends \`${param}=${value}\``,
  ],
  help: ({ said }) => `Begin with ${said}.`,
  examples: [
    {
      title: "D22",
      in: "inbound-polling",
      at: "/api/pagination",
      with: {
        "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http":
          '{"path": "/lists", "pagination": true}',
        "/api/_comment": '"Pages are counted from 0."',
        "/data_intake/0/request/!pipe/0/!http/params": '{"since": "${polling_state.since}"}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: false, polling_state: ${polling_state}}"',
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {since: (now | todate)}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '{"style": {"type": "page", "page_number": {"param": "page", "value": «1»}}, "parser": {"total_pages": {"!jq": ".pages"}}}',
      good: '{"style": {"type": "page", "page_number": {"param": "page", "value": 0}}, "parser": {"total_pages": {"!jq": ".pages"}}}',
      also: ["polling/standing-window"],
    },
  ],
});

const module: RuleModule = {
  rules: [documentedStart],
  checks: {
    reach: "linked",
    api({ node }, report, model) {
      const pagination = node.get("pagination");
      const style = pagination?.kind === "object" ? pagination.get("style") : undefined;
      if (!hasComments(model) || pagination?.kind !== "object" || style?.kind !== "object") return;
      const comments = [...commentsBelow(pagination), ...commentsAround(node, [])];
      for (const [name, usual] of [
        ["page_number", 1],
        ["offset", 0],
      ] as const) {
        const parameter = style.get(name);
        const param = textOf(parameter, "param");
        if (parameter?.kind !== "object" || param === undefined) continue;
        const written = parameter.get("value");
        const value = written === undefined ? usual : written.kind === "number" ? written.value : undefined;
        const said = saidIn(comments, param, name === "page_number", true);
        if (value === undefined || said === undefined || said.start === value || value > 1) continue;
        report(documentedStart, written ?? parameter, { param, value, said: said.start }, [
          { message: "the comment", at: said.comment },
        ]);
      }
    },
    intake(intake, report, model) {
      if (intake.type !== "polling" || !hasComments(model) || !isReadable(intake, model)) return;
      const [write, ...others] = writesIn(intake, "initial_setup", model) ?? [];
      if (write === undefined || others.length > 0) return;
      for (const read of askedBy(intake, model)?.reads ?? []) {
        const param = paramOf(read);
        const value = write.keys.get(read.key);
        const number = value === undefined ? undefined : constantOf(bare(value));
        if (param === undefined || value === undefined || (number !== 0 && number !== 1)) continue;
        const said = saidIn(commentsOver(read.command, model), param);
        if (said === undefined || said.start === number) continue;
        const at = { node: write.program.node, from: value.start, to: value.end };
        report(documentedStart, at, { param, value: number, said: said.start }, [
          { message: "the comment", at: said.comment },
        ]);
      }
    },
  },
};
export default module;

/**
 * What the comments say a parameter begins with: `page (from 1)`, `from is counted from 1`, `Pages count from 0`, `the first row has the number 1`,
 * `page is zero-based`.
 */
function saidIn(
  comments: readonly StringNode[],
  param: string,
  isPage = /page/i.test(param),
  isOfLists = false,
): { readonly start: number; readonly comment: StringNode } | undefined {
  const forms = formsOf(`${isPage ? "page" : isOfLists ? "list" : "row"} ${param}`);
  for (const comment of comments)
    for (const form of forms) {
      const match = form.exec(comment.value);
      const written = match?.slice(1).find((each) => each !== undefined);
      if (match === null || written === undefined) continue;
      const start = /^(?:0|zero)$/i.test(written) ? 0 : 1;
      const before = comment.value.slice(Math.max(0, match.index - 80), match.index);
      const sentence = `${before.slice(before.search(/[^.;]*$/))}${match[0]}`;
      if (isOfThePast(sentence) || isOfScreens(sentence) || /\bv\d\b/i.test(sentence)) continue;
      // `Report pages count from 0`: those of a report.
      if (/^(?:pages?|offsets?|items|records|rows|positions?)\b/i.test(match[0]) && ofOwnPages.test(before))
        continue;
      // `page=0 and page=1 give the same`
      if (
        new RegExp(`(?<!\\w)${escapedPattern(param)} ?= ?${1 - start}\\b[^.;]{0,40}\\bsame\\b`).test(
          comment.value,
        )
      )
        continue;
      return { start, comment };
    }
  return undefined;
}

/** What stands before `pages` and says of what they are. */
const ofOwnPages =
  /\b(?:report|log|PDF|printed|paper|book|sheet|web|site|landing|search|archive|document|invoice|catalogu?e)[ -]$/i;

/** The sentences that say where a parameter begins, with the number; by `page NAME` or `row NAME`, after what it counts. */
const formsOf = memoize((key): readonly RegExp[] => {
  const isPage = key.startsWith("page ");
  const param = key.slice(key.indexOf(" ") + 1);
  const nouns = isPage ? "pages?(?: numbers?)?" : "offsets?|items|records|rows|entries|positions?";
  const first = isPage ? "page" : "item|record|row|entry|offset|position";
  const escaped = escapedPattern(param);
  return [
    `(?<![\\w.])(?:${escaped}|${nouns})(?![\\w.])(?:(?:(?! and | or )[^.;,()]){0,40}?|[^.;()]{0,60}?, (?:counted|counting|beginning|starting))[ (](?:from|at|with) ([01])(?!\\w|\\.\\d| to\\b)`,
    `\\bfirst (?:${first})(?: of \\w+(?: \\w+)?)? (?:has|is|carries|bears|gets|counts as)(?: the)?(?: (?:${first}))?(?: (?:number|no\\.|index|offset|position))? ([01])(?!\\w|[.,]\\d)`,
    `(?<![\\w.])(?:${escaped}|${nouns})(?![\\w.])(?: (?:numbers?|count(?:er|ing)?))? (?:is|are) (zero|one|0|1)-based\\b`,
    `\\b(zero|one|0|1)-based (?:${escaped}|${nouns})(?!\\w|\\.\\w)`,
    `\\bfirst (?:${first}) (?:has|is|is at|stands at) ${escaped} ?= ?([01])(?!\\w|[.,]\\d)`,
    // `start=1 is the first entry`
    `(?<![\\w.])${escaped} ?= ?([01]) (?:is|means|gives|brings|asks for|begins with|starts with) the first (?:${first})(?!s?\\w)`,
    // `Lists count from 1`: what an offset counts in all of them.
    ...(!key.startsWith("list ")
      ? []
      : [
          `(?:^|[.;] )(?:All )?lists (?:are )?(?:count(?:ed)?|number(?:ed)?) from ([01])(?!\\w|\\.\\d| to\\b)`,
        ]),
  ].map((form) => new RegExp(form, "i"));
}, 100);
