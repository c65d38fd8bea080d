import { nearest } from "@configc/jq/internal";
import type { Command } from "../../../bind/bound-nodes.ts";
import { mayBeIncomplete } from "../../../bind/incomplete-object.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { RuleModule } from "../../checks.ts";
import { addMember } from "../../edits.ts";
import { keyOf } from "../../locate.ts";
import { memberAt } from "../http/at.ts";
import { allIn } from "../workflow/commands.ts";

const deleteByGet = defineRule<Record<string, never>>({
  id: "intake/delete-by-get",
  severity: "warning",
  summary: "`delete` sends no request that deletes",
  why: 'A request without a `method` is a `GET`, which reads the registration and doesn\'t delete it: events keep coming after the last customer has turned the workflow off. If the API really deletes with `GET`, write `"method": "GET"`.',
  guards: ["webhook.delete", "D17", "D32"],
  message: () => "Without a `method` this is a `GET` request, which deletes nothing.",
  because: () => ["the last customer turns the workflow off: `GET`", "the registration is read, and stays"],
  help: () => 'Add `"method": "DELETE"`, or the method with which the API deletes a webhook.',
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/delete",
      bad: '{«"!http"»: {"path": "/hooks/${data.workflow.hook_id}"}}',
      good: '{"!http": {"path": "/hooks/${data.workflow.hook_id}", "method": "DELETE"}}',
      fixed: '{"!http": {"path": "/hooks/${data.workflow.hook_id}", "method": "DELETE"}}',
    },
  ],
  fixes: ({ at }, { document }) => {
    const request = memberAt(document, at)?.value;
    if (request?.kind !== "object") return [];
    const edits = [addMember(document, request, "method", "DELETE")];
    return [{ title: "Send it as `DELETE`", safe: false, edits }];
  },
});

const module: RuleModule = {
  rules: [deleteByGet],
  checks: {
    intake({ type, node, commands }, report, { document }) {
      const remove = commands.get("delete");
      if (type !== "webhook" || remove === undefined || mayBeIncomplete(document, node)) return;
      const requests = allIn(remove)?.filter(({ key }) => key === "!http");
      const last = requests?.at(-1);
      if (last === undefined || requests?.every(isPlainGet) !== true) return;
      report(deleteByGet, keyOf(last.member), {});
    },
  },
};
export default module;

const own = ["method", "body"];

/** Neither a method is named nor a body sent; that a `GET` sends none is a finding of its own. */
function isPlainGet({ argument }: Command): boolean {
  return (
    argument?.kind === "object" &&
    argument.members.every(({ name }) => !own.includes(name) && nearest(name, own) === undefined) &&
    (argument.member("path") ?? argument.member("url")) !== undefined
  );
}
