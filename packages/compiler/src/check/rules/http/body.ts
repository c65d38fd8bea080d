import { nearest } from "@configc/jq/internal";
import type { Command } from "../../../bind/bound-nodes.ts";
import { defineRule, type Fix } from "../../../findings/rule.ts";
import { readMethods } from "../../../language/commands/http.ts";
import type { JsonNode, ObjectNode } from "../../../parse/syntax-tree.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { isWhole, parseTemplate } from "../../../parse/template.ts";
import { changeToString } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";
import { addMember, removeMember, renameMember, replaceValue } from "../../edits.ts";
import { didYouMean, excerpt } from "../../message-text.ts";
import { hasMember, memberAt, memberOf, valueAt } from "./at.ts";

const bodyWithoutEffect = defineRule<{ method: string; written: boolean }>({
  id: "http/body-without-effect",
  severity: "warning",
  tag: "unnecessary",
  summary: "A request with this method sends no body",
  why: "GET, HEAD and OPTIONS requests carry no body, so it never reaches the service. Often the `method` was forgotten (a request without one is a GET), or the values belong in `params`.",
  guards: ["command.!http", "http.body", "http.method", "D17", "D19"],
  message: ({ method, written }) =>
    written
      ? `A \`${method}\` request sends no body.`
      : "Without a `method` this is a `GET` request, which sends no body.",
  because: ({ method }) => [
    `the request: \`${method}\`, without a body`,
    "what the body says doesn't reach the API",
  ],
  help: ({ written }) =>
    written
      ? "Put filters into `params`. To store data, use `POST`, `PUT` or `PATCH`."
      : "Add a `method`, such as `POST`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/0",
      bad: '{"!http": {"method": "GET", "path": "/me", «"body"»: {"fields": "id,name"}}}',
      good: '{"!http": {"method": "POST", "path": "/me", "body": {"fields": "id,name"}}}',
      fixed: '{"!http": {"method": "GET", "path": "/me", "params": {"fields": "id,name"}}}',
    },
    {
      title: "a forgotten method",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!http": {"path": "/subscribers", «"body"»: {"fields": "${piped_content.0}"}}}',
      good: '{"!http": {"path": "/subscribers", "body": {"fields": "${piped_content.0}"}, "method": "POST"}}',
      fixed:
        '{"!http": {"path": "/subscribers", "body": {"fields": "${piped_content.0}"}, "method": "POST"}}',
    },
    {
      title: "what can't be a parameter",
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/0",
      bad: '{"!http": {"method": "HEAD", "path": "/me", «"body"»: {"filter": {"id": 1}}}}',
      good: '{"!http": {"method": "HEAD", "path": "/me"}}',
      fixed: '{"!http": {"method": "HEAD", "path": "/me"}}',
    },
  ],
  fixes: ({ at, args }, { document }): readonly Fix[] => {
    const member = memberAt(document, at);
    if (member === undefined) return [];
    const object = member.parent;
    const remove: Fix = { title: "Remove the body", safe: false, edits: [removeMember(document, member)] };
    if (!args.written) {
      const edits = [addMember(document, object, "method", "POST")];
      return [{ title: 'Add `"method": "POST"`', safe: false, edits }, remove];
    }
    if (object.member("params") !== undefined || !fitsParams(member.value)) return [remove];
    return [{ title: "Send it as `params`", safe: false, edits: [renameMember(member, "params")] }, remove];
  },
});

const bodyLiteral = defineRule<{ found: string }>({
  id: "http/body-literal",
  severity: "warning",
  summary: "`body` is neither an object nor a single expansion",
  why: "The specification accepts a JSON object as body, or one expansion that gives the whole body. The platform may refuse a string, a list or a number, or send a JSON string where the service expects an object.",
  guards: ["command.!http", "http.body", "D8", "D17", "D19"],
  message: ({ found }) => `A body must be an object, or one expansion that gives it. This is ${found}.`,
  examples: [
    {
      title: "a list",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body",
      bad: '«["${piped_content.0}"]»',
      good: '{"subscribers": ["${piped_content.0}"]}',
      fixed: '["${piped_content.0}"]',
    },
    {
      title: "JSON in a string",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body",
      bad: '«"{\\"fields\\": \\"${piped_content.0}\\"}"»',
      good: '{"fields": "${piped_content.0}"}',
      fixed: '{"fields":"${piped_content.0}"}',
    },
    {
      title: "an expansion with blanks around it is text",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body",
      bad: '«"${piped_content.0} "»',
      good: '"${piped_content.0}"',
      fixed: '"${piped_content.0}"',
    },
    {
      title: "null",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http",
      bad: '{"method": "POST", "path": "/subscribers", "body": «null»}',
      good: '{"method": "POST", "path": "/subscribers"}',
      fixed: '{"method": "POST", "path": "/subscribers"}',
    },
  ],
  fixes: ({ at }, { document }): readonly Fix[] => {
    const node = valueAt(document, at);
    const member = memberOf(node);
    if (node?.kind === "null" && member !== undefined)
      return [{ title: "Remove `body`", safe: false, edits: [removeMember(document, member)] }];
    if (node?.kind !== "string") return [];
    const trimmed = node.value.trim();
    const template = parseTemplate(trimmed);
    if (template !== undefined && isWhole(template))
      return [{ title: "Remove the spaces", safe: true, edits: [replaceValue(node, trimmed)] }];
    const object = parsedObject(node.value);
    if (object === undefined) return [];
    return [{ title: "Write it as an object", safe: false, edits: [replaceValue(node, object)] }];
  },
});

