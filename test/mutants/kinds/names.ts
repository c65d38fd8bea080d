import type { ObjectNode, StringNode } from "@configc/compiler";
import type { Config } from "../config.ts";
import { get, itemsOf, textAt } from "../config.ts";
import { replacement, source } from "../edits.ts";
import { type Kind, type Mutant, replaced, replacing } from "../kind.ts";

/** Gives the second of two neighbours the first's name; the second must be reported. Uses of its old name go with it. */
function* doubled(
  config: Config,
  nodes: readonly StringNode[],
  uses: (old: string) => Iterable<StringNode>,
): Generator<Mutant> {
  for (const [i, node] of nodes.entries()) {
    const before = nodes[i - 1];
    if (before === undefined) continue;
    const text = source(config, before);
    const edits = [replacement(node, text), ...[...uses(node.value)].map((use) => replacement(use, text))];
    yield { edits, at: [node] };
  }
}

function names(objects: readonly ObjectNode[], member: string): StringNode[] {
  return objects.flatMap((object) => get(object, member) ?? []).filter((node) => node.kind === "string");
}

/** Static lists of map options, each with the values of `id` in it, group by group. */
function* optionIds(config: Config): Generator<readonly [ObjectNode, ObjectNode]> {
  for (const side of ["describe_source", "describe_target"]) {
    for (const options of config.select(`workflows.*.setup.map.${side}.options`)) {
      const objects = itemsOf(options).filter((item) => item.kind === "object");
      for (const [i, option] of objects.entries()) {
        const before = objects[i - 1];
        if (before !== undefined && textAt(before, "group") === textAt(option, "group"))
          yield [before, option];
      }
    }
  }
}

export const nameKinds: readonly Kind[] = [
  {
    name: "name/duplicate-workflow",
    what: "Two workflows of one name.",
    expects: "error",
    mutants: (config) => doubled(config, names(config.workflows, "name"), () => []),
  },
  {
    name: "name/duplicate-intake",
    what: "Two intakes of one name, whatever their kinds; all that used the second's old name follow.",
    expects: "error",
    mutants: (config) =>
      doubled(config, names(config.intakes, "name"), (old) =>
        ["data_intake", "historical_data_intake"]
          .flatMap((member) => names(config.workflows, member))
          .filter(({ value }) => value === old),
      ),
  },
  {
    name: "name/duplicate-field",
    what: "A form field is copied and its id left as it was.",
    expects: "error",
    *mutants(config) {
      for (const workflow of config.workflows) {
        const fields = config.fields(workflow);
        const last = fields[fields.length - 1];
        for (const field of fields) {
          const id = get(field, "id");
          if (last === undefined || id === undefined) continue;
          const newText = `, { "id": ${source(config, id)}, "label": "Copy", "type": "textarea", "required": false }`;
          yield replaced({ start: last.end, end: last.end }, newText);
        }
      }
    },
  },
  {
    name: "name/duplicate-auth",
    what: "Two auth entries of one name.",
    expects: "error",
    *mutants(config) {
      const auth = config.root.get("auth");
      if (auth?.kind !== "object") return;
      for (const member of auth.members) {
        const { end } = member;
        yield replaced({ start: end, end }, `, ${source(config, member)}`);
      }
    },
  },
  {
    name: "name/duplicate-option",
    what: "Two map options of one id in a group.",
    expects: "error",
    *mutants(config) {
      for (const [before, option] of optionIds(config)) {
        const [first, second] = [get(before, "id"), get(option, "id")];
        if (first === undefined || second === undefined) continue;
        yield { edits: [replacement(second, source(config, first))], at: [second] };
      }
    },
  },
  {
    name: "name/duplicate-option-number",
    what: 'Map options 1 and "1" (D5).',
    expects: "error",
    *mutants(config) {
      for (const [before, option] of optionIds(config)) {
        const [first, second] = [get(before, "id"), get(option, "id")];
        if (first === undefined || second === undefined) continue;
        yield { edits: [replacement(first, "1"), replacement(second, '"1"')], at: [second] };
      }
    },
  },
  {
    name: "name/unnameable-field",
    what: "A field id that no expansion can name, and none does.",
    expects: "warning",
    *mutants(config) {
      for (const workflow of config.workflows) {
        const { end } = config.fields(workflow).at(-1) ?? workflow;
        if (end === workflow.end) continue;
        for (const id of ["my field", "my.field", "size[cm]"]) {
          yield replaced(
            { start: end, end },
            `, { "id": "${id}", "label": "Field", "type": "textarea", "required": false }`,
          );
        }
      }
    },
  },
  replacing("name/workflow-slug", "hint", "A workflow name that is no slug.", function* (config) {
    for (const node of names(config.workflows, "name")) yield [node, '"My Workflow"'];
  }),
  replacing("name/label-form", "hint", "A label without the brand's name before a dash.", function* (config) {
    for (const node of names(config.workflows, "label")) yield [node, '"Import contacts"'];
  }),
  replacing("name/description-period", "hint", "A description without a period.", function* (config) {
    for (const { end, value } of names(config.workflows, "description")) {
      if (value.endsWith(".")) yield [{ start: end - 2, end: end - 1 }, ""];
    }
  }),
  replacing("name/singular-resource-type", "hint", "A resource type in the singular.", function* (config) {
    for (const node of names(config.workflows, "resource_type")) {
      if (/[^s]s$/.test(node.value)) yield [node, JSON.stringify(node.value.slice(0, -1))];
    }
  }),
];
