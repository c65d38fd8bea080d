import { printType, type Type, types } from "@configc/jq";
import { nearest } from "@configc/jq/internal";
import type { Expansion } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule, type Finding, type Fix, type FixContext } from "../../../findings/rule.ts";
import { memberOrItem, valueOfRoot } from "../../../flow/expansion-type.ts";
import { flowOf } from "../../../flow/flow.ts";
import type { StringPart } from "../../../parse/document.ts";
import { isSegment } from "../../../parse/template.ts";
import { derivedByPart } from "../../by-part.ts";
import { changeTo } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames, didYouMean, excerpt } from "../../message-text.ts";

type MissingArgs = {
  readonly name: string;
  /** What it is read of: `piped_content.1`. */
  readonly of: string;
  readonly found: string;
  readonly members: readonly string[];
  readonly suggestion: string | undefined;
};

const stepMember = defineRule<MissingArgs>({
  id: "reference/unknown-step-member",
  severity: "error",
  summary: "The expansion reads a member that the value doesn't have",
  why: "The value comes from an earlier step, a `!save`, the state or the mapping, without this member. Reading it fails at run time, for every customer.",
  guards: ["expansion.piped_content", "expansion.data", "expansion.polling_state", "D9", "D11", "D37"],
  message: ({ name, of, found, suggestion }) =>
    `\`${of}\` has no \`${name}\`. It is \`${found}\`.${didYouMean(suggestion)}`,
  help: ({ members }) => (members.length === 0 ? undefined : `It has ${allNames(members)}.`),
  fixes: (finding, context) => changeFix(finding, context),
  examples: [
    {
      title: "of an earlier step",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{title: .name}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"title": "${piped_content.1.«titel»}"}}}]}',
      good: '{"!pipe": [{"!jq": "{title: .name}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"title": "${piped_content.1.title}"}}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{title: .name}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"title": "${piped_content.1.title}"}}}]}',
    },
    {
      title: "D37: of what the mapping gives",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target/!http/body",
      bad: '{"address": "${piped_content.0.«emial»}"}',
      good: '{"address": "${piped_content.0.email}"}',
      fixed: '{"address": "${piped_content.0.email}"}',
    },
    {
      title: "below a text",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{day: (now | todate)}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"title": "${piped_content.1.day.«year»}"}}}]}',
      good: '{"!pipe": [{"!jq": "{day: (now | todate)}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"title": "${piped_content.1.day}"}}}]}',
    },
  ],
});

const alwaysDefault = defineRule<MissingArgs>({
  id: "expansion/always-default",
  severity: "warning",
  summary: "`| default` always applies, because the value is never there",
  why: "An earlier step makes the value without this member, so every customer gets the default.",
  guards: ["expansion.default", "D7", "D9"],
  message: ({ name, of, found, suggestion }) =>
    `This always gives the default. \`${of}\` has no \`${name}\`: it is \`${found}\`.${didYouMean(suggestion)}`,
  because: ({ name, of }) => [`\`${of}\` has no \`${name}\``, "each record gets the default"],
  help: ({ members }) => (members.length === 0 ? undefined : `It has ${allNames(members)}.`),
  fixes: (finding, context) => changeFix(finding, context),
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!jq": "{title: .name}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"title": "${piped_content.1.«titel» | default:none}"}}}]}',
      good: '{"!pipe": [{"!jq": "{title: .name}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"title": "${piped_content.1.title | default:none}"}}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{title: .name}"}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}", "body": {"title": "${piped_content.1.title | default:none}"}}}]}',
    },
  ],
});

/** Of the others, names and members have rules of their own. */
const roots: ReadonlySet<Expansion["root"]> = new Set(["piped_content", "data", "polling_state"]);

const module: RuleModule = {
  rules: [stepMember, alwaysDefault],
  checks: {
    document(model, report) {
      // One misspelled name of one value is one mistake, however often it is read.
      const found = new Map<string, { rule: typeof stepMember; first: Missing; others: Missing[] }>();
      for (const missing of missingMembers(model)) {
        const rule = missing.hasDefault ? alwaysDefault : stepMember;
        const { name, of, found: type } = missing.args;
        const key = JSON.stringify([rule.id, name, of, type]);
        const known = found.get(key);
        if (known === undefined) found.set(key, { rule, first: missing, others: [] });
        else known.others.push(missing);
      }
      for (const { rule, first, others } of found.values()) {
        const related = others.map(({ at }) => ({ message: "also read here", at }));
        report(rule, first.at, first.args, related);
      }
    },
  },
};
export default module;

interface Missing {
  readonly at: StringPart;
  readonly args: MissingArgs;
  readonly hasDefault: boolean;
}

const missingMembers = derivedByPart(({ expansions }, model) =>
  expansions.flatMap((expansion) => missingMember(expansion, model) ?? []),
);

function missingMember(expansion: Expansion, model: Model): Missing | undefined {
  const { root, rootExact, syntax, node } = expansion;
  if (!rootExact || !roots.has(root) || syntax.problem !== undefined || syntax.path.length < 3)
    return undefined;
  const { type, path } = valueOfRoot(expansion, flowOf(model));
  const offset = syntax.path.length - path.length;
  let at = type;
  for (const [index, name] of path.entries()) {
    const parts = types.partsOf(at);
    const next = types.union(...parts.map((part) => memberOrItem(part, name)));
    if (next.kind === "never" && parts.length > 0) {
      // The first name below `polling_state` has a rule of its own.
      if (root === "polling_state" && index === 0) return undefined;
      const segment = syntax.path[offset + index]!;
      const members = [...new Set(parts.flatMap(memberNames))];
      const args = {
        name,
        of: syntax.path
          .slice(0, offset + index)
          .map(({ text }) => text)
          .join("."),
        found: excerpt(printType(types.widenLiterals(at), { depth: 2, members: 6 }), 120),
        members,
        suggestion: nearest(name, members),
      };
      const hasDefault = syntax.filters.length > 0;
      return { at: { node, from: segment.start, to: segment.end }, args, hasDefault };
    }
    at = next;
  }
  return undefined;
}

function memberNames(part: Type): string[] {
  return part.kind === "object" ? [...part.members.keys()].filter(isSegment) : [];
}

function changeFix({ at, args }: Finding<MissingArgs>, { document }: FixContext): Fix[] {
  const { suggestion } = args;
  if (suggestion === undefined) return [];
  return [changeTo(document, at, suggestion, true)];
}
