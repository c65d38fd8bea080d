import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { dialectOf } from "../../../options/settings.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { requestSites, type UrlSite } from "./url-sites.ts";

const platformHost = defineRule<{ target: string; value: string }>({
  id: "http/platform-host",
  severity: "error",
  summary: "A request to the platform's own API that names a host",
  why: "With the platform as `target`, a request goes to the platform's own API with the platform's credentials. Only a path is accepted, because another host would get these credentials.",
  guards: ["http.target", "http.url", "http.path", "D17", "D44"],
  message: ({ target, value }) =>
    `With \`"target": "${target}"\` the URL must be a \`path\` of the platform's own API. It is \`${value}\`.`,
  help: () =>
    'Write the part after the host as `path`. For a request to another service, remove `target` or write `"target": "external"`.',
  examples: [
    {
      title: "D44",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http",
      bad: '{"method": "POST", "url": «"https://platform.example.com/contacts"», "target": "platform", "body": "${piped_content.0}"}',
      good: '{"method": "POST", "path": "/contacts", "target": "platform", "body": "${piped_content.0}"}',
    },
    {
      title: "D44: the dialect calls the platform otherwise",
      in: "outbound",
      settings: { dialect: { target: "acme" } },
      at: "/workflows/0/data_pipeline/target/!http",
      bad: '{"method": "POST", "url": «"https://platform.example.com/contacts"», "target": "acme", "body": "${piped_content.0}"}',
      good: '{"method": "POST", "path": "/contacts", "target": "acme", "body": "${piped_content.0}"}',
    },
  ],
});

/** Whether the platform is asked by an address with a host. */
export function isPlatformHost({ command, node, kind }: UrlSite, { settings }: Model): boolean {
  if (command === undefined || (kind !== "url" && kind !== "path")) return false;
  if (textOf(command.argument, "target") !== dialectOf(settings).target) return false;
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(node.value);
}

const module: RuleModule = {
  rules: [platformHost],
  checks: {
    part(part, report, model) {
      const { target } = dialectOf(model.settings);
      // Most requests ask the service.
      if (
        !part.commands.some(({ key, argument }) => key === "!http" && textOf(argument, "target") === target)
      )
        return;
      for (const site of requestSites(part)) {
        if (isPlatformHost(site, model))
          report(platformHost, site.node, { target, value: excerpt(site.node.value) });
      }
    },
  },
};
export default module;
