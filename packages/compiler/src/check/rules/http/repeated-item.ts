import { defineRule } from "../../../findings/rule.ts";
import type { ArrayNode, JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const repeatedItem = defineRule<{ text: string; name: string }>({
  id: "http/repeated-item",
  severity: "warning",
  summary: "A list in a request has the same text twice",
  why: "Lists of events, scopes or fields name each once. Where one stands twice, another was most likely meant. The request succeeds, and the missing event or field never comes.",
  guards: ["command.!http", "D17"],
  message: ({ text, name }) => `\`${name}\` has \`${text}\` twice, so another one may be missing.`,
  because: ({ text }) => [`\`${text}\` is asked for twice`, "what should stand here isn't asked for"],
  help: () => "Name the one that is missing, or remove this one.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/create/!pipe/0/!http/body",
      bad: '{"url": "${webhook.url}", "events": ["submission.created", «"submission.created"»]}',
      good: '{"url": "${webhook.url}", "events": ["submission.created", "submission.deleted"]}',
    },
  ],
});

const module: RuleModule = {
  rules: [repeatedItem],
  checks: {
    command: {
      "!http"({ argument }, report) {
        const body = argument?.kind === "object" ? argument.get("body") : undefined;
        for (const { list, name } of body === undefined ? [] : listsIn(body, "body"))
          for (const [index, item] of list.items.entries()) {
            if (item?.kind !== "string") continue;
            const before = list.items.slice(0, index);
            if (before.some((each) => each?.kind === "string" && each.value === item.value))
              report(repeatedItem, item, { text: item.value, name });
          }
      },
    },
  },
};
export default module;

/** Lists of names below a node. */
function listsIn(
  node: JsonNode,
  name: string,
): readonly { readonly list: ArrayNode; readonly name: string }[] {
  if (node.kind === "object")
    return node.members.flatMap(({ name: below, value }) =>
      value === undefined ? [] : listsIn(value, below),
    );
  if (node.kind !== "array") return [];
  const isOfNames = node.items.length > 1 && node.items.every((item) => isName(item));
  return isOfNames && (ofNames.test(name) || node.items.every(isDotted)) ? [{ list: node, name }] : [];
}

/** `events`, `scopes`: what is named once each. Days of a week, cells and directions may be alike. */
const ofNames =
  /events?|topics?|triggers?|scopes?|fields?|subscri|columns|include|expand|select|properties|attributes|tags|labels|roles|permissions|lists?|groups|categories|channels|names|keys|ids|members|resources|objects/i;
const isDotted = (item: JsonNode | undefined): boolean =>
  item?.kind === "string" && /\w[.:/_]\w/.test(item.value);

/** The cells of a row may be alike, empty ones above all; what is named once is written as `submission.created`. */
const isName = (item: JsonNode | undefined): boolean =>
  item?.kind === "string" && /^[A-Za-z][\w.:*/-]*$/.test(item.value);
