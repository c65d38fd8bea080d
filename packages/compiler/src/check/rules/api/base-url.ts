import { defineRule } from "../../../findings/rule.ts";
import { readUrl } from "../../../parse/url.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceValue } from "../../edits.ts";
import { valueAt } from "../http/at.ts";
import { baseSite, beginsWithExpansion, isOutOfScope, printable } from "../http/url-sites.ts";

const problems = {
  relative: "must begin with `https://` and a host",
  query: "can't have a query, because each `path` is appended to it",
  fragment: "can't have a `#`, because nothing after it is sent",
} as const;

const baseUrl = defineRule<{ problem: keyof typeof problems; value: string }>({
  id: "api/base-url",
  severity: "error",
  summary: "`base_url` can't be joined with a path",
  why: "Every `path` is joined to `api.base_url` with one slash, so it must be an absolute URL that ends with its path. A trailing slash is fine. Anything else breaks every request of the app.",
  guards: ["api.base_url", "D17", "D18"],
  message: ({ problem, value }) => `\`base_url\` ${problems[problem]}. It is \`${value}\`.`,
  help: ({ problem }) =>
    problem === "query"
      ? "Put parameters that every request needs into the `params` of each `!http`."
      : undefined,
  examples: [
    {
      title: "no scheme",
      in: "outbound",
      at: "/api/base_url",
      bad: '«"api.example.com/v1"»',
      good: '"https://api.example.com/v1/"',
      fixed: '"https://api.example.com/v1"',
    },
    {
      title: "a query",
      in: "outbound",
      at: "/api/base_url",
      bad: '"https://api.example.com/v1«?version=2»"',
      good: '"https://api.example.com/v1"',
      fixed: '"https://api.example.com/v1?version=2"',
    },
    {
      title: "a fragment",
      in: "outbound",
      at: "/api/base_url",
      bad: '"https://api.example.com/v1«#»"',
      good: '"https://api.example.com/v1"',
      fixed: '"https://api.example.com/v1#"',
    },
  ],
  fixes: ({ at, args: { problem } }, { document }) => {
    const node = valueAt(document, at);
    if (problem !== "relative" || node?.kind !== "string" || !/^[^/?#\s@$]+\.[a-z]{2,}/i.test(node.value))
      return [];
    const edits = [replaceValue(node, `https://${node.value}`)];
    return [{ title: "Add `https://`", safe: false, edits }];
  },
});

const module: RuleModule = {
  rules: [baseUrl],
  checks: {
    document(model, report) {
      const [site] = baseSite(model);
      if (site === undefined) return;
      const { node, masked } = site;
      const url = readUrl(masked);
      if (url === undefined || beginsWithExpansion(site)) {
        // `https:/…` is malformed rather than relative.
        if (!isOutOfScope(site) && !/^ht+ps?:/i.test(masked.trim()))
          report(baseUrl, node, { problem: "relative", value: printable(node.value) });
        return;
      }
      const part = url.query ?? url.fragment;
      if (part === undefined) return;
      const problem = url.query === undefined ? "fragment" : "query";
      const from = part.start - 1;
      report(baseUrl, { node, from, to: node.value.length }, { problem, value: printable(node.value) });
    },
  },
};
export default module;
