import type { Command } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { readMethods } from "../../../language/commands/http.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { parseTemplate } from "../../../parse/template.ts";
import type { RuleModule } from "../../checks.ts";

const constantKey = defineRule<{ header: string; value: string }>({
  id: "http/constant-idempotency-key",
  severity: "warning",
  summary: "Every request has the same idempotency key",
  why: "If an API has seen a key before, it repeats its first answer and does nothing. With one key for all requests, only the first record arrives; the others only seem to.",
  guards: ["command.!http", "http.headers", "D21"],
  message: ({ header, value }) =>
    `\`${header}\` is \`${value}\` in every request, so the API ignores all but the first as repeats.`,
  because: ({ value }) => [
    `record 1 is sent with \`${value}\` and created`,
    `record 2 is sent with \`${value}\`: the API repeats its answer and creates nothing`,
  ],
  help: () => "Build it from something unique to the record, such as its id.",
  examples: [
    {
      title: "D21",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http",
      bad: '{"method": "POST", "path": "/lists/${custom_data.list.value}", "headers": {"Idempotency-Key": «"add"»}, "body": {"email": "${piped_content.0.email}"}}',
      good: '{"method": "POST", "path": "/lists/${custom_data.list.value}", "headers": {"Idempotency-Key": "add-${piped_content.0.email}"}, "body": {"email": "${piped_content.0.email}"}}',
    },
  ],
});

const names = /^(?:x-)?idempot(?:ency|ent)-?(?:key|token)$/i;

const module: RuleModule = {
  rules: [constantKey],
  checks: {
    command: {
      "!http"(command: Command, report) {
        const { argument } = command;
        const headers = argument?.kind === "object" ? argument.get("headers") : undefined;
        const method = (textOf(argument, "method") ?? "GET").toUpperCase();
        if (headers?.kind !== "object" || readMethods.has(method)) return;
        for (const { name, value } of headers.members) {
          if (!names.test(name) || value?.kind !== "string" || value.value === "") continue;
          if ((parseTemplate(value.value)?.expansions.length ?? 0) > 0) continue;
          report(constantKey, value, { header: name, value: value.value });
        }
      },
    },
  },
};
export default module;
