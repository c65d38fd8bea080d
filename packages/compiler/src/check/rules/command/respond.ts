import { defineRule } from "../../../findings/rule.ts";
import { statusCodes } from "../../../language/commands/respond.ts";
import type { ObjectNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { checkHeaders } from "../http/headers.ts";

const place = { in: "inbound-webhook", at: "/data_intake/0/verification" } as const;

const responseCode = defineRule<{ code: number }>({
  id: "command/response-code",
  severity: "error",
  summary: "`code` isn't an HTTP status",
  why: "The service waits for an answer before it accepts a webhook's URL. A status outside 100 to 599 can't be sent, so the registration fails for every customer.",
  guards: ["D26", "D31"],
  message: ({ code }) =>
    `${code} isn't an HTTP status. Use one from ${statusCodes.minimum} to ${statusCodes.maximum}.`,
  examples: [
    {
      title: "D26",
      ...place,
      bad: '{"!respond": {"process_payload": true, "code": «2000», "body": "ok"}}',
      good: '{"!respond": {"process_payload": true, "code": 200, "body": "ok"}}',
    },
  ],
});

const severalResponses = defineRule<Record<string, never>>({
  id: "command/several-responses",
  severity: "warning",
  summary: "A pipe answers twice",
  why: "The caller of a webhook gets one answer. The second one is lost, and if the service waits for it, it refuses the URL.",
  guards: ["D26"],
  message: () => "The caller gets one answer, and an earlier step already answers.",
  because: () => ["the first answer goes to the caller", "the second one goes nowhere"],
  help: () => "Keep one of them. To choose between answers, make each one a case of a `!switch`.",
  examples: [
    {
      title: "D26",
      ...place,
      bad: '{"!pipe": [{"!respond": {"body": "${piped_content.0.query.challenge}"}}, {«"!respond"»: {"process_payload": true}}]}',
      good: '{"!pipe": [{"!switch": {"jq": "if .query.challenge then 0 else 1 end", "cases": [{"!respond": {"body": "${piped_content.0.query.challenge}"}}, {"!respond": {"process_payload": true}}]}}]}',
    },
  ],
});

const objectAsText = defineRule<{ type: string; found: string }>({
  id: "command/object-as-text",
  severity: "warning",
  summary: "An answer says that it is a text, and its body is an object or a list",
  why: "A service that asks for its challenge as `text/plain` compares the whole body with it. In an object it is another text, so the URL is refused.",
  guards: ["D26", "D45"],
  message: ({ type, found }) => `The body is ${found}, but \`content-type\` says \`${type}\`.`,
  because: ({ type, found }) => [`the header: \`${type}\``, `the body: the JSON text of ${found}`],
  help: () => "Give the text itself as `body`, or leave the header out.",
  examples: [
    {
      title: "D26",
      ...place,
      bad: '{"!respond": {"process_payload": true, "headers": {"content-type": "text/plain"}, "body": «{"state": "received"}»}}',
      good: '{"!respond": {"process_payload": true, "headers": {"content-type": "text/plain"}, "body": "received"}}',
    },
  ],
});

/** The type that an answer's headers say, in lower case. */
function typeSaid(argument: ObjectNode): string | undefined {
  const headers = argument.get("headers");
  const header =
    headers?.kind === "object" ? headers.members.find(({ name }) => /^content-type$/i.test(name)) : undefined;
  return header?.value?.kind === "string" ? header.value.value.toLowerCase() : undefined;
}

const module: RuleModule = {
  rules: [responseCode, severalResponses, objectAsText],
  checks: {
    command: {
      "!respond"(command, report) {
        const code = command.argument?.kind === "object" ? command.argument.get("code") : undefined;
        // Below the minimum, or no whole number, it isn't what the language table asks for.
        if (code?.kind === "number" && Number.isInteger(code.value) && code.value > statusCodes.maximum)
          report(responseCode, code, { code: code.value });
        checkHeaders(command, report);
        const { argument } = command;
        const body = argument?.kind === "object" ? argument.get("body") : undefined;
        const type = argument?.kind === "object" ? typeSaid(argument) : undefined;
        if (type?.startsWith("text/plain") === true && (body?.kind === "object" || body?.kind === "array"))
          report(objectAsText, body, { type, found: body.kind === "object" ? "an object" : "a list" });
      },
      "!pipe"({ children }, report) {
        const [first, ...others] = children.filter((child) => child?.key === "!respond");
        for (const other of others) {
          report(severalResponses, other!.member.key, {}, [
            { message: "answers first", at: first!.member.key },
          ]);
        }
      },
    },
  },
};
export default module;
