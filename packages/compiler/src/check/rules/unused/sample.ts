import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import type { Location } from "../../../parse/document.ts";
import type { ObjectNode } from "../../../parse/syntax-tree.ts";
import { requestsOf, requestsOfSample } from "../../../samples/requests.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const sample = defineRule<{ readonly kind: "response" | "payload"; readonly samples: readonly string[] }>({
  id: "unused/sample",
  severity: "info",
  summary: "A sample belongs to a request or webhook that the config doesn't have",
  why: "configc learns types from samples of the config's requests and webhooks, but not from this one. It is left over from an older version, or its path or webhook name differs from the config.",
  guards: ["command.!http", "webhook.name"],
  message: ({ kind, samples }) => {
    const what =
      kind === "response" ? "a request that no `!http` makes" : "a webhook that isn't in `data_intake`";
    const [first = ""] = samples;
    const others = samples.length === 1 ? "" : `, and ${samples.length - 1} more like it`;
    return `The sample ${first} is of ${what}${others}, so it isn't used.`;
  },
  help: ({ samples }) =>
    samples.length === 1
      ? "Remove it, or correct its request or webhook."
      : `Remove them, or correct their requests or webhooks: ${samples.slice(0, 8).join(", ")}.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/api/base_url",
      bad: '«"https://api.example.com/v2"»',
      good: '"https://api.example.com/v1"',
      samples: {
        responses: [{ name: "get-me.json", method: "GET", url: "/v1/me", status: 200, body: { id: 0 } }],
        own: ["get-me.json"],
      },
    },
  ],
});

const module: RuleModule = {
  rules: [sample],
  checks: {
    document(model, report) {
      const { document } = model;
      const { root } = document;
      // What can't be read may be what a sample is of.
      if (root?.kind !== "object" || document.problems.length > 0) return;
      const responses = unaskedFor(model);
      if (responses.length > 0)
        report(sample, baseUrl(model) ?? place(root, "api"), { kind: "response", samples: responses });
      const payloads = unsent(model);
      if (payloads.length > 0)
        report(sample, place(root, "data_intake"), { kind: "payload", samples: payloads });
    },
  },
};
export default module;

/** Samples that other configs may share aren't meant for each of them. */
function unaskedFor(model: Model): string[] {
  const { responses, own } = model.samples;
  if (own.length === 0) return [];
  // A request whose address is computed may be any.
  const requests = model.commands.filter(({ key }) => key === "!http");
  if (requestsOf(model).length < requests.length) return [];
  return responses
    .filter((each) => own.includes(each.name) && requestsOfSample(each, model).length === 0)
    .map(({ name, method, url }) => `\`${name}\` (${method} ${excerpt(url)})`);
}

function unsent(model: Model): string[] {
  const { payloads, own } = model.samples;
  return payloads
    .filter(
      ({ name, webhook }) =>
        own.includes(name) && !model.intakes.some((intake) => isWebhook(intake, webhook)),
    )
    .map(({ name, webhook }) => `\`${name}\` (\`${excerpt(webhook)}\`)`);
}

function isWebhook({ type, name }: Model["intakes"][number], webhook: string): boolean {
  return name === webhook && type !== "polling";
}

function baseUrl({ api }: Model): Location | undefined {
  return api?.node.get("base_url");
}

/** The key of a part of the document, or the document where it has none. */
function place(root: ObjectNode, part: string): Location {
  return root.member(part)?.key ?? root;
}
