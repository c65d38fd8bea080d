import type { MapSymbol, WorkflowSymbol } from "../../bind/bound-nodes.ts";
import { defaultGroup } from "../../bind/default-group.ts";
import type { Model } from "../../bind/model.ts";
import { ownerOf } from "../../check/locate.ts";
import { excerpt, oneOfNames } from "../../check/message-text.ts";
import { type Option, optionsOf, type Side, sides, textIn } from "../../check/rules/mapping/options.ts";
import { defineRule } from "../../findings/rule.ts";
import type { Location } from "../../parse/document.ts";
import { comparison } from "../comparison.ts";

const step = defineRule<{ workflow: string; added: boolean }>({
  id: "breaking/map-step",
  severity: "error",
  concerns: ["setups"],
  summary: "A published workflow gained or lost its map step",
  why: "Without a map step the target gets the whole output of the source; with one, only what the customer mapped. If it is added, existing customers have mapped nothing, so nothing arrives. If it is removed, the target gets other names than before.",
  guards: ["setup.map", "events.4", "D37", "D40"],
  message: ({ workflow, added }) =>
    added
      ? `\`${workflow}\` now has a map step. Existing customers have mapped nothing, so none of their data reaches the target.`
      : `\`${workflow}\` no longer has a map step. Customers' mappings are no longer used, and the target gets the names of the source.`,
  help: ({ added }) =>
    added ? "Add the mapping in a new workflow." : "Keep the map step. One option on each side is enough.",
  examples: [
    {
      in: "outbound",
      at: "/workflows/0/setup",
      published: '{"connect": {"label": "Connect", "describe_connection": {"!http": {"path": "/me"}}}}',
      bad: '{"connect": {"label": "Connect", "describe_connection": {"!http": {"path": "/me"}}}, «"map"»: {"label": "Map", "describe_source": {"label": "Contact", "options": {"!resource": "PlatformContact.fields"}}, "describe_target": {"label": "Person", "options": [{"id": "mail", "title": "Email"}]}}}',
      good: '{"connect": {"label": "Connect your account", "describe_connection": {"!http": {"path": "/me"}}}}',
    },
  ],
});

const optionRemoved = defineRule<{ side: Side; ids: readonly string[] }>({
  id: "breaking/map-option-removed",
  severity: "warning",
  concerns: ["setups"],
  summary: "A map step no longer offers a field that customers may have mapped",
  why: "A saved mapping names its fields by id. An id that is no longer offered stays in the mapping: as a source it may give nothing, as a target it is still sent. Customers notice only when data is missing.",
  guards: ["option.id", "D36", "D40"],
  message: ({ side, ids }) =>
    `\`describe_${side}\` no longer offers ${oneOfNames(ids)}. Customers who mapped ${ids.length === 1 ? "it" : "one of them"} keep it in their mapping, ${side === "source" ? "but may get nothing from it" : "and it is still sent to the target"}.`,
  help: () =>
    "Keep the id and change its `title`. If the service no longer has the field, don't send it from the target.",
  examples: [
    {
      title: "D40",
      in: "outbound",
      at: "/workflows/0/setup/map/describe_target",
      published:
        '{"label": "Person", "options": [{"id": "name", "title": "Name"}, {"id": "mail", "title": "Email"}]}',
      bad: '{"label": "Person", «"options"»: [{"id": "name", "title": "Name"}]}',
      good: '{"label": "Person", "options": [{"id": "mail", "title": "E-mail address"}, {"id": "name", "title": "Name"}]}',
    },
  ],
});

