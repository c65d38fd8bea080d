import type { Expression } from "@configc/jq";
import { escapedPattern } from "@configc/jq/internal";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow } from "../../../flow/documented-words.ts";
import { flowOf } from "../../../flow/flow.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import { trailsOf } from "../../../flow/origin.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { lastName } from "../../../flow/protocol/forms.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { askedBy, paramOf } from "../../../flow/protocol/request-reads.ts";
import type { Location } from "../../../parse/document.ts";
import { type JsonNode, textOf } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { keptOf } from "../polling/cursor-source.ts";
import { parserPrograms } from "./parser-programs.ts";

const unnamedCursor = defineRule<{ param: string; text: string; intake: string }>({
  id: "api/unnamed-cursor",
  severity: "warning",
  summary: "The cursor's parameter isn't named, and an intake sends the same token as another one",
  why: "Without `style.cursor` the token of the next page is sent as `cursor`. A service that has another name for it ignores that and gives the first page again, and the list ends there: what comes after the first page is never offered or found.",
  guards: ["pagination.next_result_token", "polling.polling_state", "D22"],
  message: ({ param, text, intake }) =>
    `The token \`${text}\` is sent as \`cursor\`, because \`style.cursor\` is missing. The intake \`${intake}\` sends the same token as \`${param}\`.`,
  because: ({ param }) => [
    "page 1 is read, and its token is sent as `cursor`",
    `the service reads \`${param}\`, which isn't there, and gives page 1 again`,
  ],
  help: ({ param }) => `Add \`"cursor": {"param": "${param}"}\` to \`style\`.`,
  examples: [
    {
      title: "D22",
      in: "inbound-polling",
      at: "/api/pagination",
      with: {
        "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http":
          '{"path": "/lists", "pagination": true}',
        "/data_intake/0/request/!pipe":
          '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"after": "${polling_state.after}"}}}, {"!jq": "{results: .items, iterate: (.next_token != null), polling_state: {after: .next_token}}"}]',
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {after: null}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '{«"style"»: {"type": "cursor"}, "parser": {"next_result_token": {"!jq": ".next_token"}}}',
      good: '{"style": {"type": "cursor", "cursor": {"param": "after"}}, "parser": {"next_result_token": {"!jq": ".next_token"}}}',
    },
  ],
});

const otherCursorParam = defineRule<{ param: string; other: string; text: string; intake: string }>({
  id: "api/other-cursor-param",
  severity: "warning",
  summary: "Lists send the token of the next page as another parameter than an intake does",
  why: "A service reads one parameter and ignores the other. Then it gives the first page again with the same token, and the list ends there: what comes after the first page is never offered or found.",
  guards: ["pagination.cursor", "polling.polling_state", "D22"],
  message: ({ param, other, text, intake }) =>
    `The token \`${text}\` is sent as \`${param}\`, but the intake \`${intake}\` sends the same token as \`${other}\`.`,
  because: ({ param, other }) => [
    `page 1 is read, and its token is sent as \`${param}\``,
    `a service that reads \`${other}\` gives page 1 again`,
  ],
  help: () => "Use the service's name for it in both places.",
  examples: [
    {
      title: "D22",
      in: "inbound-polling",
      at: "/api/pagination",
      with: {
        "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http":
          '{"path": "/lists", "pagination": true}',
        "/data_intake/0/request/!pipe":
          '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"after": "${polling_state.after}"}}}, {"!jq": "{results: .items, iterate: (.page.next != null), polling_state: {after: .page.next}}"}]',
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {after: null}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '{"style": {"type": "cursor", "cursor": {"param": «"cursor"»}}, "parser": {"next_result_token": {"!jq": ".page.next"}}}',
      good: '{"style": {"type": "cursor", "cursor": {"param": "after"}}, "parser": {"next_result_token": {"!jq": ".page.next"}}}',
    },
  ],
});

const backwardParser = defineRule<{ text: string; other: string; intake: string }>({
  id: "api/backward-parser",
  severity: "warning",
  summary: "Lists follow the token of the previous page, an intake follows that of the next one",
  why: "The first page has no previous one, so its token is null and every list ends there: customers are offered the first page only.",
  guards: ["pagination.previous_result_token", "polling.polling_state", "D22"],
  message: ({ text, other, intake }) =>
    `Lists go on with \`${text}\`, which is null on the first page. The intake \`${intake}\` goes on with \`${other}\`.`,
  because: ({ text }) => ["page 1 is read", `its \`${text}\` is null: page 2 is never read`],
  help: ({ other }) => `Write \`"next_result_token": {"!jq": "${other}"}\`.`,
  examples: [
    {
      title: "D22",
      in: "inbound-polling",
      at: "/api/pagination",
      with: {
        "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http":
          '{"path": "/lists", "pagination": true}',
        "/data_intake/0/request/!pipe":
          '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"cursor": "${polling_state.after}"}}}, {"!jq": "{results: .items, iterate: (.page.next != null), polling_state: {after: .page.next}}"}]',
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {after: null}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '{"style": {"type": "cursor"}, "parser": {"previous_result_token": {"!jq": "«.page.previous»"}}}',
      good: '{"style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": ".page.next"}}}',
    },
  ],
});

const otherNextToken = defineRule<{ text: string; other: string; param: string; intake: string }>({
  id: "api/other-next-token",
  severity: "warning",
  summary: "Lists read the token of the next page in another place than the intakes do",
  why: "Answers of one service have the token of the next page in one place. Read elsewhere it is null, and every list ends after its first page: customers are offered what is on that.",
  guards: ["pagination.next_result_token", "polling.polling_state", "D22"],
  message: ({ text, other, param, intake }) =>
    `Lists send \`${text}\` as \`${param}\`, but the intake \`${intake}\` sends \`${other}\` as that.`,
  because: ({ text, other, param }) => [
    `\`${other}\` is the next \`${param}\` elsewhere`,
    `nothing else reads \`${text}\`: it is null, and page 2 is never read`,
  ],
  help: ({ other }) => `Write \`${other}\`.`,
  examples: [
    {
      title: "D22",
      in: "inbound-polling",
      at: "/api/pagination",
      with: {
        "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http":
          '{"path": "/lists", "pagination": true}',
        "/data_intake/0/request/!pipe":
          '[{"!http": {"path": "/lists/${custom_data.list.value}/customers", "params": {"cursor": "${polling_state.after}"}}}, {"!jq": "{results: .items, iterate: (.page.next != null), polling_state: {after: .page.next}}"}]',
        "/data_intake/0/initial_setup": '{"!jq": "{polling_state: {after: null}}"}',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '{"style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": "«.page.next_cursor»"}}}',
      good: '{"style": {"type": "cursor"}, "parser": {"next_result_token": {"!jq": ".page.next"}}}',
    },
  ],
});

const module: RuleModule = {
  rules: [unnamedCursor, otherCursorParam, backwardParser, otherNextToken],
  checks: {
    api({ node }, report, model) {
      const pagination = node.get("pagination");
      if (pagination?.kind !== "object") return;
      const style = pagination.get("style");
      if (style?.kind !== "object" || textOf(style, "type") !== "cursor") return;
      const named = style.member("cursor");
      const param = named === undefined ? DEFAULT : textOf(named.value, "param");
      const token = tokenOf(pagination, model);
      const styleKey = pagination.member("style")?.key;
      if (token === undefined || param === undefined || styleKey === undefined) return;
      const followed = followedTokens(model);
      const same = followed.filter(({ text }) => text === token.text && text.includes("."));
      const [first] = same;
      if (named === undefined && first !== undefined && first.param !== DEFAULT)
        if (same.every((each) => each.param === first.param))
          report(
            unnamedCursor,
            styleKey,
            { param: first.param, text: excerpt(token.text, 40), intake: first.intake },
            [{ message: "sent here", at: first.at }],
          );
      const written = named?.value?.kind === "object" ? named.value.get("param") : undefined;
      if (written !== undefined && first !== undefined && first.param !== param)
        if (same.every((each) => each.param === first.param))
          report(
            otherCursorParam,
            written,
            { param, other: first.param, text: excerpt(token.text, 40), intake: first.intake },
            [{ message: "sent here", at: first.at }],
          );
      // What doesn't say whether there is more may be where a log was read to.
      const tokens = followed.filter((each) => each.param === param && isToken(each.text) && each.isAsked);
      const [elsewhere] = tokens;
      const isElsewhere =
        isToken(token.text) &&
        !token.goesBack &&
        tokens.every(({ text }) => text === elsewhere?.text && text !== token.text && !isPrevious(text));
      if (elsewhere !== undefined && isElsewhere && !isKnown(token.text, elsewhere.text, model))
        report(
          otherNextToken,
          token.at,
          { text: token.text, other: elsewhere.text, param, intake: elsewhere.intake },
          [{ message: "kept here", at: elsewhere.from }],
        );
      // Where all of them go back, the newest comes first, and that is meant.
      if (!token.goesBack || followed.some(({ text }) => isPrevious(text))) return;
      const next = followed.find((each) => each.param === param && isNext(each.text, token.text));
      if (next !== undefined)
        report(backwardParser, token.at, { text: token.text, other: next.text, intake: next.intake }, [
          { message: "kept here", at: next.from },
        ]);
    },
  },
};
export default module;

/** The parameter of a token where the style names none (D22). */
const DEFAULT = "cursor";

/** What `api.pagination` sends for the next page. */
function tokenOf(pagination: JsonNode, model: Model) {
  const programs = [...parserPrograms(pagination, model)];
  const own =
    programs.find(({ name }) => name === "next_result_token") ??
    programs.find(({ name }) => name === "previous_result_token");
  if (own === undefined) return undefined;
  const body = plainBody(own.program);
  const text = textAt(body, own.program);
  return { text, at: partAt(own.program, body), goesBack: isPrevious(text) && lastName(body) !== undefined };
}

/** A member of an answer that is called like a token: `.paging.next`, `.next_cursor`. */
const isToken = (text: string): boolean =>
  /^\.(?:\w+\.)*(?=\w{4,40}$)\w*(?:next|cursor|token|continu)\w*$/i.test(text);

/** Whether something else reads a path, or a comment or sample speaks of its names: answers may have it in two places. */
function isKnown(path: string, other: string, model: Model): boolean {
  // Behind a name it is a part of another path: `.next` of `.meta.next`.
  const whole = new RegExp(`(?:(?<![\\w\\])?])|(?<=\\$\\w+))${escapedPattern(path)}(?!\\w)`, "g");
  if ([...model.document.text.matchAll(whole)].length > 1) return true;
  const others = new Set(other.split("."));
  // `next` alone is a word of every comment.
  const names = path.split(".").filter((name) => name.length > 4 && !others.has(name));
  return [...commentsBelow(model.document.root!)].some(({ value }) =>
    names.some((name) => value.includes(name)),
  );
}

const isPrevious = (text: string): boolean => /(?:^|[._])prev(?:ious)?(?:_?[a-z]+)*$/i.test(text);

/** Whether one path is that of the next page in the object in which the other is that of the previous one. */
function isNext(text: string, previous: string): boolean {
  const [above, name] = splitLast(text);
  return splitLast(previous)[0] === above && /^next(?:_?[a-z]+)*$/i.test(name);
}

function splitLast(path: string): readonly [string, string] {
  const at = path.lastIndexOf(".");
  return [path.slice(0, at), path.slice(at + 1)];
}

/** A token of an answer that an intake keeps and sends with its next request. */
interface Followed {
  readonly intake: string;
  /** The parameter as which it is sent. */
  readonly param: string;
  /** As it is written. */
  readonly text: string;
  readonly from: Location;
  readonly at: Location;
  /** Whether the program looks at it elsewhere, too: at its end there is no next page. */
  readonly isAsked: boolean;
}

const followedTokens = derivedByPart(({ intakes }, model) =>
  intakes.flatMap((intake): Followed[] => {
    if (intake.type !== "polling" || !isReadable(intake, model)) return [];
    const reads = (askedBy(intake, model)?.reads ?? []).filter(({ command: { argument }, at }) => {
      const params = argument?.kind === "object" ? argument.get("params") : undefined;
      return params?.kind === "object" && params.members.some(({ value }) => value === at.node);
    });
    if (reads.length === 0) return [];
    return keptOf(intake, model).flatMap(({ key, way, program }) => {
      const read = reads.find((each) => each.key === key);
      const param = read === undefined ? undefined : paramOf(read);
      if (read === undefined || param === undefined) return [];
      const [written, from] = [textAt(bare(way), program), partAt(program, way)];
      const isAsked = program.node.value.split(written).length > 2 || isNamedAndAsked(way, program);
      const text = textOfAnswer(way, program, model) ?? written;
      return [{ intake: intake.name ?? "", param, text, from, at: read.at, isAsked }];
    });
  }),
);

/** `.next_cursor` for `$page.next_cursor`, where `$page` is an answer. */
function textOfAnswer(way: Expression, program: JqProgram, model: Model): string | undefined {
  const node = bare(way);
  if (node.kind !== "Postfix" || node.head.kind !== "Variable") return undefined;
  const trails = trailsOf(flowOf(model), program, node);
  const [origin] = trails.map((trail) => trail.origin);
  return trails.length === 1 && origin?.kind === "response" && origin.path.every((name) => /^\w+$/.test(name))
    ? `.${origin.path.join(".")}`
    : undefined;
}

/** Whether what is kept has a name, `$next`, that the program reads once more. */
const isNamedAndAsked = (way: Expression, program: JqProgram): boolean =>
  nodesOfKind(program, "Binding").some(({ source, patterns: [pattern, ...others] }) => {
    if (bare(source) !== bare(way) || pattern?.kind !== "VariablePattern" || others.length > 0) return false;
    return nodesOfKind(program, "Variable").filter(({ name }) => name === pattern.name).length > 1;
  });
