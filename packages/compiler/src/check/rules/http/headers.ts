import type { Command } from "../../../bind/bound-nodes.ts";
import { defineRule, type Fix } from "../../../findings/rule.ts";
import { forbiddenHeaders } from "../../../language/commands/http.ts";
import { spanOf } from "../../../parse/document.ts";
import type { MemberNode } from "../../../parse/syntax-tree.ts";
import { changeToString } from "../../change-fix.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { removeMember } from "../../edits.ts";
import { allNames, excerpt } from "../../message-text.ts";
import { memberAt } from "./at.ts";

const forbiddenHeader = defineRule<{ name: string }>({
  id: "http/forbidden-header",
  severity: "error",
  summary: "Only the HTTP client can set this header",
  why: "`host`, `content-length`, `transfer-encoding` and `connection` say where and how a message is sent, and the HTTP client sets them. A different value could send a customer's request elsewhere, so the request is refused.",
  guards: ["command.!http", "http.headers", "D17", "D18"],
  message: ({ name }) =>
    `You can't set the header \`${name}\`. The HTTP client sets ${allNames(forbiddenHeaders)} itself.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/headers",
      bad: '{«"Host"»: "api.example.com", "accept": "application/json"}',
      good: '{"accept": "application/json"}',
      fixed: '{"accept": "application/json"}',
    },
  ],
  fixes: ({ at, args }, { document }) => {
    const member = memberAt(document, at);
    if (member === undefined) return [];
    return [{ title: `Remove \`${args.name}\``, safe: true, edits: [removeMember(document, member)] }];
  },
});

