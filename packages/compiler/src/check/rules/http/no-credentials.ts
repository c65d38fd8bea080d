import type { Command } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { isRootName } from "../../../language/expansion-names.ts";
import { isSecretHeader } from "../../../language/secrets.ts";
import { spanOf } from "../../../parse/document.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import { type Origin, originOf, sameOrigin } from "../../../parse/url.ts";
import type { RuleModule } from "../../checks.ts";
import { addMember, replaceValue } from "../../edits.ts";
import { hasMember } from "./at.ts";
import { baseOrigin, beginsWithExpansion, type UrlSite, urlSites } from "./url-sites.ts";

const noCredentials = defineRule<{ origin: string | undefined; base: string }>({
  id: "http/no-credentials",
  severity: "warning",
  summary: "A request leaves the origin of `api.base_url`, so it gets no credentials",
  why: 'A URL from data could name any server, so a customer\'s credentials are sent only to the origin of `api.base_url` and to origins that the settings file or the host declares in `origins`. Any other request goes out without them, and most APIs answer it with 401. If it needs no credentials, write `"target": "external"`; otherwise declare the origin.',
  guards: ["command.!http", "http.url", "http.target", "D17", "D18"],
  message: ({ origin, base }) =>
    origin === undefined
      ? `This \`url\` is known only at run time. It gets credentials only if its origin is \`${base}\`.`
      : `This request to \`${origin}\` gets no credentials. They are sent only to \`${base}\`.`,
  because: ({ origin, base }) => [
    `the connection's credentials belong to \`${base}\``,
    `${origin === undefined ? "another origin" : `\`${origin}\``} gets a request without them`,
  ],
  help: ({ origin }) =>
    `If it needs none, write \`"target": "external"\`. Otherwise declare ${origin === undefined ? "its possible origins" : `\`${origin}\``} in \`origins\` of \`configc.config.json\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/0",
      bad: '{"!http": {"url": «"https://accounts.example.com/me"»}}',
      good: '{"!http": {"url": "https://accounts.example.com/me", "target": "external"}}',
      fixed: '{"!http": {"url": "https://accounts.example.com/me", "target": "external"}}',
    },
    {
      title: "another port is another origin",
      in: "inbound-webhook",
      at: "/workflows/0/setup/connect/describe_connection/!pipe/0",
      bad: '{"!http": {"url": «"https://api.example.com:8443/me"», "target": "connection"}}',
      good: '{"!http": {"url": "https://API.example.com:443/v2/me", "target": "connection"}}',
      fixed: '{"!http": {"url": "https://api.example.com:8443/me", "target": "external"}}',
    },
    {
      title: "a URL that begins with an expansion",
      in: "inbound-webhook",
      at: "/data_intake/0/delete",
      with: { "/data_intake/0/create/!pipe/1/!jq": '"{hook_url: .url, hook_id: .id}"' },
      bad: '{"!http": {"method": "DELETE", "url": «"${data.workflow.hook_url}"»}}',
      good: '{"!http": {"method": "DELETE", "url": "https://api.example.com/hooks/${data.workflow.hook_id}"}}',
      fixed: '{"!http": {"method": "DELETE", "url": "${data.workflow.hook_url}", "target": "external"}}',
    },
  ],
  fixes: ({ at }, { document, model }) => {
    const { start } = spanOf(document, at);
    const argument = urlSites(model).find(({ node }) => node.start === start)?.command?.argument;
    if (argument?.kind !== "object") return [];
    const target = argument.get("target");
    const edit =
      target === undefined
        ? addMember(document, argument, "target", "external")
        : replaceValue(target, "external");
    return [{ title: 'Add `"target": "external"`', safe: false, edits: [edit] }];
  },
});

const unknownOrigin = defineRule<{ base: string }>({
  id: "http/unknown-origin",
  severity: "hint",
  summary: "A URL from received data gets credentials only if it leads to the app's own API",
  why: "APIs often send the URL of the next request, which nearly always leads back to them. A customer's credentials are sent only to the origin of `api.base_url` and to those in `origins` of the settings, whatever a payload says.",
  guards: ["command.!http", "http.url", "D18"],
  message: ({ base }) =>
    `This \`url\` comes from received data. It gets credentials only if it leads to \`${base}\`.`,
  help: () =>
    'If it may lead to another origin of the same service, declare that in `origins` of `configc.config.json`. If it needs no credentials, write `"target": "external"`.',
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"method": "POST", "path": "/people", "body": "${piped_content.0}"}}, {"!http": {"url": «"${piped_content.1.api_url}"»}}]}',
      good: '{"!pipe": [{"!http": {"method": "POST", "path": "/people", "body": "${piped_content.0}"}}, {"!http": {"path": "/people/${piped_content.1.id}"}}]}',
    },
  ],
});

/** Whether a URL begins with what an earlier step, or the payload, gave. */
function isReceived({ template }: UrlSite): boolean {
  const root = template?.expansions[0]?.path[0]?.text;
  // What the state keeps was received once, too: the address of the next page.
  return root === "piped_content" || root === "polling_state";
}

const module: RuleModule = {
  rules: [noCredentials, unknownOrigin],
  checks: {
    document(model, report) {
      const sites = urlSites(model).filter(
        ({ kind, command }) => kind === "url" && takesCredentials(command),
      );
      const base = sites.length === 0 ? undefined : baseOrigin(model);
      if (base === undefined) return;
      // One finding for each origin, however many requests go there; "" for one that isn't known yet.
      const foreign = new Map<string, UrlSite[]>();
      const add = (origin: string, site: UrlSite) => {
        const sites = foreign.get(origin);
        if (sites === undefined) foreign.set(origin, [site]);
        else sites.push(site);
      };
      const declared = model.settings.origins.flatMap((text) => originOf(text, undefined) ?? []);
      for (const site of sites) {
        if (beginsWithExpansion(site)) {
          // Declared origins are declared for such URLs: then it is in order. A root that doesn't exist leads nowhere.
          if (declared.length > 0 || !isRootName(site.template?.expansions[0]?.path[0]?.text)) continue;
          if (isReceived(site)) report(unknownOrigin, site.node, { base: base.text });
          else add("", site);
          continue;
        }
        const origin = originOf(site.node.value, site.template);
        if (origin === undefined || [base, ...declared].some((other) => mayBe(origin, other))) continue;
        add(origin.text, site);
      }
      for (const [origin, [first, ...others]] of foreign) {
        const related = others.map(({ node }) => ({ message: "also sent there", at: node }));
        report(noCredentials, first!.node, { origin: origin || undefined, base: base.text }, related);
      }
    },
  },
};
export default module;

/** Whether the connection's credentials are meant to go along: a request with a key of its own doesn't need them. */
function takesCredentials(command: Command | undefined): boolean {
  const argument = command?.argument;
  if (argument?.kind !== "object") return false;
  if (hasMember(argument, "target") && textOf(argument, "target") !== "connection") return false;
  const headers = argument.get("headers");
  return headers?.kind !== "object" || !headers.members.some(({ name }) => isSecretHeader(name));
}

function mayBe(origin: Origin, other: Origin): boolean {
  return sameOrigin(origin, other) !== false;
}
