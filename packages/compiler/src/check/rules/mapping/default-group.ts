import { escapedPattern, nearest } from "@configc/jq/internal";
import type { Expansion, MapSymbol } from "../../../bind/bound-nodes.ts";
import { defaultGroupNode, defaultGroups } from "../../../bind/default-group.ts";
import { mayBeIncomplete } from "../../../bind/incomplete-object.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsAround, hasComments } from "../../../flow/documented-words.ts";
import { singular } from "../../../flow/nouns.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import type { ObjectNode, StringNode } from "../../../parse/syntax-tree.ts";
import { changeToString } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";
import { removeMember } from "../../edits.ts";
import { keyOf } from "../../locate.ts";
import { allNames, didYouMean, excerpt } from "../../message-text.ts";
import { memberOf, valueAt } from "../http/at.ts";
import { removeFix } from "../workflow/remove.ts";
import { type Option, optionsOf, textIn } from "./options.ts";

const unknownDefaultGroup = defineRule<{
  group: string;
  known: readonly string[];
  suggestion: string | undefined;
}>({
  id: "mapping/unknown-default-group",
  severity: "error",
  summary: "`default_group` names a group that no target field has",
  why: "Customers who mapped their fields before there were groups keep a flat mapping, which is read as `default_group`. If that group doesn't exist, their mapping stays saved but nothing arrives.",
  guards: ["map.default_group", "option.group", "events.6", "D5", "D36"],
  message: ({ group, known, suggestion }) =>
    known.length === 0
      ? `There is no group \`${excerpt(group)}\`. No field of \`describe_target\` has a \`group\`.`
      : `No field of \`describe_target\` has the group \`${excerpt(group)}\`.${didYouMean(suggestion)}`,
  because: ({ group }) => [
    `a flat mapping is read as \`{${excerpt(group)}: …}\``,
    `no target has that group: nothing of it arrives`,
  ],
  help: ({ known }) =>
    known.length === 0
      ? "Remove `default_group`. It is for a mapping that changes from flat to grouped."
      : `Groups: ${allNames(known)}.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/map",
      bad: '{"label": "Map", "describe_source": {"label": "Contact", "options": {"!resource": "PlatformContact.fields"}}, "describe_target": {"label": "Deal", "options": [{"title": "Name", "id": "name", "group": "person"}, {"title": "Value", "id": "value", "group": "deal"}]}, "default_group": «"persons"»}',
      good: '{"label": "Map", "describe_source": {"label": "Contact", "options": {"!resource": "PlatformContact.fields"}}, "describe_target": {"label": "Deal", "options": [{"title": "Name", "id": "name", "group": "person"}, {"title": "Value", "id": "value", "group": "deal"}]}, "default_group": "person"}',
      fixed:
        '{"label": "Map", "describe_source": {"label": "Contact", "options": {"!resource": "PlatformContact.fields"}}, "describe_target": {"label": "Deal", "options": [{"title": "Name", "id": "name", "group": "person"}, {"title": "Value", "id": "value", "group": "deal"}]}, "default_group": "person"}',
    },
    {
      title: "D45: in `describe_target`",
      in: "outbound",
      at: "/workflows/0/setup/map",
      bad: groups('{"label": "Deal", "default_group": «"persons"», ', ""),
      good: groups('{"label": "Deal", "default_group": "person", ', ""),
      fixed: groups('{"label": "Deal", "default_group": "person", ', ""),
    },
    {
      title: "no groups at all",
      in: "outbound",
      at: "/workflows/0/setup/map",
      bad: '{"label": "Map", "default_group": «"person"», "describe_source": {"label": "Contact", "options": {"!resource": "PlatformContact.fields"}}, "describe_target": {"label": "Deal", "options": [{"title": "Name", "id": "name"}]}}',
      good: '{"label": "Map", "describe_source": {"label": "Contact", "options": {"!resource": "PlatformContact.fields"}}, "describe_target": {"label": "Deal", "options": [{"title": "Name", "id": "name"}]}}',
      fixed:
        '{"label": "Map", "describe_source": {"label": "Contact", "options": {"!resource": "PlatformContact.fields"}}, "describe_target": {"label": "Deal", "options": [{"title": "Name", "id": "name"}]}}',
    },
  ],
  fixes: ({ at, args }, { document }) => {
    const { suggestion, known } = args;
    if (suggestion !== undefined) {
      return [changeToString(document, at, suggestion, true)];
    }
    const member = memberOf(valueAt(document, at));
    if (known.length > 0 || member === undefined) return [];
    return [{ title: "Remove `default_group`", safe: false, edits: [removeMember(document, member)] }];
  },
});

const twoDefaultGroups = defineRule<{ counts: string; other: string }>({
  id: "mapping/two-default-groups",
  severity: "warning",
  summary: "`default_group` is both in `map` and in `describe_target`",
  why: "Saved mappings without a group are read as `default_group`. If it is set twice, the one in `map` counts. A platform that reads the other one puts the customers' data elsewhere.",
  guards: ["map.default_group", "describe_target.default_group", "D45"],
  message: ({ counts, other }) =>
    counts === other
      ? `\`default_group\` is set twice. It is also in \`map\`.`
      : `This \`default_group\` is ignored, because \`map\` sets it to \`${excerpt(counts)}\`.`,
  help: () => "Keep the one in `map`.",
  examples: [
    {
      title: "D45",
      in: "outbound",
      at: "/workflows/0/setup/map",
      bad: groups('{"label": "Deal", «"default_group"»: "deal", ', ', "default_group": "person"'),
      good: groups('{"label": "Deal", ', ', "default_group": "person"'),
      fixed: groups('{"label": "Deal", ', ', "default_group": "person"'),
    },
  ],
  fixes: ({ at }, { document }) => removeFix(document, at),
});

