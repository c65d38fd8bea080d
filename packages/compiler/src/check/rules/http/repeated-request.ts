import type { Command } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
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
      "!pipe"({ children, place }, report) {
        if (children.length < 2) return;
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
          const { text, path, method, isRegistration } = request;
          if (method === "POST" && !sent.has(text)) sent.clear();
          if (sent.has(text))
            report(
              repeatedRequest,
              path,
              { method, path: path.value, ...(isRegistration ? { isRegistration } : {}) },
              [{ message: "the step before", at: sent.get(text)!.path }],
            );
          else sent.set(text, request);
        }
      },
    },
  },
};
export default module;

interface Sent {
  /** The same of two requests that do the same. */
  readonly text: string;
  readonly method: string;
  readonly path: StringNode;
  readonly isRegistration?: true;
}

/** A request that changes or removes one record. */
function requestOf({ key, argument }: Command, place: string): Sent | undefined {
  if (key !== "!http" || argument?.kind !== "object") return undefined;
  const method = (textOf(argument, "method") ?? "GET").toUpperCase();
  const path = argument.get("path") ?? argument.get("url");
  if (path?.kind !== "string") return undefined;
  const sent = JSON.stringify(
    ["params", "body", "headers"].map((name) => {
      const node = argument.get(name);
      return node === undefined ? null : toJson(node);
    }),
  );
  // What names no record may be a list of things to do.
  if (!/\$[{<]/.test(method === "POST" ? sent : path.value)) return undefined;
  const where = `${method} ${path.value}`;
  if (method === "DELETE" || method === "PUT" || method === "PATCH") {
    // Where two registrations differ in their events, the address is the same, and so must be the record.
    const isRegistration =
      place === "intake.update" && method !== "DELETE" && hasAddress(argument)
        ? { isRegistration: true as const }
        : {};
    return {
      text: "isRegistration" in isRegistration ? where : `${where} ${sent}`,
      method,
      path,
      ...isRegistration,
    };
  }
  const isRemoval = method === "POST" && place === "intake.delete";
  return isRemoval ? { text: `${where} ${sent}`, method, path } : undefined;
}

const hasAddress = (argument: ObjectNode): boolean => {
  const body = argument.get("body");
  return body !== undefined && JSON.stringify(toJson(body)).includes("webhook.url");
};

const isRead = ({ argument }: Command): boolean =>
  argument?.kind === "object" && /^(?:GET|HEAD|OPTIONS)$/i.test(textOf(argument, "method") ?? "GET");
