import type { ObjectNode } from "@configc/compiler";
import type { Config } from "../config.ts";
import { get, textAt } from "../config.ts";
import { added, missing, ownerOf, replacement, source, without } from "../edits.ts";
import { type Kind, type Mutant, replacing } from "../kind.ts";

const inbound = (config: Config) =>
  config.workflows.filter((workflow) => textAt(workflow, "type") === "generic");
const outbound = (config: Config) =>
  config.workflows.filter((workflow) => textAt(workflow, "type") === "automations");

function intakeType(config: Config, workflow: ObjectNode): string | undefined {
  return textAt(config.intake(textAt(workflow, "data_intake")), "type");
}

const setupOf = (workflow: ObjectNode): ObjectNode[] => {
  const setup = get(workflow, "setup");
  return setup?.kind === "object" ? [setup] : [];
};

const schedule =
  '{ "label": "Schedule", "description": "Choose.", "import_options": [{ "label": "Once", "type": "single" }], "frequency": 1800 }';

/** Adds a member to the workflow of a direction, or to its setup. */
function adding(
  name: string,
  expects: Kind["expects"],
  what: string,
  objects: (config: Config) => readonly ObjectNode[],
  member: string,
  json: string,
): Kind {
  return {
    name: `workflow/${name}`,
    what,
    expects,
    *mutants(config) {
      for (const object of objects(config))
        if (object.member(member) === undefined) yield added(object, member, json);
    },
  };
}

function removing(
  name: string,
  what: string,
  objects: (config: Config) => readonly ObjectNode[],
  member: string,
): Kind {
  return {
    name: `workflow/${name}`,
    what,
    expects: "error",
    *mutants(config) {
      for (const object of objects(config)) yield* missing(config, object, member);
    },
  };
}

/** All that only inbound workflows have. */
const inboundOnly = ["data_intake", "historical_data_intake", "resource_type", "resource_labels"];

