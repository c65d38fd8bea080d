import type { Expression } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { savedKeys } from "../../../flow/flow.ts";
import { stateCommands } from "../../../flow/polling-state.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { type DefinitionSite, definitionInStep, memberMade } from "../../../flow/protocol/definition-site.ts";
import { waysOf } from "../../../flow/protocol/forms.ts";
import { writesIn } from "../../../flow/protocol/state-writes.ts";
import type { RuleModule } from "../../checks.ts";
import { renameMember } from "../../edits.ts";
import { memberOf, valueAt } from "./at.ts";
import { beginsWithExpansion, type UrlSite, urlSitesWhere } from "./url-sites.ts";

const urlAsPath = defineRule<{ value: string; isShared: boolean }>({
  id: "http/url-as-path",
  severity: "warning",
  summary: "`path` gets a value that is a whole URL",
  why: "A `path` is appended to `api.base_url`. With a whole URL the request goes to `https://api.example.com/https://…`, which the API doesn't have: the step fails for every customer.",
  guards: ["command.!http", "http.path", "http.url", "D17", "D18"],
  message: ({ value, isShared }) =>
    `\`path\` is appended to \`api.base_url\`, but \`${value}\` is a whole URL${isShared ? ": another request has it as its `url`" : ""}.`,
  because: ({ value, isShared }) => [
    isShared ? `another request has \`${value}\` as its \`url\`` : `\`${value}\` begins with \`https://\``,
    "here the request goes to `api.base_url`, followed by that URL",
  ],
  help: () => "Use `url` instead.",
  examples: [
    {
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/0",
      with: {
        "/data_intake/0/initial_setup":
          '{"!jq": "{polling_state: {next_url: \\"https://api.example.com/v1/customers?limit=50\\"}}"}',
        "/data_intake/0/request/!pipe/1/!jq":
          '"{results: .items, iterate: .has_more, polling_state: {next_url: (.next_url // \\"https://api.example.com/v1/customers?limit=50\\")}}"',
        "/data_intake/0/pre_poll": undefined,
        "/data_intake/0/post_poll": undefined,
      },
      bad: '{"!http": {"method": "GET", "path": «"${polling_state.next_url}"»}}',
      good: '{"!http": {"method": "GET", "url": "${polling_state.next_url}"}}',
      fixed: '{"!http": {"method": "GET", "url": "${polling_state.next_url}"}}',
    },
  ],
  fixes: ({ at }, { document }) => {
    const member = memberOf(valueAt(document, at));
    if (member === undefined || member.parent.member("url") !== undefined) return [];
    return [{ title: "Rename to `url`", safe: false, edits: [renameMember(member, "url")] }];
  },
});

const pathAsUrl = defineRule<{ value: string }>({
  id: "http/path-as-url",
  severity: "warning",
  summary: "`url` gets a value that begins with a slash",
  why: "Nothing is added to the `url` of `!http`. Without a scheme and a host the request has nowhere to go, and the step fails for every customer.",
  guards: ["command.!http", "http.url", "D17"],
  message: ({ value }) => `\`url\` needs a scheme and a host, but \`${value}\` begins with a slash.`,
  because: ({ value }) => [`\`${value}\` begins with \`/\``, "no host is known for it"],
  help: () => "Use `path` instead, or begin the value with the API's address.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{address: \\"/people/\\\\(.email | @uri)\\"}"}, {"!http": {"method": "PUT", "url": «"${piped_content.1.address}"», "body": "${piped_content.0}"}}]}',
      good: '{"!pipe": [{"!jq": "{address: \\"/people/\\\\(.email | @uri)\\"}"}, {"!http": {"method": "PUT", "path": "${piped_content.1.address}", "body": "${piped_content.0}"}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{address: \\"/people/\\\\(.email | @uri)\\"}"}, {"!http": {"method": "PUT", "path": "${piped_content.1.address}", "body": "${piped_content.0}"}}]}',
    },
  ],
  fixes: ({ at }, { document }) => {
    const member = memberOf(valueAt(document, at));
    if (member === undefined || member.parent.member("path") !== undefined) return [];
    return [{ title: "Rename to `path`", safe: false, edits: [renameMember(member, "path")] }];
  },
});

