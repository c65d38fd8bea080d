import { defineRule } from "../../../findings/rule.ts";
import { type ObjectNode, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceValue } from "../../edits.ts";
import { valueAt } from "../http/at.ts";
import { allIn } from "../workflow/commands.ts";

const deleteByPost = defineRule<{ method: string; path: string }>({
  id: "intake/delete-by-post",
  severity: "warning",
  summary: "`delete` sends something else to the registration than `DELETE`",
  why: "What is sent to a registration's own address with `POST`, `PUT` or `PATCH` changes it. Without a body it changes nothing: the registration stays, and events keep coming after the last customer has turned the workflow off.",
  guards: ["webhook.delete", "D17", "D32"],
  message: ({ method, path }) =>
    `\`${method} ${path}\` has no body and deletes nothing: that is what \`DELETE\` does.`,
  because: ({ method }) => [
    `the last customer turns the workflow off: \`${method}\` to the registration`,
    "the registration stays, and events keep coming",
  ],
  help: () => "Send it with `DELETE`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/delete",
      bad: '{"!http": {"path": "/hooks/${data.workflow.hook_id}", "method": «"POST"»}}',
      good: '{"!http": {"path": "/hooks/${data.workflow.hook_id}", "method": "DELETE"}}',
      fixed: '{"!http": {"path": "/hooks/${data.workflow.hook_id}", "method": "DELETE"}}',
    },
  ],
  fixes: ({ at }, { document }) => {
    const value = valueAt(document, at);
    return value === undefined
      ? []
      : [{ title: "Send it with `DELETE`", safe: false, edits: [replaceValue(value, "DELETE")] }];
  },
});

const module: RuleModule = {
  rules: [deleteByPost],
  checks: {
    intake({ type, commands }, report) {
      const remove = commands.get("delete");
      if (type !== "webhook" || remove === undefined) return;
      const requests = allIn(remove)?.filter(({ key }) => key === "!http") ?? [];
      // Of several, another one may be what deletes.
      const [request, ...others] = requests;
      if (request?.argument?.kind !== "object" || others.length > 0) return;
      const { argument } = request;
      const method = textOf(argument, "method")?.toUpperCase();
      const path = textOf(argument, "path") ?? textOf(argument, "url");
      if (method !== "POST" && method !== "PUT" && method !== "PATCH") return;
      if (path === undefined || !isRegistration(path) || saysMore(argument)) return;
      report(deleteByPost, argument.get("method")!, { method, path });
    },
  },
};
export default module;

/** `/hooks/${data.workflow.hook_id}`: what is saved stands at the end, after the name of a collection. */
const isRegistration = (path: string): boolean => /[a-z\d]\/\$[{<]\s*data\.[^}>]*[}>]\/?$/i.test(path);

/** A method may be said otherwise, too: by a header or a parameter. */
const saysMore = (argument: ObjectNode): boolean =>
  ["body", "params", "headers"].some((name) => argument.get(name) !== undefined);