const otherDefaultGroup = defineRule<{ group: string; said: string }>({
  id: "mapping/documented-default-group",
  severity: "warning",
  summary: "`default_group` isn't the group that old mappings are of, by a comment",
  why: "Mappings that were saved before there were groups are read as `default_group`. If that is the group that came later, what customers mapped goes to the wrong record, or nowhere, and the fields that they did map are empty.",
  guards: ["map.default_group", "describe_target.default_group", "events.6", "D3", "D36"],
  message: ({ group, said }) =>
    `A comment says that old mappings are of \`${excerpt(said)}\`, but \`default_group\` reads them as \`${excerpt(group)}\`.`,
  because: ({ group, said }) => [
    `a mapping without groups has fields of \`${excerpt(said)}\``,
    `it is read as \`{${excerpt(group)}: …}\``,
  ],
  help: ({ said }) => `Change it to \`${excerpt(said)}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/map",
      bad: groups(
        '{"label": "Deal", ',
        ', "_comment": "The deal group is new. Maps saved before it had fields of the person only.", "default_group": «"deal"»',
      ),
      good: groups(
        '{"label": "Deal", ',
        ', "_comment": "The deal group is new. Maps saved before it had fields of the person only.", "default_group": "person"',
      ),
      fixed: groups(
        '{"label": "Deal", ',
        ', "_comment": "The deal group is new. Maps saved before it had fields of the person only.", "default_group": "person"',
      ),
    },
  ],
  fixes: ({ at, args }, { document }) => [changeToString(document, at, args.said, true)],
});

const optionalDefaultGroup = defineRule<{ group: string; needed: string; read: string }>({
  id: "mapping/optional-default-group",
  severity: "warning",
  summary: "`default_group` is a group that may be missing, and another one has the required fields",
  why: "Mappings that were saved before there were groups are read as `default_group` and have nothing else. Where the pipeline can do without that group and not without another, each of them fails, or goes to the wrong record.",
  guards: ["map.default_group", "describe_target.default_group", "events.6", "D36"],
  message: ({ group, needed, read }) =>
    `Old mappings are read as \`${excerpt(group)}\`, which may be missing, but \`${read}\` needs \`${excerpt(needed)}\`, which has the required fields.`,
  because: ({ group, needed, read }) => [
    `a mapping without groups is read as \`{${excerpt(group)}: …}\``,
    `there is no \`${excerpt(needed)}\` in it: \`${read}\` fails`,
  ],
  help: ({ needed }) => `Change it to \`${excerpt(needed)}\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/map",
      with: {
        "/workflows/0/data_pipeline/target":
          '{"!pipe": [{"!http": {"method": "PUT", "path": "/people", "body": "${piped_content.0.person}"}}, {"!jq": "{list: ${custom_data.list.value}, deal: (${piped_content.0} | .deal // {})}"}, {"!http": {"method": "POST", "path": "/deals", "body": "${piped_content.2}"}}]}',
      },
      bad: requiredGroup('"default_group": «"deal"»'),
      good: requiredGroup('"default_group": "person"'),
      fixed: requiredGroup('"default_group": "person"'),
    },
  ],
  fixes: ({ at, args }, { document }) => [changeToString(document, at, args.needed, false)],
});

/** A map step with two groups, of which one has a required field. */
function requiredGroup(more: string): string {
  return `{"label": "Map", ${more}, "describe_source": {"label": "Contact", "options": {"!resource": "PlatformContact.fields"}}, "describe_target": {"label": "Deal", "options": [{"title": "Name", "id": "name", "group": "person", "required": true}, {"title": "Value", "id": "value", "group": "deal"}]}}`;
}

/** A map step with two groups. */
function groups(target: string, more: string): string {
  return `{"label": "Map", "describe_source": {"label": "Contact", "options": {"!resource": "PlatformContact.fields"}}, "describe_target": ${target}"options": [{"title": "Name", "id": "name", "group": "person"}, {"title": "Value", "id": "value", "group": "deal"}]}${more}}`;
}

const module: RuleModule = {
  rules: [unknownDefaultGroup, twoDefaultGroups, otherDefaultGroup, optionalDefaultGroup],
  checks: {
    map(map, report, model) {
      const { inMap, inTarget } = defaultGroups(map.node);
      const second = memberOf(inTarget);
      if (inMap?.kind === "string" && inTarget?.kind === "string" && second !== undefined)
        report(twoDefaultGroups, keyOf(second), { counts: inMap.value, other: inTarget.value });
      const node = defaultGroupNode(map.node);
      if (node?.kind !== "string" || node.value === "") return;
      const options = optionsOf(map, "target", model)?.list;
      if (options === undefined || options.length === 0) return;
      const groups = options.flatMap(({ group }) => group ?? []);
      // A group that isn't a string is a mistake of its own, and may be meant.
      if (groups.some((group) => textIn(group) === undefined)) return;
      const known = [...new Set(groups.flatMap((group) => textIn(group) ?? []))];
      const said = known.includes(node.value) && hasComments(model) ? oldGroup(known, map.node) : undefined;
      if (said !== undefined && said.group !== node.value)
        report(otherDefaultGroup, node, { group: node.value, said: said.group }, [
          { message: "the comment", at: said.comment },
        ]);
      const needed =
        known.includes(node.value) && said === undefined
          ? neededInstead(node.value, map, options, model)
          : undefined;
      if (needed !== undefined) report(optionalDefaultGroup, node, { group: node.value, ...needed });
      if (known.includes(node.value) || mayBeIncomplete(model.document, map.node)) return;
      report(unknownDefaultGroup, node, { group: node.value, known, suggestion: nearest(node.value, known) });
    },
  },
};
export default module;

/** The only group with required fields, where the pipeline always reads that one and can do without the default. */
function neededInstead(
  group: string,
  { workflow }: MapSymbol,
  options: readonly Option[],
  model: Model,
): { readonly needed: string; readonly read: string } | undefined {
  const required = options.filter(({ node }) => {
    const value = node.get("required");
    return value?.kind === "boolean" && value.value;
  });
  const [needed, ...others] = new Set(required.map((option) => textIn(option.group)));
  if (needed === undefined || others.length > 0 || needed === group) return undefined;
  const { expansions, programs } = partOfUnit(workflow, model);
  const isOf = (name: string, { root, rootExact, syntax, command }: Expansion): boolean =>
    root === "piped_content" &&
    rootExact &&
    command?.place.name === "data_pipeline.target" &&
    syntax.path[1]?.text === "0" &&
    syntax.path[2]?.text === name;
  // What stands in a case of a `!switch` may be for others.
  const read = expansions.find(
    (each) =>
      isOf(needed, each) && each.syntax.filters.length === 0 && each.command?.parent === each.command?.pipe,
  );
  if (read === undefined || read.command?.key !== "!http") return undefined;
  const isDefaulted =
    expansions.some((each) => isOf(group, each) && each.syntax.filters.length > 0) ||
    programs.some(
      ({ command, node }) =>
        command.place.name === "data_pipeline.target" &&
        new RegExp(
          `(?<!\\w)\\.${escapedPattern(group)}(?:\\.\\w{1,40})?\\s{0,3}(?://|[!=]=\\s{0,3}null\\b)`,
        ).test(node.value),
    );
  const isBare = expansions.some((each) => isOf(group, each) && each.syntax.filters.length === 0);
  return isDefaulted && !isBare
    ? { needed, read: read.syntax.path.map(({ text }) => text).join(".") }
    : undefined;
}

