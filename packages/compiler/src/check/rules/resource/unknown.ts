import { nearest } from "@configc/jq/internal";
import { resourcesOf } from "../../../bind/resource.ts";
import { defineRule } from "../../../findings/rule.ts";
import { resourceSpecs } from "../../../language/index.ts";
import { resourceSettings, type Settings } from "../../../options/settings.ts";
import type { StringPart } from "../../../parse/document.ts";
import { changeInString } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { allNames, didYouMean, excerpt } from "../../message-text.ts";
import { type ResourceUse, resourceUses } from "./references.ts";

const unknownResource = defineRule<{
  name: string;
  known: readonly string[];
  suggestion: string | undefined;
  /** What stands instead of the prefix, where the name is that of a standard resource under another brand. */
  brand: string | undefined;
}>({
  id: "resource/unknown-resource",
  severity: "error",
  summary: "The platform has no such resource",
  why: "`!resource` reads and writes the platform's own data, under names that each platform chooses. With an unknown name nothing is read or written for any customer. The settings file says what your platform calls its resources, and which others it has.",
  guards: ["command.!resource", "D25", "map.describe_source", "map.describe_target"],
  message: ({ name, known, suggestion }) =>
    `There is no resource \`${excerpt(name)}\`.${didYouMean(suggestion)} Known resources: ${allNames(known)}.`,
  help: ({ brand }) =>
    brand === undefined
      ? "If your platform has this resource, declare it in `resources.add` of the settings."
      : `If your platform's resources begin with \`${brand}\`, say so in the settings: \`"resources": {"prefix": ${JSON.stringify(brand)}}\`.`,
  examples: [
    {
      title: "D25: misspelled, twice",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline",
      bad: '{"source": {"!pipe": [{"!resource": "«PlatformContcat».fields"}, {"!jq": "{email: ${piped_content.0.email}, field: (.[0].id | ascii_downcase)}"}]}, "target": {"!resource": "PlatformContcat"}}',
      good: '{"source": {"!pipe": [{"!resource": "PlatformContact.fields"}, {"!jq": "{email: ${piped_content.0.email}, field: (.[0].id | ascii_downcase)}"}]}, "target": {"!resource": "PlatformContact"}}',
      fixed:
        '{"source": {"!pipe": [{"!resource": "PlatformContact.fields"}, {"!jq": "{email: ${piped_content.0.email}, field: (.[0].id | ascii_downcase)}"}]}, "target": {"!resource": "PlatformContact"}}',
    },
    {
      title: "D25: without its dot",
      in: "inbound-webhook",
      at: "/workflows/0/setup/map/describe_target/options",
      bad: '{"!resource": "«PlatformContactFields»"}',
      good: '{"!resource": "PlatformContact.fields"}',
      fixed: '{"!resource": "PlatformContact.fields"}',
    },
    {
      title: "D25: under another brand",
      in: "inbound-webhook",
      at: "/workflows/0/setup/map/describe_target/options",
      bad: '{"!resource": "«AcmeContact».fields"}',
      good: '{"!resource": "PlatformContact.fields"}',
      fixed: '{"!resource": "PlatformContact.fields"}',
    },
    {
      title: "D25: something else",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!resource": "«Subscribers»"}',
      good: '{"!resource": "PlatformContact"}',
      fixed: '{"!resource": "Subscribers"}',
    },
  ],
  fixes: ({ at, args, related }, { document }) => {
    const { suggestion, brand } = args;
    if (suggestion === undefined) return [];
    const edits = [at, ...related.map((other) => other.at)].map((place) => {
      const { node, from, to } = place as StringPart;
      return replaceInString(document, node, from, to, suggestion);
    });
    return [{ title: `Change to \`${suggestion}\``, safe: brand === undefined, edits }];
  },
});

const unknownPart = defineRule<{
  resource: string;
  part: string;
  known: readonly string[];
  suggestion: string | undefined;
}>({
  id: "resource/unknown-part",
  severity: "error",
  summary: "The resource has no such part",
  why: "A resource has two parts: `.fields` lists its fields as map options, and `.sync` is the action of an `{action, data}`. The platform refuses any other part.",
  guards: ["command.!resource", "D25"],
  message: ({ resource, part, known, suggestion }) => {
    const found =
      part === ""
        ? `Nothing follows the dot of \`${resource}\`.`
        : `\`${resource}\` has no \`${excerpt(part)}\`.`;
    return `${found}${didYouMean(suggestion)} It has ${allNames(known)}.`;
  },
  examples: [
    {
      title: "D25",
      in: "inbound-webhook",
      at: "/workflows/0/setup/map/describe_target/options",
      bad: '{"!resource": "PlatformContact.«field»"}',
      good: '{"!resource": "PlatformContact.fields"}',
      fixed: '{"!resource": "PlatformContact.fields"}',
    },
    {
      title: "D25: a field",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!resource": "PlatformContact.«email»"}',
      good: '{"!resource": "PlatformContact"}',
      fixed: '{"!resource": "PlatformContact.email"}',
    },
  ],
  fixes: ({ at, args: { suggestion } }, { document }) => {
    if (suggestion === undefined) return [];
    return [changeInString(document, at as StringPart, suggestion, true)];
  },
});

const module: RuleModule = {
  rules: [unknownResource, unknownPart],
  checks: {
    document(model, report) {
      const unknown = new Map<string, ResourceUse[]>();
      for (const use of resourceUses(model)) {
        const { name, part, partAt, target, exact } = use;
        if (!exact) {
          const same = unknown.get(name);
          if (same === undefined) unknown.set(name, [use]);
          else same.push(use);
        } else if (part !== undefined && !(target!.parts as readonly string[]).includes(part)) {
          const known = target!.parts;
          report(unknownPart, partAt!, { resource: name, part, known, suggestion: nearest(part, known) });
        }
      }
      for (const [first, ...others] of unknown.values()) {
        const { name, nameAt } = first!;
        const { suggestion, brand } = meant(first!, model.settings);
        report(
          unknownResource,
          nameAt,
          { name, known: [...resourcesOf(model.settings).keys()], suggestion, brand },
          others.map((other) => ({ message: "also used here", at: other.nameAt })),
        );
      }
    },
  },
};
export default module;

/** The resource, with its part, that an unknown name most likely means. */
function meant(
  { name, part, target }: ResourceUse,
  settings: Settings,
): { suggestion: string | undefined; brand: string | undefined } {
  const whole = part === undefined ? nearest(name, withParts(settings)) : undefined;
  const suggestion = whole ?? target?.name;
  if (suggestion !== undefined) return { suggestion, brand: undefined };
  const standard = resourceSpecs.find((spec) => spec.name !== "" && name.endsWith(spec.name));
  if (standard === undefined || name === standard.name) return { suggestion: undefined, brand: undefined };
  const prefix = resourceSettings(settings).prefix;
  return { suggestion: prefix + standard.name, brand: name.slice(0, -standard.name.length) };
}

function withParts(settings: Settings): readonly string[] {
  return [...resourcesOf(settings).values()].flatMap(({ name, parts }) => [
    name,
    ...parts.map((part) => `${name}.${part}`),
  ]);
}
