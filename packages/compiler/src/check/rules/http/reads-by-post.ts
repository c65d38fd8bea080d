import type { Command } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround, hasComments } from "../../../flow/documented-words.ts";
import { type ObjectNode, textOf } from "../../../parse/syntax-tree.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceValue } from "../../edits.ts";
import { valueAt } from "./at.ts";

const readsByPost = defineRule<{ path: string; other: string }>({
  id: "http/reads-by-post",
  severity: "warning",
  summary: "A request that only reads is sent with `POST`, and without a body",
  why: "A `POST` makes something new, and a service refuses one without a body, or makes an empty record each time a customer opens the form. What is listed or looked at is asked for with `GET`.",
  guards: ["http.method", "D17"],
  message: ({ path, other }) =>
    `\`${path}\` is asked for with \`POST\` and no body; \`${other}\` is read with \`GET\`.`,
  because: ({ path }) => [
    `\`POST ${path}\`, with nothing to make`,
    "the service refuses it, or makes a record",
  ],
  help: () => "Send it with `GET`.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/select/form_fields/0/options/!pipe/0/!http",
      bad: '{"method": «"POST"», "path": "/lists"}',
      good: '{"method": "GET", "path": "/lists"}',
      fixed: '{"method": "GET", "path": "/lists"}',
    },
  ],
  fixes: ({ at }, { document }) => {
    const value = valueAt(document, at);
    return value === undefined
      ? []
      : [{ title: "Send it with `GET`", safe: false, edits: [replaceValue(value, "GET")] }];
  },
});

const module: RuleModule = {
  rules: [readsByPost],
  checks: {
    document(model, report) {
      for (const { path, at } of readingPosts(model)) {
        const other = readWithGet(model).find((each) => each !== path);
        if (other !== undefined && !readWithPost(model)) report(readsByPost, at, { path, other });
      }
    },
  },
};
export default module;

/** What is read with `POST` and no body, by a path that calls nothing. */
const readingPosts = derivedByPart(({ commands }, model) =>
  commands.flatMap((command) => {
    const { argument, key } = command;
    if (key !== "!http" || argument?.kind !== "object" || !reads(command)) return [];
    if (textOf(argument, "method")?.toUpperCase() !== "POST" || argument.get("body") !== undefined) return [];
    const path = pathOf(argument);
    // Procedures are called with `POST` whatever they do.
    if (path === undefined || !isNoun(path) || argument.get("headers") !== undefined) return [];
    // `?_method=GET`
    if (/[?&]_?method=/i.test(path)) return [];
    // A comment that speaks of it knows why.
    if (
      hasComments(model) &&
      commentsAround(argument, []).some(({ value }) => /\bPOST(?:s|ed)?\b/.test(value))
    )
      return [];
    return [{ path, at: argument.get("method")! }];
  }),
);

/** Whether what a command stands for is only looked at: options to choose from, the account, a page of a poll. */
const reads = ({ place, argument, parent }: Command): boolean =>
  place.name === "field.options" ||
  place.name === "connect.describe_connection" ||
  // A poll may order an export first.
  (place.name === "intake.request" &&
    parent?.children.filter((child) => child?.key === "!http").length === 1 &&
    argument?.kind === "object" &&
    argument.get("params") !== undefined);

const pathOf = (argument: ObjectNode): string | undefined =>
  textOf(argument, "path") ?? textOf(argument, "url");

const procedures =
  /search|query|quer(?:y|ies)|list$|find|lookup|filter|get|fetch|read|token|session|login|auth|export|report|rpc|whoami|verify|test|check|ping|introspect|refresh|batch|graphql|info$|\ball$|available|current|validate|sync|call/i;

/** `/lists`, `/shops/${…}/teams`: no word of it says that something is called. */
function isNoun(path: string): boolean {
  const written = path.split("?")[0]!.replace(/\$[{<][^}>]*[}>]/g, "");
  return !written.includes(".") && !procedures.test(written) && !/[a-z][A-Z]/.test(written);
}

/** The paths that are read with `GET`, and that something reads with `POST` and a body: then it is how the service works. */
const readingPaths = derived((model): { readonly get: readonly string[]; readonly isPost: boolean } => {
  const get: string[] = [];
  let isPost = false;
  for (const { key, argument, place } of model.commands) {
    if (key !== "!http" || argument?.kind !== "object") continue;
    const path = pathOf(argument);
    const method = (textOf(argument, "method") ?? "GET").toUpperCase();
    const isReading = place.name === "field.options" || place.name === "connect.describe_connection";
    if (method === "GET" && path !== undefined) get.push(path);
    if (method === "POST" && isReading && argument.get("body") !== undefined) isPost = true;
  }
  return { get, isPost };
});

const readWithGet = (model: Model): readonly string[] => readingPaths(model).get;
const readWithPost = (model: Model): boolean => readingPaths(model).isPost;