/** The group of which a comment says that it is what mappings had before there were groups. */
function oldGroup(
  known: readonly string[],
  map: ObjectNode,
): { readonly group: string; readonly comment: StringNode } | undefined {
  const target = map.get("describe_target");
  for (const comment of commentsAround(map, target?.kind === "object" ? [target] : [])) {
    if (!isOfOld.test(comment.value)) continue;
    const words = wordsOf(comment.value).map(singular);
    const named = known.filter((group) => words.includes(singular(wordsOf(group).at(-1) ?? "")));
    // Two groups, of which one came later, or one that the sentence on old mappings names alone.
    const later = named.filter((group) => isLater(group, comment.value));
    const before = named.filter((group) => !later.includes(group));
    const rest = known.filter((group) => !later.includes(group));
    const [group, ...others] = before.length > 0 ? before : later.length > 0 ? rest : [];
    if (group !== undefined && others.length === 0) return { group, comment };
  }
  return undefined;
}

const isOfOld =
  /\b(?:before|until|old|earlier|first (?:version|release)|formerly|used to|no (?:groups|\w+ in the first)|flat|previous(?:ly)?|is new|are new|came later|was added)\b/i;

/** `The vehicle group is new`, `There were no parents in the first version` */
const isLater = (group: string, comment: string): boolean => {
  const noun = `${escapedPattern(singular(wordsOf(group).at(-1) ?? group))}(?:s|es)?`;
  return new RegExp(
    `\\b${noun}\\b[^.;]{0,30}\\b(?:is|are|was|were|came)\\b[^.;]{0,15}\\b(?:new|newer|later|added)\\b|\\b(?:no|without(?: an?)?|new|added(?: the| an?)?) ${noun}\\b|\\b${noun}\\b (?:was|were)(?:n't| not) (?:there|known)\\b`,
    "i",
  ).test(comment);
};
