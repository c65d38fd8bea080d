import type { MemberNode } from "@configc/compiler";
import type { Config } from "../config.ts";
import { added, camelCased, memberEdit, missing, misspelled, source } from "../edits.ts";
import { type Kind, type Mutant, replacing } from "../kind.ts";

/** Members whose names the closed tables of the specification give. */
function* closed(config: Config): Generator<MemberNode> {
  // Remarks aside: an unknown member that begins with an underscore is none of the table's business.
  for (const member of config.members) if (member.name !== "_comment") yield member;
}

const renamed = (name: string, what: string, rename: (name: string) => string): Kind =>
  replacing(name, "error", what, function* (config) {
    for (const { key } of closed(config)) {
      const newName = rename(key.value);
      if (newName !== key.value) yield [key, JSON.stringify(newName)];
    }
  });

/** What the specification requires, by the path of the object around it. Commands, directions and types have kinds of their own. */
const required: readonly (readonly [path: string, members: readonly string[]])[] = [
  ["", ["$version", "auth", "api", "workflows"]],
  ["api", ["base_url"]],
  ["workflows.*", ["name", "label", "type", "auth", "setup", "data_pipeline"]],
  ["workflows.*.setup", ["connect"]],
  ["workflows.*.setup.connect", ["label", "describe_connection"]],
  ["workflows.*.setup.select", ["label", "form_fields"]],
  ["workflows.*.setup.select.form_fields.*", ["label", "id", "type"]],
  ["workflows.*.setup.select.describe_selection", ["resource_id", "display"]],
  ["workflows.*.setup.map", ["label", "describe_source", "describe_target"]],
  ["workflows.*.setup.map.describe_source", ["label", "options"]],
  ["workflows.*.setup.map.describe_target", ["label", "options"]],
  ["workflows.*.setup.map.describe_source.options.*", ["title", "id"]],
  ["workflows.*.setup.map.describe_target.options.*", ["title", "id"]],
  ["workflows.*.setup.map.describe_target.options.*.source_fields.*", ["title", "id"]],
  ["workflows.*.setup.schedule", ["label", "description", "import_options", "frequency"]],
  ["workflows.*.setup.schedule.import_options.*", ["label", "type"]],
  ["workflows.*.data_pipeline", ["source", "target"]],
  ["data_intake.*", ["type", "name"]],
];

/** Members whose objects have closed tables. */
const wrappable: ReadonlySet<string> = new Set([
  "configuration",
  "pagination",
  "setup",
  "connect",
  "select",
  "describe_selection",
  "map",
  "describe_source",
  "describe_target",
  "schedule",
  "data_pipeline",
]);

/** Names that people expect and the tables don't have. */
const inventions: readonly (readonly [path: string, member: string, json: string])[] = [
  ["", "version", '"2"'],
  ["", "name", '"My app"'],
  ["api", "url", '"https://api.example.com"'],
  ["api", "headers", "{}"],
  ["api", "timeout", "30"],
  ["workflows.*", "title", '"My workflow"'],
  ["workflows.*", "enabled", "true"],
  ["workflows.*", "id", '"my-workflow"'],
  ["workflows.*.setup", "review", "{}"],
  ["workflows.*.setup.connect", "title", '"Connect"'],
  ["workflows.*.setup.select", "fields", "[]"],
  ["workflows.*.setup.select.form_fields.*", "name", '"field"'],
  ["workflows.*.setup.select.form_fields.*", "default", '"a"'],
  ["workflows.*.setup.map", "options", "[]"],
  ["workflows.*.setup.schedule", "interval", "1800"],
  ["workflows.*.data_pipeline", "transform", '{ "!jq": "." }'],
  ["data_intake.*", "label", '"Intake"'],
  ["data_intake.*", "url", '"https://api.example.com/hooks"'],
];

/** Members that stand one level too high or too low. */
const displaced: readonly (readonly [from: string, member: string, to: string])[] = [
  ["workflows.*.setup", "schedule", "workflows.*"],
  ["workflows.*.setup", "connect", "workflows.*"],
  ["workflows.*", "data_pipeline", "workflows.*.setup"],
  ["workflows.*", "auth", "workflows.*.setup"],
  ["workflows.*", "data_intake", "workflows.*.data_pipeline"],
  ["workflows.*.setup.select", "describe_selection", "workflows.*.setup"],
  ["api", "base_url", ""],
  ["api.pagination", "parser", "api"],
  ["api.pagination.style", "type", "api.pagination"],
];

export const memberKinds: readonly Kind[] = [
  renamed("member/misspelled", "A slip in a member's name.", (name) =>
    name.startsWith("!") ? name : misspelled(name),
  ),
  renamed("member/camel-case", "`baseUrl` instead of `base_url`.", camelCased),
  renamed("member/dashes", "`base-url` instead of `base_url`.", (name) => name.replaceAll("_", "-")),
  renamed("member/capital", "`Type` instead of `type`.", (name) =>
    name.replace(/^[a-z]/, (letter) => letter.toUpperCase()),
  ),
  {
    name: "member/wrapped-again",
    what: "An object in another one of its own name.",
    expects: "error",
    *mutants(config) {
      for (const { name, value } of closed(config)) {
        if (value?.kind !== "object" || !wrappable.has(name)) continue;
        const before = { start: value.start, end: value.start, newText: `{ "${name}": ` };
        const after = { start: value.end, end: value.end, newText: " }" };
        yield { edits: [before, after], at: [{ start: value.start, end: value.start }] };
      }
    },
  },
  {
    name: "member/missing",
    what: "A required member is left out.",
    expects: "error",
    *mutants(config) {
      for (const [path, names] of required) {
        for (const object of at(config, path)) for (const name of names) yield* missing(config, object, name);
      }
    },
  },
  {
    name: "member/duplicate",
    what: "A member stands twice in an object: the second is reported.",
    expects: "error",
    *mutants(config) {
      for (const member of config.members) {
        const last = member.parent.members[member.parent.members.length - 1]!;
        const newText = `, ${source(config, member)}`;
        yield {
          edits: [{ start: last.end, end: last.end, newText }],
          at: [{ start: last.end, end: last.end }],
        };
      }
    },
  },
  {
    name: "member/invented",
    what: "A member that people expect and the language doesn't have.",
    expects: "error",
    *mutants(config) {
      for (const [path, name, json] of inventions) {
        for (const object of at(config, path)) yield added(object, name, json);
      }
    },
  },
  {
    name: "member/displaced",
    what: "A member in the object around its own, or in one beside it: reported there, or where it is missing.",
    expects: "error",
    *mutants(config) {
      for (const [from, name, to] of displaced) {
        const targets = at(config, to);
        for (const [i, object] of at(config, from).entries()) {
          const target = targets.length === 1 ? targets[0] : targets[i];
          const member = object.member(name);
          // Only one of several children has the member: pairing by index would mix workflows up.
          if (member === undefined || target === undefined || targets.length !== at(config, from).length)
            continue;
          const [gone] = missing(config, object, name);
          yield {
            edits: [...gone!.edits, memberEdit(target, name, source(config, member.value!))],
            at: [...gone!.at, { start: target.start + 1, end: target.start + 1 }],
          } satisfies Mutant;
        }
      }
    },
  },
];

function at(config: Config, path: string) {
  return path === "" ? [config.root] : config.objects(path);
}