const module: RuleModule = {
  rules: [urlAsPath, pathAsUrl],
  checks: {
    reach: "document",
    document(model, report) {
      const sites = values(model);
      for (const site of sites) {
        const expansion = expansionOf(site, model);
        if (expansion === undefined) continue;
        const value = expansion.syntax.path.map(({ text }) => text).join(".");
        const made = valuesOf(expansion, model);
        const starts = made.map(({ node, program }) => startOf(node, program));
        if (site.kind === "path") {
          const isUrl =
            value === "webhook.url" ||
            starts.some((text) => /^https?:\/\//i.test(text)) ||
            made.some((site) => isSaidToBeWhole(site, model));
          const isShared =
            !isUrl &&
            !starts.some((text) => text.startsWith("/")) &&
            /url|uri|href|link/i.test(value) &&
            sites.some((other) => other.kind === "url" && isSame(site, other) && nameOf(other) === value);
          if (isUrl || isShared) report(urlAsPath, site.node, { value, isShared });
          // Of the state's first and next address `polling/no-address` tells.
        } else if (
          expansion.root !== "polling_state" &&
          starts.length > 0 &&
          starts.some((text) => /^\/(?!\/)/.test(text))
        )
          report(pathAsUrl, site.node, { value });
      }
    },
  },
};
export default module;

/** Whether a URL is a value, or begins with one. */
const isValue = (site: UrlSite): boolean =>
  beginsWithExpansion(site) || (site.kind === "path" && /^\/[$][{<]/.test(site.node.value));

const values = urlSitesWhere((site) => (site.kind === "path" || site.kind === "url") && isValue(site));

const nameOf = ({ template }: UrlSite): string =>
  template?.expansions[0]?.path.map(({ text }) => text).join(".") ?? "";

/** Whether a name means the same in two requests: what steps gave is another thing in each pipe. */
const isSame = (one: UrlSite, other: UrlSite): boolean =>
  nameOf(one).startsWith("data.") ||
  (nameOf(one).startsWith("piped_content.")
    ? one.command?.pipe === other.command?.pipe
    : one.command?.unit === other.command?.unit);

function expansionOf({ command, node }: UrlSite, model: Model): Expansion | undefined {
  const unit = command?.unit;
  const part = unit?.kind === "intake" || unit?.kind === "workflow" ? partOfUnit(unit, model) : undefined;
  return part?.expansions.find((each) => each.node === node && each.syntax.start <= 1);
}

/** Whether a comment says of a member that it is a whole URL: `links.next is an absolute URL`. */
function isSaidToBeWhole({ node, program }: DefinitionSite, model: Model): boolean {
  const { root } = model.document;
  if (root === undefined || !hasComments(model)) return false;
  const [, member] = /^\.(\w+(?:\.\w+)*)$/.exec(program.node.value.slice(node.start, node.end).trim()) ?? [];
  if (member === undefined || member.length < 4) return false;
  const said = new RegExp(
    `(?<![\\w.])${escapedPattern(member)}\\b[^.;]{0,40}\\b(?:absolute|full|whole|complete) (?:URL|address)`,
    "i",
  );
  return commentsBelow(root).some(({ value }) => said.test(value));
}

/** What a value is made as, as far as it's written in programs. */
function valuesOf(expansion: Expansion, model: Model): readonly DefinitionSite[] {
  const { root, rootExact, syntax, command } = expansion;
  const names = syntax.path.map(({ text }) => text);
  if (!rootExact || syntax.problem !== undefined || syntax.filters.length > 0) return [];
  if (root === "piped_content") {
    const site = definitionInStep(expansion);
    return site === undefined ? [] : [site];
  }
  const [, first, key] = names;
  if (root === "polling_state" && names.length === 2 && command?.unit?.kind === "intake") {
    const intake = command.unit;
    return stateCommands.flatMap((name) =>
      (writesIn(intake, name, model) ?? []).flatMap(({ keys, program }) => {
        const node = keys.get(first ?? "");
        return node === undefined ? [] : [{ node, program }];
      }),
    );
  }
  if (root !== "data" || names.length !== 3) return [];
  const saves =
    savedKeys(model)
      .get(first as "workflow")
      ?.keys.get(key ?? "") ?? [];
  return saves.flatMap((save) => memberMade(stepBefore(save), key ?? "") ?? []);
}

/** The constant text with which a value begins, on one of its ways. */
function startOf(value: Expression, program: JqProgram): string {
  for (const way of waysOf(value, program)) {
    const text = textAt(way, program);
    if (text !== "") return text;
  }
  return "";
}

function textAt(node: Expression, program: JqProgram): string {
  switch (node.kind) {
    case "Group":
    case "Variable":
    case "If":
    case "Alternative": {
      const [way] = waysOf(node, program);
      return way === undefined || way === node ? "" : textAt(way, program);
    }
    case "String": {
      const constant = constantOf(node);
      if (typeof constant === "string") return constant;
      const [first] = node.parts;
      return first?.kind === "StringText" ? first.value : "";
    }
    case "Arithmetic":
      return node.rest.every(({ operator }) => operator === "+") ? textAt(node.first, program) : "";
    default:
      return "";
  }
}