const headerName = defineRule<{ name: string; suggestion: string }>({
  id: "http/header-name",
  severity: "error",
  summary: "A header name has a character that isn't allowed",
  why: "Header names are made of letters, digits and a few signs such as `-`. If one has a space or a colon, the client refuses the request.",
  guards: ["command.!http", "http.headers", "D17", "D18"],
  message: ({ name }) => `\`${name}\` can't be a header name. Use letters, digits, \`-\` and \`_\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/headers",
      bad: '{«"Idempotency Key"»: "${piped_content.0.email}"}',
      good: '{"Idempotency-Key": "${piped_content.0.email}"}',
      fixed: '{"Idempotency-Key": "${piped_content.0.email}"}',
    },
    {
      title: "a colon too many",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/headers",
      bad: '{«"accept:"»: "application/json"}',
      good: '{"accept": "application/json"}',
      fixed: '{"accept": "application/json"}',
    },
  ],
  fixes: ({ at, args: { suggestion } }, { document }) => {
    if (!TOKEN.test(suggestion)) return [];
    return [changeToString(document, at, suggestion, false)];
  },
});

const otherHeader = defineRule<{ name: string; suggestion: string }>({
  id: "http/other-header",
  severity: "warning",
  summary: "A header is written with `_` where it has `-`",
  why: "`content_type` is another header than `content-type`, and no service looks at it. A form without its type goes out as JSON, and the service finds no fields in it.",
  guards: ["command.!http", "http.headers", "D18", "D19"],
  message: ({ name, suggestion }) =>
    `\`${name}\` is no header that services know. It is called \`${suggestion}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/headers",
      bad: '{«"idempotency_key"»: "${piped_content.0.email}"}',
      good: '{"idempotency-key": "${piped_content.0.email}"}',
      fixed: '{"idempotency-key": "${piped_content.0.email}"}',
    },
  ],
  fixes: ({ at, args: { suggestion } }, { document }) => [changeToString(document, at, suggestion, false)],
});

const repeatedHeader = defineRule<{ name: string; first: string }>({
  id: "http/repeated-header",
  severity: "warning",
  summary: "Two header names differ only in upper and lower case",
  why: "Header names aren't case-sensitive, so the client drops one of the two values, or joins both with a comma.",
  guards: ["command.!http", "http.headers", "D17", "D18"],
  message: ({ name, first }) => `\`${name}\` is the same header as \`${first}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/headers",
      bad: '{"accept": "application/json", «"Accept"»: "text/plain"}',
      good: '{"accept": "application/json"}',
    },
  ],
});

const characterNames: Readonly<Record<string, string>> = { "\r": "CR", "\n": "LF", "\0": "NUL" };

const headerValue = defineRule<{ header: string; character: string }>({
  id: "http/header-value",
  severity: "error",
  summary: "A header value contains a line break or NUL",
  why: "A line break ends a header, and the rest would be read as another one. So the request is refused, and the step fails for every customer.",
  guards: ["command.!http", "http.headers", "D17", "D18"],
  message: ({ header, character }) =>
    `The value of the header \`${header}\` can't contain the character ${character}.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/headers",
      bad: '{"accept": "application/json«\\n»"}',
      good: '{"accept": "application/json"}',
      fixed: '{"accept": "application/json"}',
    },
    {
      title: "in the middle",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/headers",
      bad: '{"accept": "application/json,«\\r\\n»text/plain"}',
      good: '{"accept": "application/json, text/plain"}',
      fixed: '{"accept": "application/json, text/plain"}',
    },
  ],
  fixes: ({ at }, { document }): readonly Fix[] => {
    const { start, end } = spanOf(document, at);
    const { text } = document;
    const outer = text.charAt(start - 1) === '"' || text.charAt(end) === '"';
    const edits = [{ start, end, newText: outer ? "" : " " }];
    return [{ title: outer ? "Remove it" : "Change to a space", safe: outer, edits }];
  },
});

const module: RuleModule = {
  rules: [forbiddenHeader, headerName, otherHeader, repeatedHeader, headerValue],
  checks: { command: { "!http": checkHeaders } },
};
export default module;

/** Checks the headers of a command that sends some: of a request, and of `!respond`'s answer, where the same are refused (D18). */
export function checkHeaders({ argument }: Command, report: Report): void {
  const headers = argument?.kind === "object" ? argument.get("headers") : undefined;
  if (headers?.kind !== "object") return;
  const seen = new Map<string, MemberNode>();
  for (const member of headers.members) {
    const { name, key, value } = member;
    if (!key.valid || name.includes("$")) continue;
    const lower = name.toLowerCase();
    const first = seen.get(lower);
    if ((forbiddenHeaders as readonly string[]).includes(lower)) report(forbiddenHeader, key, { name });
    else if (!TOKEN.test(name)) report(headerName, key, { name: excerpt(name), suggestion: corrected(name) });
    else if (isKnownWithHyphens(lower))
      report(otherHeader, key, { name, suggestion: name.replaceAll("_", "-") });
    // The very same name is a duplicate member, which is reported as such.
    else if (first !== undefined && first.name !== name)
      report(repeatedHeader, key, { name, first: first.name }, [{ message: "the first one", at: first.key }]);
    if (first === undefined) seen.set(lower, member);
    if (value?.kind !== "string" || !value.valid) continue;
    const broken = BREAK.exec(value.value);
    if (broken === null) continue;
    const from = broken.index;
    const character = characterNames[broken[0].charAt(0)]!;
    report(headerValue, { node: value, from, to: from + broken[0].length }, { header: name, character });
  }
}

const isKnownWithHyphens = (lower: string): boolean =>
  lower.includes("_") && wellKnown.has(lower.replaceAll("_", "-"));
const wellKnown: ReadonlySet<string> = new Set(
  "content-type content-language accept-language accept-encoding user-agent if-match if-none-match if-modified-since if-unmodified-since idempotency-key cache-control".split(
    " ",
  ),
);

/** RFC 9110, `token`. */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
const BREAK = /[\r\n\0]+/;

function corrected(name: string): string {
  // Nobody writes longer names by mistake, and the pattern's work grows with the square of the blanks.
  if (name.length > 100) return "";
  return name.trim().replace(/\s*:$/, "").replace(/\s+/g, "-");
}