export const workflowKinds: readonly Kind[] = [
  {
    name: "workflow/inbound-as-outbound",
    what: "`automations` for an inbound workflow: seen at the type, or at what only inbound workflows have.",
    expects: "error",
    *mutants(config) {
      for (const workflow of inbound(config)) {
        const type = get(workflow, "type")!;
        const keys = inboundOnly.flatMap((name) => workflow.member(name) ?? []);
        yield { edits: [replacement(type, '"automations"')], at: [type, ...keys] };
      }
    },
  },
  {
    name: "workflow/outbound-as-inbound",
    what: "`generic` for an outbound workflow: seen at the type, or at what is missing.",
    expects: "error",
    *mutants(config) {
      for (const workflow of outbound(config)) {
        const type = get(workflow, "type")!;
        const owners = [
          ownerOf(workflow),
          ...setupOf(workflow).flatMap((setup) => setup.members.map(({ key }) => key)),
        ];
        yield { edits: [replacement(type, '"generic"')], at: [type, ...owners] };
      }
    },
  },
  removing("without-intake", "An inbound workflow without `data_intake`.", inbound, "data_intake"),
  removing(
    "without-select",
    "An inbound workflow without `select`.",
    (config) => inbound(config).flatMap(setupOf),
    "select",
  ),
  removing(
    "without-map",
    "An inbound workflow without `map`.",
    (config) => inbound(config).flatMap(setupOf),
    "map",
  ),
  removing(
    "without-schedule",
    "A polling workflow without `schedule`.",
    (config) =>
      inbound(config)
        .filter((each) => intakeType(config, each) === "polling")
        .flatMap(setupOf),
    "schedule",
  ),
  adding(
    "schedule-of-webhook",
    "error",
    "`schedule` in a webhook workflow, or in a historical sync (D43).",
    (config) =>
      inbound(config)
        .filter((each) => intakeType(config, each) === "webhook")
        .flatMap(setupOf),
    "schedule",
    schedule,
  ),
  adding(
    "schedule-of-outbound",
    "error",
    "`schedule` in an outbound workflow (D43).",
    (config) => outbound(config).flatMap(setupOf),
    "schedule",
    schedule,
  ),
  {
    name: "workflow/intake-of-outbound",
    what: "`data_intake` of an outbound workflow (D43). Apps with an intake only, so that the name is right.",
    expects: "warning",
    *mutants(config) {
      const name = config.intakes.flatMap((intake) => get(intake, "name") ?? [])[0];
      if (name === undefined) return;
      for (const workflow of outbound(config)) yield added(workflow, "data_intake", source(config, name));
    },
  },
  {
    name: "workflow/historical-of-outbound",
    what: "`historical_data_intake` of an outbound workflow (D43).",
    expects: "warning",
    *mutants(config) {
      const polling = config.intakes.find((intake) => textAt(intake, "type") === "polling");
      const name = textAt(polling, "name");
      if (name !== undefined)
        for (const workflow of outbound(config))
          yield added(workflow, "historical_data_intake", JSON.stringify(name));
    },
  },
  {
    name: "workflow/historical-of-polling",
    what: "`historical_data_intake` of a polling workflow.",
    expects: "error",
    *mutants(config) {
      for (const workflow of inbound(config)) {
        const name = get(workflow, "data_intake");
        if (intakeType(config, workflow) === "polling" && name !== undefined)
          yield added(workflow, "historical_data_intake", source(config, name));
      }
    },
  },
  adding(
    "resource-type-of-outbound",
    "warning",
    "`resource_type` of an outbound workflow (D43).",
    outbound,
    "resource_type",
    '"forms"',
  ),
  {
    name: "workflow/selection-of-outbound",
    what: "`describe_selection` of an outbound workflow (D43).",
    expects: "warning",
    *mutants(config) {
      for (const workflow of outbound(config)) {
        const select = get(get(workflow, "setup"), "select");
        if (select?.kind !== "object" || select.member("describe_selection") !== undefined) continue;
        yield added(
          select,
          "describe_selection",
          '{ "resource_id": { "!jq": "\\"all\\"" }, "display": { "!jq": "\\"All\\"" } }',
        );
      }
    },
  },
  {
    name: "workflow/without-selection",
    what: "An inbound `select` without `describe_selection`.",
    expects: "error",
    *mutants(config) {
      for (const workflow of inbound(config)) {
        const select = get(get(workflow, "setup"), "select");
        if (select?.kind === "object") yield* missing(config, select, "describe_selection");
      }
    },
  },
  {
    name: "workflow/outbound-without-map",
    what: "An outbound workflow without `map` (D43).",
    expects: "hint",
    *mutants(config) {
      for (const setup of outbound(config).flatMap(setupOf)) {
        const map = setup.member("map");
        const owner = setup.parent?.kind === "member" ? setup.parent : undefined;
        const workflow = owner?.parent;
        if (map === undefined || workflow === undefined) continue;
        yield { edits: [without(config, map)], at: [ownerOf(setup), ownerOf(workflow)] } satisfies Mutant;
      }
    },
  },
  replacing("workflow/schedule-frequency", "error", "Another frequency than 1800 (D43).", function* (config) {
    for (const node of config.select("workflows.*.setup.schedule.frequency"))
      for (const text of ["3600", "60", "30", "0"]) yield [node, text];
  }),
  replacing("workflow/import-options-empty", "error", "No import option (D43).", function* (config) {
    for (const node of config.select("workflows.*.setup.schedule.import_options")) yield [node, "[]"];
  }),
  {
    name: "workflow/import-options-doubled",
    what: "An import type twice (D43).",
    expects: "error",
    *mutants(config) {
      for (const node of config.select("workflows.*.setup.schedule.import_options")) {
        if (node.kind !== "array" || node.items.length !== 2) continue;
        const [first, second] = node.items.map((item) => get(item, "type"));
        if (first !== undefined && second !== undefined)
          yield { edits: [replacement(second, source(config, first))], at: [second, node.items[1]!] };
      }
    },
  },
  {
    name: "workflow/import-options-three",
    what: "Three import options (D43).",
    expects: "error",
    *mutants(config) {
      for (const node of config.select("workflows.*.setup.schedule.import_options")) {
        if (node.kind !== "array" || node.items.length !== 2) continue;
        const end = node.items[1]!.end;
        const owner = node.parent?.kind === "member" ? node.parent.key : node;
        yield {
          edits: [{ start: end, end, newText: ', { "label": "Never", "type": "single" }' }],
          at: [owner, node, { start: end, end }],
        };
      }
    },
  },
  {
    name: "workflow/resource-labels",
    what: "A kind of label that there isn't.",
    expects: "error",
    *mutants(config) {
      for (const node of config.objects("workflows.*.resource_labels"))
        yield added(node, "polling_events", '["Poll"]');
    },
  },
];
