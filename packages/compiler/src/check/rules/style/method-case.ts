import { defineRule } from "../../../findings/rule.ts";
import { httpMethods } from "../../../language/commands/http.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { changeToString } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";

const methodCase = defineRule<{ method: string }>({
  id: "style/method-case",
  severity: "hint",
  summary: "An HTTP method isn't in capital letters",
  why: "The platform accepts any case, but HTTP writes methods in capitals, and readers expect it.",
  guards: ["http.method", "command.!http", "D17"],
  message: ({ method }) => `Write HTTP methods in capital letters: \`${method.toUpperCase()}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/method",
      bad: '«"delete"»',
      good: '"DELETE"',
      fixed: '"DELETE"',
    },
  ],
  fixes: ({ at, args }, { document }) => {
    const method = args.method.toUpperCase();
    return [changeToString(document, at, method, true)];
  },
});

const methods: ReadonlySet<string> = new Set(httpMethods);

const module: RuleModule = {
  rules: [methodCase],
  checks: {
    command: {
      "!http"({ argument }, report) {
        const method = textOf(argument, "method");
        if (method === undefined || argument?.kind !== "object") return;
        if (method !== method.toUpperCase() && methods.has(method.toUpperCase()))
          report(methodCase, argument.get("method")!, { method });
      },
    },
  },
};
export default module;