const FORM = "application/x-www-form-urlencoded";

const contentType = defineRule<{ type: string; suggestion: string | undefined }>({
  id: "http/content-type",
  severity: "warning",
  summary: "The `content-type` header doesn't match how the body is sent",
  why: "A body is sent as JSON, or as form fields if the header says `application/x-www-form-urlencoded`. Any other `content-type` changes the label, not the content: the service reads JSON as XML and refuses it.",
  guards: ["command.!http", "http.headers", "D17", "D19"],
  message: ({ type, suggestion }) =>
    `The body is sent as JSON, but this header calls it \`${type}\`.${didYouMean(suggestion)}`,
  help: () => `A body is sent as JSON, or as form fields with \`${FORM}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/headers",
      bad: '{"content-type": «"text/xml; charset=utf-8"»}',
      good: '{"content-type": "application/vnd.api+json; charset=utf-8"}',
      fixed: '{"content-type": "text/xml; charset=utf-8"}',
    },
    {
      title: "misspelled",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/headers",
      with: { "/workflows/0/data_pipeline/target/!http/body": '{"email": "${piped_content.0.email}"}' },
      bad: '{"Content-Type": «"application/x-www-form-url-encoded"»}',
      good: '{"Content-Type": "application/x-www-form-urlencoded"}',
      fixed: '{"Content-Type": "application/x-www-form-urlencoded"}',
    },
  ],
  fixes: ({ at, args: { suggestion } }, { document }) => {
    if (suggestion === undefined) return [];
    return [changeToString(document, at, suggestion, true)];
  },
});

const module: RuleModule = {
  rules: [bodyWithoutEffect, bodyLiteral, contentType],
  checks: {
    command: {
      "!http"({ argument }: Command, report) {
        if (argument?.kind !== "object") return;
        const body = argument.member("body");
        if (body?.value === undefined) return;
        const method = textOf(argument, "method")?.toUpperCase();
        const reading = readMethods.has(method ?? "GET");
        if (reading && (method !== undefined || !hasMember(argument, "method"))) {
          report(bodyWithoutEffect, body.key, { method: method ?? "GET", written: method !== undefined });
          return;
        }
        const found = literal(body.value);
        if (found !== undefined) report(bodyLiteral, body.value, { found });
        const header = contentTypeOf(argument);
        if (header === undefined) return;
        const type = header.value.split(";")[0]!.trim().toLowerCase();
        if (type === FORM) return;
        const suggestion = type.includes("form") ? nearest(type, [FORM]) : undefined;
        if (suggestion !== undefined || OTHER_FORMATS.test(type))
          report(contentType, header, { type: excerpt(type), suggestion });
      },
    },
  },
};
export default module;

/** Formats that JSON is certainly not taken for. */
const OTHER_FORMATS = /^multipart\/|\/xml$|\+xml$|^text\/(?:csv|html)$/;

/** What a body is, if the specification doesn't know it as one. */
function literal(body: JsonNode): string | undefined {
  switch (body.kind) {
    case "object":
      return undefined;
    case "array":
      return "a list";
    case "string": {
      if (!body.valid) return undefined;
      const template = parseTemplate(body.value);
      if (template === undefined) return "a string";
      if (template.expansions.some(({ problem }) => problem !== undefined) || isWhole(template))
        return undefined;
      return "a string with an expansion in it";
    }
    default:
      return `${body.value}`;
  }
}

function contentTypeOf(argument: ObjectNode) {
  const headers = argument.get("headers");
  if (headers?.kind !== "object") return undefined;
  const value = headers.members.find(({ name }) => name.toLowerCase() === "content-type")?.value;
  return value?.kind === "string" && value.valid && !value.value.includes("$") ? value : undefined;
}

/** Whether every value of a body can be a query parameter. */
function fitsParams(body: JsonNode | undefined): boolean {
  const simple = (node: JsonNode | undefined) => node?.kind !== "object" && node?.kind !== "array";
  return (
    body?.kind === "object" &&
    body.members.every(({ value }) => (value?.kind === "array" ? value.items.every(simple) : simple(value)))
  );
}

function parsedObject(text: string): object | undefined {
  if (!text.trim().startsWith("{")) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
