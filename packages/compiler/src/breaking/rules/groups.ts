import type { MapSymbol } from "../../bind/bound-nodes.ts";
import { defaultGroupNode, defaultGroup as groupOf } from "../../bind/default-group.ts";
import type { Model } from "../../bind/model.ts";
import { ownerOf } from "../../check/locate.ts";
import { allNames } from "../../check/message-text.ts";
import { optionsOf, type Side, sides, textIn } from "../../check/rules/mapping/options.ts";
import { defineRule } from "../../findings/rule.ts";
import { comparison } from "../comparison.ts";

const introduced = defineRule<{ side: Side; groups: readonly string[] }>({
  id: "breaking/groups-introduced",
  severity: "error",
  concerns: ["setups"],
  summary: "A published map step gained groups without a `default_group`",
  why: "Mappings saved for a flat map name no groups. With `default_group` they are read as that group. Without it their fields belong to no group, so what customers mapped no longer arrives.",
  guards: ["map.default_group", "option.group", "events.6", "D36", "D40"],
  message: ({ side, groups }) =>
    `The fields of \`describe_${side}\` now have groups (${allNames(groups)}), but the map step has no \`default_group\`. Saved mappings name no group, so what customers mapped no longer arrives.`,
  help: ({ groups, side }) =>
    side === "target"
      ? `Name the group of the published fields: \`"default_group": "${groups[0]}"\`.`
      : 'Keep the source fields as published, or add `"default_group"` with the target group for saved mappings.',
  examples: [
    {
      title: "D40",
      in: "outbound",
      at: "/workflows/0/setup/map",
      published:
        '{"label": "Map", "describe_source": {"label": "Contact", "options": {"!resource": "PlatformContact.fields"}}, "describe_target": {"label": "Deal", "options": [{"title": "Name", "id": "name"}]}}',
      bad: '{"label": "Map", "describe_source": {"label": "Contact", "options": {"!resource": "PlatformContact.fields"}}, "describe_target": {"label": "Deal", «"options"»: [{"title": "Name", "id": "name", "group": "person"}, {"title": "Value", "id": "value", "group": "deal"}]}}',
      good: '{"label": "Map", "default_group": "person", "describe_source": {"label": "Contact", "options": {"!resource": "PlatformContact.fields"}}, "describe_target": {"label": "Deal", "options": [{"title": "Name", "id": "name", "group": "person"}, {"title": "Value", "id": "value", "group": "deal"}]}}',
    },
  ],
});

const removed = defineRule<{ side: Side; groups: readonly string[] }>({
  id: "breaking/groups-removed",
  severity: "error",
  concerns: ["setups"],
  summary: "A published map step lost its groups",
  why: "A saved mapping names the group of each field. A target field that was mapped in a group still arrives under that group, where a flat target doesn't read it. In a source that is now flat, a field with a group isn't found.",
  guards: ["option.group", "events.5", "D36", "D37", "D40"],
  message: ({ side, groups }) =>
    `The fields of \`describe_${side}\` no longer have groups (${allNames(groups)} before). Saved mappings name them, so what customers mapped ${side === "target" ? "still arrives in these groups" : "isn't found"}.`,
  help: ({ groups }) =>
    `Keep the group of each published field, even if there is only one: \`"group": "${groups[0]}"\`. A flat map needs a new workflow.`,
  examples: [
    {
      title: "D40",
      in: "outbound",
      at: "/workflows/0/setup/map/describe_target",
      published:
        '{"label": "Deal", "options": [{"title": "Name", "id": "name", "group": "person"}, {"title": "Value", "id": "value", "group": "deal"}]}',
      bad: '{"label": "Deal", «"options"»: [{"title": "Name", "id": "name"}, {"title": "Value", "id": "value"}]}',
      good: '{"label": "Deal", "options": [{"title": "Full name", "id": "name", "group": "person"}, {"title": "Value", "id": "value", "group": "deal"}]}',
    },
  ],
});

const defaultGroup = defineRule<{ before: string; now: string | undefined }>({
  id: "breaking/default-group",
  severity: "error",
  concerns: ["setups"],
  summary: "A published `default_group` was removed or changed",
  why: "Flat mappings from before there were groups are read as `default_group` in every run. With another group their data goes to other fields; without one, nowhere.",
  guards: ["map.default_group", "events.6", "D36", "D40"],
  message: ({ before, now }) =>
    now === undefined
      ? `\`default_group\`, before \`${before}\`, was removed. Data of customers with saved flat mappings no longer arrives.`
      : `\`default_group\` changed from \`${before}\` to \`${now}\`. Data of customers with saved flat mappings goes to other fields than they chose.`,
  help: ({ before }) => `Keep \`"default_group": "${before}"\`.`,
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup/map/default_group",
      with: {
        "/workflows/0/setup/map/describe_target/options":
          '[{"title": "Name", "id": "name", "group": "person"}, {"title": "Name", "id": "name", "group": "company"}]',
      },
      published: '"person"',
      bad: '«"company"»',
      good: '"person"',
    },
  ],
});

export const groupRules = comparison(
  [introduced, removed, defaultGroup],
  ({ workflows, previous, current }, report) => {
    for (const { previous: old, current: now } of workflows.pairs) {
      const [before, after] = [old.maps[0], now.maps[0]];
      if (before === undefined || after === undefined) continue;
      const given = groupOf(after.node);
      for (const side of sides) {
        const known = groupsOf(before, side, previous);
        const groups = groupsOf(after, side, current);
        const key = optionsOf(after, side, current)?.member.key;
        if (known === undefined || groups === undefined || key === undefined) continue;
        if (known.length > 0 && groups.length === 0) report(removed, key, { side, groups: known });
        if (known.length === 0 && groups.length > 0 && given === undefined)
          report(introduced, key, { side, groups });
      }
      const published = groupOf(before.node);
      const isGrouped = groupsOf(after, "target", current)?.length !== 0;
      if (published === undefined || published === given || !isGrouped) continue;
      const at = defaultGroupNode(after.node) ?? ownerOf(after.node);
      report(defaultGroup, at, { before: published, now: given });
    }
  },
);

/** The groups of a static list of options that isn't empty. */
function groupsOf(map: MapSymbol, side: Side, model: Model): string[] | undefined {
  const options = optionsOf(map, side, model)?.list;
  if (options === undefined || options.length === 0) return undefined;
  return [...new Set(options.flatMap(({ group }) => textIn(group) ?? []))];
}
