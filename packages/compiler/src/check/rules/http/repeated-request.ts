import type { Command } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround, hasComments } from "../../../flow/documented-words.ts";
import { type ObjectNode, type StringNode, textOf, toJson } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const repeatedRequest = defineRule<{ method: string; path: string; isRegistration?: true }>({
  id: "http/repeated-request",
  severity: "warning",
  summary: "A step does to the same record what a step before it did already",
  why: "To delete or change what was deleted or changed a moment ago does nothing more. Most often the second step was copied, and another record was meant: that one stays as it was. A webhook that is never removed goes on sending.",
  guards: ["command.!http", "webhook.delete", "webhook.update", "D17", "D32"],
  message: ({ method, path, isRegistration }) =>
    isRegistration
      ? `A step before sends \`${method} ${path}\` with the address, too, so another registration keeps the old one.`
      : `A step before sends the same \`${method} ${path}\`, so this one does nothing more.`,
  because: ({ method, path }) => [
    `\`${method} ${path}\` is sent twice`,
    "what the second one was meant for is left as it was",
  ],
  help: () => "Name the other record here, or remove this step.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/delete",
      with: {
        "/data_intake/0/create":
          '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}", "event": "submission.created"}}}, {"!jq": "{new_hook: .id}"}, {"!save": {"scope": "workflow"}}, {"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}", "event": "submission.deleted"}}}, {"!jq": "{old_hook: .id}"}, {"!save": {"scope": "workflow"}}]}',
        "/data_intake/0/update": undefined,
        "/data_intake/0/verification": '{"!respond": {"process_payload": true, "code": 200}}',
      },
      bad: '{"!pipe": [{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.new_hook}"}}, {"!http": {"method": "DELETE", "path": «"/hooks/${data.workflow.new_hook}"»}}]}',
      good: '{"!pipe": [{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.new_hook}"}}, {"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.old_hook}"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [repeatedRequest],
  checks: {
    command: {
      "!pipe"({ children, place, node }, report, model) {
        if (children.filter((child) => child?.key === "!http").length < 2) return;
        const sent = new Map<string, Sent>();
        for (const child of children) {
          // What is saved between them may be another id, and another kind of step may undo the first one.
          if (child === undefined || child.key === "!save" || child.key === "!switch") sent.clear();
          const request = child === undefined ? undefined : requestOf(child, place.name);
          if (request === undefined) {
            // A POST may have made it anew.
            if (child?.key === "!http" && !isRead(child)) sent.clear();
            continue;
          }
          const { method, path, argument } = request;
          const where = `${method} ${path.value}`;
          const before = sent.get(where);
          if (method === "POST" && before === undefined) sent.clear();
          sent.set(where, request);
          const isSame = before !== undefined && sentBy(before.argument) === sentBy(argument);
          const isRegistration =
            before !== undefined &&
            !isSame &&
            place.name === "intake.update" &&
            areOfOtherEvents(before.argument, argument);
          if (before === undefined || (!isSame && !isRegistration)) continue;
          // `The first one moves it to the bin, the second one removes it.`
          if (isSame && hasComments(model) && commentsAround(node, []).some(({ value }) => twice.test(value)))
            continue;
          report(
            repeatedRequest,
            path,
            { method, path: path.value, ...(isRegistration ? { isRegistration } : {}) },
            [{ message: "the step before", at: before.path }],
          );
        }
      },
    },
  },
};
export default module;

const twice =
  /\b(?:twice|two times|(?:the )?second (?:one|time|call|request|DELETE|PUT|PATCH)|a second|once more|both requests)\b/i;

interface Sent {
  readonly method: string;
  readonly path: StringNode;
  readonly argument: ObjectNode;
}

/** A request that changes or removes one record. */
function requestOf({ key, argument }: Command, place: string): Sent | undefined {
  if (key !== "!http" || argument?.kind !== "object") return undefined;
  const method = (textOf(argument, "method") ?? "GET").toUpperCase();
  const path = argument.get("path") ?? argument.get("url");
  if (path?.kind !== "string") return undefined;
  // What names no record may be a list of things to do.
  if (method === "DELETE" || method === "PUT" || method === "PATCH")
    return /\$[{<]/.test(path.value) ? { method, path, argument } : undefined;
  const isRemoval = method === "POST" && place === "intake.delete" && /\$[{<]/.test(sentBy(argument));
  return isRemoval ? { method, path, argument } : undefined;
}

/** All that a request sends besides its address. */
const sentBy = (argument: ObjectNode): string =>
  JSON.stringify(
    ["params", "body", "headers"].map((name) => {
      const node = argument.get(name);
      return node === undefined ? null : toJson(node);
    }),
  );

/** Whether two requests give the address for different events: those are two registrations. */
function areOfOtherEvents(first: ObjectNode, second: ObjectNode): boolean {
  const [one, other] = [first, second].map((argument) => argument.get("body"));
  if (one?.kind !== "object" || other?.kind !== "object") return false;
  const [before, after] = [one, other].map((body) => JSON.stringify(toJson(body)));
  if (before?.includes("webhook.url") !== true || after?.includes("webhook.url") !== true) return false;
  const changed = one.members.filter(({ name, value }) => {
    const given = other.get(name);
    return (
      value !== undefined &&
      given !== undefined &&
      JSON.stringify(toJson(value)) !== JSON.stringify(toJson(given))
    );
  });
  return changed.length === 1 && changed.every(({ name }) => /event|topic|trigger|subscri/i.test(name));
}

const isRead = ({ argument }: Command): boolean =>
  argument?.kind === "object" && /^(?:GET|HEAD|OPTIONS)$/i.test(textOf(argument, "method") ?? "GET");