const targetRequired = defineRule<{ id: string; isNew: boolean }>({
  id: "breaking/target-required",
  severity: "error",
  concerns: ["setups"],
  summary: "A target field that customers may not have mapped is now required",
  why: "Only the setup enforces required fields. Customers with a saved mapping aren't asked again: their runs continue without the field, and the service may refuse them.",
  guards: ["option.required", "events.8", "D40"],
  message: ({ id, isNew }) =>
    isNew
      ? `The required target field \`${excerpt(id)}\` is new. Saved mappings don't have it, so existing customers send nothing for it.`
      : `The target field \`${excerpt(id)}\` is now required. Saved mappings may lack it, and these customers send nothing for it.`,
  help: () => "Keep it optional, and set a value in the target's command if the mapping has none.",
  examples: [
    {
      title: "D40",
      in: "outbound",
      at: "/workflows/0/setup/map/describe_target/options",
      published: '[{"id": "mail", "title": "Email", "required": true}, {"id": "name", "title": "Name"}]',
      bad: '[{"id": "mail", "title": "Email", "required": true}, {"id": "name", "title": "Name", "required": «true»}]',
      good: '[{"id": "mail", "title": "Email"}, {"id": "name", "title": "Name"}]',
    },
  ],
});

export const mappingRules = comparison(
  [step, optionRemoved, targetRequired],
  ({ workflows, previous, current }, report) => {
    for (const { previous: old, current: now, name: workflow } of workflows.pairs) {
      const [before, after] = [old.maps[0], now.maps[0]];
      if (before === undefined || after === undefined) {
        if (before !== after) report(step, mapKey(now), { workflow, added: after !== undefined });
        continue;
      }
      for (const side of sides) {
        const known = listed(before, side, previous);
        const offered = listed(after, side, current);
        if (known === undefined || offered === undefined) continue;
        const identify = identity(known, offered);
        const ids = new Set(readable(offered, known, side, after).map(identify));
        const gone = known.options.filter((option) => !ids.has(identify(option)));
        if (gone.length > 0)
          report(optionRemoved, offered.key, { side, ids: gone.map((option) => excerpt(idOf(option))) });
        if (side === "source") continue;
        const required = new Map(known.options.map((option) => [identify(option), isRequired(option)]));
        for (const option of offered.options) {
          const was = required.get(identify(option));
          if (!isRequired(option) || was === true) continue;
          report(targetRequired, option.required?.value ?? ownerOf(option.node), {
            id: idOf(option),
            isNew: was === undefined,
          });
        }
      }
    }
  },
);

interface Listed {
  readonly options: readonly Option[];
  readonly key: Location;
}

/** A static list of options that have ids; undefined where a command gives them. */
function listed(map: MapSymbol, side: Side, model: Model): Listed | undefined {
  const options = optionsOf(map, side, model);
  if (options?.list === undefined) return undefined;
  return { options: options.list.filter((option) => idOf(option) !== ""), key: options.member.key };
}

/** An id counts in its group, unless one of the versions has no groups: then `default_group` tells where it belongs. */
function identity(known: Listed, offered: Listed): (option: Option) => string {
  const grouped = isGrouped(known.options) && isGrouped(offered.options);
  return (option) => JSON.stringify(grouped ? [idOf(option), textIn(option.group) ?? null] : [idOf(option)]);
}

/** The options that saved mappings can name: those of a map without groups are read as being in `default_group`. */
function readable(offered: Listed, known: Listed, side: Side, { node }: MapSymbol): readonly Option[] {
  const group = defaultGroup(node);
  if (side === "source" || group === undefined || isGrouped(known.options)) return offered.options;
  return offered.options.filter((option) => option.group === undefined || textIn(option.group) === group);
}

function isGrouped(options: readonly Option[]): boolean {
  return options.some(({ group }) => group !== undefined);
}

function idOf({ id }: Option): string {
  const value = id?.value;
  return value?.kind === "string" || value?.kind === "number" ? `${value.value}` : "";
}

function isRequired({ required }: Option): boolean {
  return required?.value?.kind === "boolean" && required.value.value;
}

function mapKey({ node }: WorkflowSymbol) {
  const setup = node.get("setup");
  return setup?.kind === "object" ? (setup.member("map")?.key ?? ownerOf(setup)) : ownerOf(node);
}
