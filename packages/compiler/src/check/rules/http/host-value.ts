import type { BoundTemplate, Expansion } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { maskValues, readUrl } from "../../../parse/url.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";

const reasons = {
  whole: () => "this may be a whole host such as `api.example.com`",
  url: () => "`webhook.url` is a whole URL",
  default: (text: string) =>
    text === "" ? "its `default` gives an empty string" : `its \`default\` gives \`${excerpt(text)}\``,
} as const;

const hostValue = defineRule<{ expansion: string; reason: keyof typeof reasons; text: string }>({
  id: "http/host-value",
  severity: "warning",
  summary: "An expansion in a host must give one label",
  why: "In a host, a value must be one label: up to 63 letters, digits and dashes, without a dot. Any other value is refused at run time, so that no data can send a customer's request and credentials to another server.",
  guards: ["http.url", "api.base_url", "expansion.default", "expansion.subdomain", "D18"],
  message: ({ expansion, reason, text }) =>
    `\`${expansion}\` must give one label of the host (letters, digits, dashes), but ${reasons[reason](text)}.`,
  help: ({ reason }) =>
    reason === "whole"
      ? "Write the fixed part of the host: `https://${…}.example.com`. If the whole server comes from data, begin `url` with an expansion that gives the whole URL."
      : undefined,
  examples: [
    {
      title: "a whole host",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http",
      bad: '{"url": "https://«${custom_data.list.value}»/subscribers", "target": "external"}',
      good: '{"url": "https://${custom_data.list.value}.example.com/subscribers", "target": "external"}',
    },
    {
      title: "an optional field",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http",
      bad: '{"url": "https://«${custom_data.note.value | default}».example.com/subscribers", "target": "external"}',
      good: '{"url": "https://${custom_data.note.value | default:eu}.example.com/subscribers", "target": "external"}',
    },
    {
      title: "the webhook's URL",
      in: "inbound-webhook",
      at: "/data_intake/0/update/!http",
      bad: '{"method": "PUT", "url": "https://hooks.«${webhook.url}».example.com", "target": "external"}',
      good: '{"method": "PUT", "url": "https://hooks.example.com", "target": "external"}',
    },
  ],
});

const module: RuleModule = {
  rules: [hostValue],
  checks: {
    template({ node, template, position, expansions }: BoundTemplate, report) {
      if (position !== "url" && position !== "baseUrl" && position !== "path") return;
      if (!node.value.includes("://")) return;
      const [first] = expansions;
      if (first?.syntax.start === 0 || expansions.some(({ syntax }) => syntax.problem !== undefined)) return;
      const host = readUrl(maskValues(node.value, template))?.host;
      if (host === undefined) return;
      for (const expansion of expansions) {
        const { start, end } = expansion.syntax;
        if (start < host.start || end > host.end) continue;
        const whole = start === host.start && end === host.end;
        const found = reasonFor(expansion, whole);
        if (found === undefined) continue;
        const written = node.value.slice(start, end);
        report(hostValue, { node, from: start, to: end }, { expansion: excerpt(written), ...found });
      }
    },
  },
};
export default module;

function reasonFor(
  { root, rootExact, syntax, fields }: Expansion,
  whole: boolean,
): { reason: keyof typeof reasons; text: string } | undefined {
  if (!rootExact) return undefined;
  if (root === "webhook") return { reason: "url", text: "" };
  if (whole) return { reason: "whole", text: "" };
  const filter = syntax.filters.find(({ name }) => name === "default");
  // On a required field the filter never takes effect, which is reported as such (D13).
  if (filter === undefined || (root === "custom_data" && fields.every(({ required }) => required)))
    return undefined;
  const text = filter.argument?.text ?? "";
  return /^[A-Za-z0-9-]{1,63}$/.test(text) ? undefined : { reason: "default", text };
}
