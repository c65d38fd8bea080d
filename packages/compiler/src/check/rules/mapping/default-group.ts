import { nearest } from "@configc/jq";
import { mayHaveLostMembers } from "../../../bind/lost-members.ts";
import { spanOf } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { removeMember } from "../../edits.ts";
import { defineRule } from "../../rule.ts";
import { allNames, didYouMean, excerpt } from "../../words.ts";
import { memberOf, valueAt } from "../http/at.ts";
import { optionsOf, textIn } from "./options.ts";

const unknownDefaultGroup = defineRule<{
  group: string;
  known: readonly string[];
  suggestion: string | undefined;
}>({
  id: "mapping/unknown-default-group",
  severity: "error",
  summary: "`default_group` names a group that no target field has",
  why: "Customers who mapped their fields before there were groups keep a flat mapping, and all of it is put into `default_group`. A group that isn't there swallows it: their mapping stays saved, and nothing arrives any more.",
  guards: ["map.default_group", "option.group", "events.6", "D5", "D36"],
  message: ({ group, known, suggestion }) =>
    known.length === 0
      ? `There is no group \`${excerpt(group)}\`: no field of \`describe_target\` has a \`group\`.`
      : `No field of \`describe_target\` has the group \`${excerpt(group)}\`.${didYouMean(suggestion)}`,
  help: ({ known }) =>
    known.length === 0
      ? "Remove `default_group`; it is for a mapping that changes from flat to grouped."
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
      const edits = [{ ...spanOf(document, at), newText: JSON.stringify(suggestion) }];
      return [{ title: `Change to \`${suggestion}\``, safe: true, edits }];
    }
    const member = memberOf(valueAt(document, at));
    if (known.length > 0 || member === undefined) return [];
    return [{ title: "Remove `default_group`", safe: false, edits: [removeMember(document, member)] }];
  },
});

const module: RuleModule = {
  rules: [unknownDefaultGroup],
  checks: {
    map(map, report, model) {
      const node = map.node.get("default_group");
      if (node?.kind !== "string" || node.value === "") return;
      const options = optionsOf(map, "target", model)?.list;
      if (options === undefined || options.length === 0) return;
      const groups = options.flatMap(({ group }) => group ?? []);
      // A group that isn't a string is a mistake of its own, and may be meant.
      if (groups.some((group) => textIn(group) === undefined)) return;
      const known = [...new Set(groups.flatMap((group) => textIn(group) ?? []))];
      if (known.includes(node.value) || mayHaveLostMembers(model.document, map.node)) return;
      report(unknownDefaultGroup, node, { group: node.value, known, suggestion: nearest(node.value, known) });
    },
  },
};
export default module;
