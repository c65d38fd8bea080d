import type { ObjectNode } from "@configc/compiler";
import type { Config } from "../config.ts";
import { get, itemsOf, textAt } from "../config.ts";
import { added, keySpan, replacement } from "../edits.ts";
import { type Kind, replaced, replacing } from "../kind.ts";

function* staticOptions(config: Config, side: string, type?: string): Generator<ObjectNode> {
  for (const workflow of config.workflows) {
    if (type !== undefined && textAt(workflow, "type") !== type) continue;
    for (const option of itemsOf(get(get(get(get(workflow, "setup"), "map"), side), "options"))) {
      if (option.kind === "object") yield option;
    }
  }
}

function* optionsOf(config: Config, side: string, type: string) {
  for (const workflow of config.workflows) {
    const node = get(get(get(workflow, "setup"), "map"), side);
    const member = node?.kind === "object" ? node.member("options") : undefined;
    if (textAt(workflow, "type") === type && member?.value !== undefined)
      yield { member, value: member.value, owner: node!, workflow };
  }
}

function withoutPlatform(
  name: string,
  what: string,
  type: string,
  side: "source" | "target",
  options: string,
  command: string,
): Kind {
  return {
    name,
    what,
    expects: "warning",
    *mutants(config) {
      for (const { member, value, workflow } of optionsOf(config, `describe_${side}`, type)) {
        const pipeline = get(workflow, "data_pipeline");
        const step = pipeline?.kind === "object" ? pipeline.member(side) : undefined;
        if (get(value, "!resource") === undefined || step?.value === undefined) continue;
        const edits = [replacement(value, options), replacement(step.value, command)];
        yield { edits, at: [keySpan(member.parent), member, step.key] };
      }
    },
  };
}

export const mappingKinds: readonly Kind[] = [
  {
    name: "map/required-in-source",
    what: "`required` of a source option, where it has no effect (D43).",
    expects: "warning",
    *mutants(config) {
      for (const option of staticOptions(config, "describe_source")) {
        if (option.member("required") === undefined) yield added(option, "required", "true");
      }
    },
  },
  {
    name: "map/source-fields-in-source",
    what: "`source_fields` of a source option (D43).",
    expects: "warning",
    *mutants(config) {
      for (const option of staticOptions(config, "describe_source")) {
        yield added(option, "source_fields", '[{ "title": "Yes", "id": "yes" }]');
      }
    },
  },
  withoutPlatform(
    "map/inbound-without-platform",
    "An inbound workflow whose target isn't the platform, neither in the map nor in the pipeline (D43).",
    "generic",
    "target",
    '[{ "title": "Email", "id": "email", "required": true }, { "title": "Name", "id": "name" }]',
    '{ "!http": { "method": "POST", "path": "/people", "body": "${piped_content.0}" } }',
  ),
  withoutPlatform(
    "map/outbound-without-platform",
    "An outbound workflow whose source isn't the platform (D43).",
    "automations",
    "source",
    '[{ "title": "Email", "id": "email" }, { "title": "Name", "id": "name" }]',
    '{ "!http": { "path": "/people/1" } }',
  ),
  {
    name: "map/email-optional",
    what: "An inbound static target list whose `email` isn't required (D43).",
    expects: "warning",
    *mutants(config) {
      for (const { member, value } of optionsOf(config, "describe_target", "generic")) {
        for (const option of itemsOf(value)) {
          const required = get(option, "required");
          if (textAt(option, "id") === "email" && required !== undefined)
            yield { ...replaced(required, "false"), at: [required, option, member] };
        }
      }
    },
  },
  replacing("map/option-text", "error", "Options that are texts.", function* (config) {
    for (const side of ["describe_source", "describe_target"]) {
      for (const option of staticOptions(config, side)) yield [option, '"email"'];
    }
  }),
  {
    name: "map/option-of-field",
    what: "An option of a map with the members of a form field's.",
    expects: "error",
    *mutants(config) {
      for (const option of staticOptions(config, "describe_source")) {
        const owner = option;
        const title = owner.member("title");
        const id = owner.member("id");
        if (title !== undefined && id !== undefined) {
          yield {
            edits: [{ start: title.key.start, end: title.key.end, newText: '"display"' }],
            at: [title.key, id.value!],
          };
        }
      }
    },
  },
  {
    name: "map/default-group-without-groups",
    what: "`default_group` of a map without groups (D36).",
    expects: "error",
    *mutants(config) {
      for (const map of config.objects("workflows.*.setup.map")) {
        const target = itemsOf(get(get(map, "describe_target"), "options"));
        const flat = target.length > 0 && target.every((option) => get(option, "group") === undefined);
        if (flat && map.member("default_group") === undefined) {
          const mutant = added(map, "default_group", '"contact"');
          yield mutant;
        }
      }
    },
  },
];
