import { nearest } from "@configc/jq/internal";
import type { Command } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { segmentPart } from "../../../bind/resolve.ts";
import { rootPaths } from "../../../bind/roots-input.ts";
import { defineRule } from "../../../findings/rule.ts";
import { saveScopes } from "../../../language/commands/save.ts";
import { inputRoots, isRootName, ROOT_NAMES, type RootName } from "../../../language/expansion-names.ts";
import type { ExpansionSyntax } from "../../../parse/template.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { didYouMean, oneOfNames } from "../../message-text.ts";
import { renameFix } from "./edits.ts";
import { Repeated } from "./repeated.ts";

type UnknownRoot = {
  name: string;
  /** What can be read at its place. */
  legal: readonly RootName[];
  suggestion: string | undefined;
};

const unknownRoot = defineRule<UnknownRoot>({
  id: "expansion/unknown-root",
  severity: "error",
  summary: "An expansion begins with an unknown name",
  why: "The first name of an expansion, its root, says where the value comes from. There are six roots. With any other name the command fails.",
  guards: ["D6", "D11"],
  message: ({ name, suggestion, legal }) => {
    const accepted =
      legal.length === 1
        ? "Only `subdomain` can be read here."
        : `Here it can begin with ${oneOfNames(legal)}.`;
    return `No expansion begins with \`${name}\`.${suggestion === undefined ? ` ${accepted}` : didYouMean(suggestion)}`;
  },
  help: ({ suggestion }) => (suggestion === undefined ? "To write a literal `${`, use `$${`." : undefined),
  examples: [
    {
      title: "D11: misspelled",
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      bad: '"/hooks/${«dta».workflow.hook_id}"',
      good: '"/hooks/${data.workflow.hook_id}"',
      fixed: '"/hooks/${data.workflow.hook_id}"',
    },
    {
      title: "D11: a form field without its root",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/path",
      bad: '"/lists/${«list»}/subscribers"',
      good: '"/lists/${custom_data.list.value}/subscribers"',
      fixed: '"/lists/${custom_data.list.value}/subscribers"',
    },
    {
      title: "D11: a saved value without its root",
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      bad: '"/hooks/${«workflow».hook_id}"',
      good: '"/hooks/${data.workflow.hook_id}"',
      fixed: '"/hooks/${data.workflow.hook_id}"',
    },
    {
      title: "D6: `${` always opens an expansion",
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      bad: '"/hooks/${«hookId»}"',
      good: '"/hooks/$<hookId>"',
    },
    {
      title: "D11: in a URL of `api`",
      in: "inbound-webhook",
      at: "/api/base_url",
      bad: '"https://${«shop»}.example.com"',
      good: '"https://shop.example.com"',
    },
    {
      title: "D16: in a jq program that reads the roots",
      in: "inbound-webhook",
      at: "/workflows/0/setup/select/describe_selection/display",
      bad: '{"!jq": ".«custom_dta».form.display"}',
      good: '{"!jq": ".custom_data.form.display"}',
      fixed: '{"!jq": ".custom_data.form.display"}',
    },
  ],
  fixes: (finding, { document }) => {
    const { suggestion } = finding.args;
    const safe = isRootName(suggestion);
    return renameFix(finding, document, suggestion).map((fix) => ({ ...fix, safe }));
  },
});

const module: RuleModule = {
  rules: [unknownRoot],
  checks: {
    document(model, report) {
      const unknown = new Repeated<UnknownRoot>();
      for (const { syntax, node, command } of misspelled(model)) {
        const first = syntax.path[0]!;
        const { text: name } = first;
        const inUrl = command === undefined;
        const at = { node, from: first.start, to: first.end };
        unknown.add(`${inUrl} ${name} ${syntax.path.length === 1}`, at, () => ({
          name,
          legal: inUrl ? onlySubdomain : legalRoots(command),
          suggestion: inUrl
            ? nearest(name, onlySubdomain)
            : (nearest(name, ROOT_NAMES) ?? withRoot(model, syntax)),
        }));
      }
      for (const { name, at, suggestion } of misspelledInJq(model))
        unknown.add(`jq ${name}`, at, () => ({ name, legal: inputRoots, suggestion }));
      unknown.report(report, unknownRoot);
    },
  },
};
export default module;

/** Of the URLs of `api` and `auth`. */
const onlySubdomain: readonly RootName[] = ["subdomain"];

function legalRoots({ place: { roots }, pipe }: Command): readonly RootName[] {
  return pipe === undefined || roots.includes("piped_content") ? roots : [...roots, "piped_content"];
}

/** What is meant without its root: a form field by its id, a scope of saved values, or `webhook_url`. */
function withRoot(model: Model, { path: [first, ...below] }: ExpansionSyntax): string | undefined {
  const name = first!.text;
  if ((saveScopes as readonly string[]).includes(name)) return `data.${name}`;
  if (model.workflows.some(({ fields }) => fields.some(({ id }) => id === name)))
    return `custom_data.${name}${below.length === 0 ? ".value" : ""}`;
  return nearest(name, ["webhook.url"]);
}

const misspelled = derivedByPart(({ expansions }) =>
  expansions.filter(
    ({ syntax, rootExact }) => syntax.problem === undefined && !rootExact && syntax.path.length > 0,
  ),
);

const misspelledInJq = derivedByPart(({ programs }) =>
  programs.flatMap((program) => {
    if (program.diagnostics.length > 0) return [];
    return rootPaths(program).flatMap(({ segments: [first], certain }) => {
      if (first === undefined || typeof first.key !== "string" || !certain) return [];
      const name = first.key;
      if ((inputRoots as readonly string[]).includes(name)) return [];
      // The input has the roots and nothing else; only what is nearly one of them is certainly a mistake.
      const suggestion = nearest(name, inputRoots);
      return suggestion === undefined ? [] : { name, at: segmentPart(program, first), suggestion };
    });
  }),
);
