import { type Args, defineRule, type Finding, type Fix, type FixContext } from "../../../findings/rule.ts";
import { describedRequests, requestBody } from "../../../samples/openapi/described.ts";
import { FORM, sentFormat } from "../../../samples/request-format.ts";
import { changeToString } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";
import { addMember } from "../../edits.ts";
import { capitalized, didYouMean } from "../../message-text.ts";
import { memberAt } from "../http/at.ts";
import { type BodyProblem, bodyProblems } from "./body-problems.ts";
import { described } from "./example.ts";
import { namesOf } from "./operation.ts";

interface BodyArgs extends Args {
  readonly kind: BodyProblem["kind"];
  readonly operation: string;
  readonly document: string;
  readonly path: string;
  readonly name: string;
  readonly suggestion: string | undefined;
  readonly found: string;
  readonly wanted: string;
}

const pointer = "/data_intake/0/create/!pipe/0/!http/body";

const requestBodyRule = defineRule<BodyArgs>({
  id: "openapi/request-body",
  severity: "warning",
  summary: "A request body doesn't match the OpenAPI document",
  why: "The OpenAPI document in the settings says what this operation takes. The API refuses any other body, or silently ignores members that it doesn't know.",
  guards: ["http.body"],
  message: ({ kind, operation, document, path, name, suggestion, found, wanted }) => {
    const whole =
      path === "" ? `the body of \`${operation}\`` : `\`${path}\` in the body of \`${operation}\``;
    switch (kind) {
      case "missing":
        return `${capitalized(whole)} needs \`${name}\`, according to \`${document}\`.`;
      case "unknown":
        return `${capitalized(whole)} takes no \`${name}\`, according to \`${document}\`.${didYouMean(suggestion)}`;
      case "type":
        return `${capitalized(whole)} must be \`${wanted}\`, according to \`${document}\`, but is \`${found}\`.`;
      case "format":
        return `${capitalized(whole)} is sent as JSON, but must be a form, according to \`${document}\`.`;
      case "value":
        return `${capitalized(whole)} must be one of \`${wanted}\`, according to \`${document}\`, but is \`${found}\`.`;
    }
  },
  help: ({ kind, wanted }) => {
    if (kind === "format") return `Add \`"content-type": "${FORM}"\` to \`headers\`.`;
    return kind === "missing" || kind === "unknown" ? `It is \`${wanted}\`.` : undefined;
  },
  fixes: (finding, context) => [...renameFix(finding, context), ...headerFix(finding, context)],
  examples: [
    described(pointer, {
      title: "a missing member",
      bad: '{"url": "${webhook.url}"}',
      good: '{"event": "submission.created", "url": "${webhook.url}"}',
    }),
    described(pointer, {
      title: "a misspelled member",
      bad: '{"event": "submission.created", "url": "${webhook.url}", «"actve"»: true}',
      good: '{"event": "submission.created", "url": "${webhook.url}", "active": true}',
      fixed: '{"event": "submission.created", "url": "${webhook.url}", "active": true}',
    }),
    described(pointer, {
      title: "a value of another kind",
      bad: '{"event": "submission.created", "url": "${webhook.url}", "active": «"yes"»}',
      good: '{"event": "submission.created", "url": "${webhook.url}", "active": true}',
    }),
    described("/data_intake/0/update/!http", {
      title: "JSON instead of a form",
      bad: '{"method": "POST", "path": "/tests", «"body"»: {"url": "${webhook.url}"}}',
      good: '{"method": "POST", "path": "/tests", "body": {"url": "${webhook.url}"}, "headers": {"Content-Type": "application/x-www-form-urlencoded"}}',
      fixed:
        '{"method": "POST", "path": "/tests", "body": {"url": "${webhook.url}"}, "headers": {"content-type":"application/x-www-form-urlencoded"}}',
    }),
    described(pointer, {
      title: "one of several kinds of objects",
      bad: '{"event": "submission.created", "url": "${webhook.url}", "filter": {"kind": "tag", «"form"»: 1}}',
      good: '{"event": "submission.created", "url": "${webhook.url}", "filter": {"kind": "form", "form": 1}}',
    }),
    described(pointer, {
      title: "a value that isn't listed",
      bad: '{"event": «"submission.create"», "url": "${webhook.url}"}',
      good: '{"event": "submission.created", "url": "${webhook.url}"}',
    }),
  ],
});

const module: RuleModule = {
  rules: [requestBodyRule],
  checks: {
    document(model, report) {
      for (const { command, operation } of describedRequests(model).values()) {
        const body = command.argument?.kind === "object" ? command.argument.get("body") : undefined;
        if (body === undefined || operation === undefined) continue;
        const sent = sentFormat(command);
        const wanted = requestBody(operation, sent);
        if (wanted === undefined) continue;
        for (const { at, ...problem } of bodyProblems(command, body, wanted, model))
          report(requestBodyRule, at, { ...namesOf(operation), ...problem });
      }
    },
  },
};
export default module;

function headerFix({ at, args: { kind } }: Finding<BodyArgs>, { document }: FixContext): Fix[] {
  const argument = kind === "format" ? memberAt(document, at)?.parent : undefined;
  if (argument === undefined) return [];
  const headers = argument.get("headers");
  const edit =
    headers?.kind === "object"
      ? addMember(document, headers, "content-type", FORM)
      : addMember(document, argument, "headers", { "content-type": FORM });
  return [{ title: "Send it as a form", safe: false, edits: [edit] }];
}

function renameFix({ at, args }: Finding<BodyArgs>, { document }: FixContext): Fix[] {
  const { suggestion } = args;
  if (suggestion === undefined) return [];
  return [changeToString(document, at, suggestion, false)];
}
