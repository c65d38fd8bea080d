import type { Resource } from "../../../bind/resource.ts";
import { defineRule, type Fix } from "../../../findings/rule.ts";
import { isResult } from "../../../flow/result.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { replaceValue } from "../../edits.ts";
import { type ResourceUse, resourceUse } from "./references.ts";

const fieldsExpected = defineRule<{ found: string; replacement: string; place: string }>({
  id: "resource/fields-expected",
  severity: "error",
  summary: "A resource is used where its fields are needed",
  why: "The options of a mapping are a list of fields. `PlatformContact` is one contact; `PlatformContact.fields` lists its fields, including the customer's custom ones.",
  guards: ["D25", "command.!resource", "map.describe_source", "map.describe_target"],
  message: ({ found, replacement, place }) =>
    `${place} takes a list of fields: \`${replacement}\`, not \`${found}\`.`,
  examples: [
    {
      title: "D25",
      in: "inbound-webhook",
      at: "/workflows/0/setup/map/describe_target/options",
      bad: '{"!resource": «"PlatformContact"»}',
      good: '{"!resource": "PlatformContact.fields"}',
      fixed: '{"!resource": "PlatformContact.fields"}',
    },
    {
      title: "D25: the platform as a whole",
      in: "outbound",
      at: "/workflows/0/setup/map/describe_source/options",
      bad: '{"!resource": «"Platform"»}',
      good: '{"!resource": "Platform.fields"}',
      fixed: '{"!resource": "Platform.fields"}',
    },
  ],
  fixes: ({ at, args: { replacement } }) => [change(at as StringNode, replacement, true)],
});

const fieldsAsData = defineRule<{
  found: string;
  place: string;
  target: boolean;
  replacement: string | undefined;
}>({
  id: "resource/fields-as-data",
  severity: "error",
  summary: "A pipeline's source or target is a resource's list of fields",
  why: "`.fields` lists the available fields and doesn't read or write a contact. As a source it gives no data, and as a target it stores nothing.",
  guards: ["D25", "command.!resource", "data_pipeline.source", "data_pipeline.target"],
  message: ({ found, place, target }) =>
    `${place} ${target ? "stores the item" : "gives the data of an item"}, but \`${found}\` only lists the available fields.`,
  examples: [
    {
      title: "D25: as the target",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!print_c": "storing"}, {"!resource": «"PlatformContact.fields"»}]}',
      good: '{"!pipe": [{"!print_c": "storing"}, {"!resource": "PlatformContact"}]}',
      fixed: '{"!pipe": [{"!print_c": "storing"}, {"!resource": "PlatformContact"}]}',
    },
    {
      title: "D25: as the source",
      in: "outbound",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!resource": «"PlatformContact.fields"»}',
      good: '{"!resource": "PlatformContact"}',
      fixed: '{"!resource": "PlatformContact"}',
    },
  ],
  fixes: ({ at, args: { replacement } }) =>
    replacement === undefined ? [] : [change(at as StringNode, replacement, true)],
});

const partNeeded = defineRule<{ found: string; parts: readonly string[] }>({
  id: "resource/part-needed",
  severity: "error",
  summary: "The platform needs `.fields` or `.sync` here",
  why: "`Platform` means all resources at once. It has no single record to read or write, so it needs `.fields` or `.sync`.",
  guards: ["D25", "command.!resource"],
  message: ({ found, parts }) =>
    `\`${found}\` means all resources at once, so it needs a part: ${parts.map((part) => `\`${found}.${part}\``).join(" or ")}.`,
  examples: [
    {
      title: "D25",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!resource": «"Platform"»}',
      good: '{"!resource": "PlatformContact"}',
    },
  ],
});

const syncExpected = defineRule<{ found: string; replacement: string }>({
  id: "resource/sync-expected",
  severity: "error",
  summary: "The resource's action isn't a sync",
  why: "The form `{action, data}` is for `.sync`, the only action. Write a resource or its fields as a plain string.",
  guards: ["D25", "command.!resource"],
  message: ({ found, replacement }) => `\`action\` must be \`${replacement}\`. It is \`${found}\`.`,
  examples: [
    {
      title: "D25",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!resource": {"action": «"PlatformDeal"», "data": {"title": "${piped_content.0.title}"}}}',
      good: '{"!resource": {"action": "PlatformDeal.sync", "data": {"title": "${piped_content.0.title}"}}}',
      fixed: '{"!resource": {"action": "PlatformDeal.sync", "data": {"title": "${piped_content.0.title}"}}}',
    },
  ],
  fixes: ({ at, args: { replacement } }) => [change(at as StringNode, replacement, false)],
});

const module: RuleModule = {
  rules: [fieldsExpected, fieldsAsData, partNeeded, syncExpected],
  checks: {
    command: {
      "!resource"(command, report, model) {
        const use = resourceUse(command, model);
        // An unknown name (with its part in it, if the dot is missing) or part is one finding already.
        if (use?.target === undefined) return;
        const { target, part, exact } = use;
        if (part === undefined ? !exact : !(target.parts as readonly string[]).includes(part)) return;
        check(use, target, report);
      },
    },
  },
};
export default module;

function check(use: ResourceUse, resource: Resource, report: Report): void {
  const { command, part, text, action, nameAt } = use;
  const { node } = nameAt;
  const { name, parts, readable } = resource;
  const { title, contract } = command.place;
  const result = isResult(command);
  if (action) {
    if (part !== "sync" && parts.includes("sync"))
      report(syncExpected, node, { found: text, replacement: `${name}.sync` });
  } else if (result && contract === "map-options") {
    if (part !== "fields" && parts.includes("fields"))
      report(fieldsExpected, node, { found: text, replacement: `${name}.fields`, place: title });
  } else if (part === undefined && !readable) {
    report(partNeeded, node, { found: text, parts });
  } else if (result && part === "fields" && command.place.name.startsWith("data_pipeline.")) {
    const replacement = readable ? name : undefined;
    const target = command.place.name === "data_pipeline.target";
    report(fieldsAsData, node, { found: text, place: title, target, replacement });
  }
}

function change(node: StringNode, text: string, safe: boolean): Fix {
  return { title: `Change to \`${text}\``, safe, edits: [replaceValue(node, text)] };
}
