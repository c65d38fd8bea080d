import type { JsonNode, ObjectNode, Span, StringNode } from "@configc/compiler";
import type { Config, ExpansionSite } from "../config.ts";
import { get, itemsOf, pipeOf, textAt } from "../config.ts";
import { misspelled, replacement } from "../edits.ts";
import { type Kind, replacing } from "../kind.ts";

/** Strings that name something declared elsewhere. */
function* uses(config: Config): Generator<StringNode> {
  for (const member of ["auth", "data_intake", "historical_data_intake"])
    yield* config.strings(`workflows.*.${member}`);
  yield* config.strings("workflows.*.setup.map.default_group");
}

function references(name: string, what: string, rename: (text: string) => string): Kind {
  return replacing(name, "error", what, function* (config) {
    for (const node of uses(config)) {
      const text = rename(node.value);
      if (text !== node.value) yield [node, JSON.stringify(text)];
    }
  });
}

/** A mistake in one segment of the expansions of a root. */
function inExpansions(
  name: string,
  what: string,
  root: string,
  index: number,
  rename: (segment: string, site: ExpansionSite, config: Config) => string | undefined,
): Kind {
  return replacing(name, "error", what, function* (config) {
    for (const site of config.expansions(root)) {
      const segment = site.segments[index];
      const text = segment === undefined ? undefined : rename(segment, site, config);
      if (text !== undefined && text !== segment) yield [config.segment(site, index), text];
    }
  });
}

/** `.custom_data.ID` in jq programs, with the span of the id. */
function* jqFieldUses(config: Config): Generator<Span> {
  for (const { node, site } of config.programs()) {
    // Later steps of a pipe have the answers before them as input, not the roots.
    if ((pipeOf(site)?.stepsRun ?? 0) > 0) continue;
    const source = config.text.slice(node.start, node.end);
    for (const match of source.matchAll(/(?<![$\w{<.])\.custom_data\.([A-Za-z_]\w*)/g)) {
      const start = node.start + match.index + ".custom_data.".length;
      yield { start, end: start + match[1]!.length };
    }
  }
}

/** Everything that mentions a field, expansions and jq paths alike, as long as one workflow alone uses it. */
function fieldUses(config: Config, id: string): Span[] {
  const inExpansion = [...config.expansions("custom_data")].filter(({ segments }) => segments[1] === id);
  const inJq = [...jqFieldUses(config)].filter(({ start, end }) => config.text.slice(start, end) === id);
  return [...inExpansion.map((site) => config.segment(site, 1)), ...inJq].sort((a, b) => a.start - b.start);
}

function* fieldsWithId(config: Config): Generator<{ workflow: ObjectNode; id: StringNode; shared: boolean }> {
  const all = config.workflows.flatMap((workflow) =>
    config.fields(workflow).flatMap((field) => {
      const id = get(field, "id");
      return id?.kind === "string" ? [{ workflow, id }] : [];
    }),
  );
  for (const each of all)
    yield { ...each, shared: all.filter(({ id }) => id.value === each.id.value).length > 1 };
}

const resources = (config: Config): StringNode[] =>
  config.commands.flatMap(({ key, argument }) =>
    key === "!resource" && argument?.kind === "string" ? [argument] : [],
  );

export const referenceKinds: readonly Kind[] = [
  references(
    "reference/misspelled",
    "A slip in the name of an auth entry, an intake or a group.",
    misspelled,
  ),
  references("reference/wrong-case", "The name in other letters (D5).", (text) =>
    text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase(),
  ),
  references("reference/undeclared", "A name that nothing resembles.", () => "zzz-qqq-xxx"),
  {
    name: "reference/renamed-auth",
    what: "An auth entry is renamed, its uses aren't.",
    expects: "error",
    *mutants(config) {
      for (const entry of config.objects("auth.*")) {
        const key = entry.parent?.kind === "member" ? entry.parent.key : undefined;
        if (key === undefined) continue;
        const at = config.strings("workflows.*.auth").filter(({ value }) => value === key.value);
        if (at.length > 0) yield { edits: [replacement(key, '"renamed-connection"')], at };
      }
    },
  },
  {
    name: "reference/renamed-intake",
    what: "An intake is renamed, its uses aren't.",
    expects: "error",
    *mutants(config) {
      for (const name of config.strings("data_intake.*.name")) {
        const at = [...uses(config)].filter(({ value, parent }) => {
          return value === name.value && parent?.kind === "member" && parent.name.endsWith("data_intake");
        });
        if (at.length > 0) yield { edits: [replacement(name, '"renamed-intake"')], at };
      }
    },
  },
  {
    name: "reference/historical-webhook",
    what: "`historical_data_intake` names a webhook intake.",
    expects: "error",
    *mutants(config) {
      for (const node of config.strings("workflows.*.historical_data_intake")) {
        const webhook = config.intakes.find((intake) => textAt(intake, "type") === "webhook");
        const name = textAt(webhook, "name");
        if (name !== undefined) yield { edits: [replacement(node, JSON.stringify(name))], at: [node] };
      }
    },
  },
  {
    name: "reference/swapped-intakes",
    what: "A historical sync whose `data_intake` names the polling intake.",
    expects: "error",
    *mutants(config) {
      for (const workflow of config.workflows) {
        const [intake, historical] = [get(workflow, "data_intake"), get(workflow, "historical_data_intake")];
        if (intake?.kind !== "string" || historical?.kind !== "string") continue;
        yield { edits: [replacement(intake, JSON.stringify(historical.value))], at: [intake, historical] };
      }
    },
  },
  inExpansions(
    "reference/field-misspelled",
    "A slip in the id of a form field.",
    "custom_data",
    1,
    (id, site, config) => {
      const ids = [...fieldsWithId(config)].map((field) => field.id.value);
      return ids.includes(misspelled(id)) || site.segments.length < 3 ? undefined : misspelled(id);
    },
  ),
  inExpansions("reference/field-undeclared", "The id of no form field.", "custom_data", 1, () => "zzz-qqq"),
  inExpansions("reference/field-wrong-case", "The id of a form field in capitals.", "custom_data", 1, (id) =>
    id.toUpperCase(),
  ),
  replacing(
    "reference/jq-field-misspelled",
    "error",
    "A slip in `.custom_data.ID` of a jq program.",
    function* (config) {
      for (const span of jqFieldUses(config))
        yield [span, misspelled(config.text.slice(span.start, span.end))];
    },
  ),
  {
    name: "reference/field-renamed",
    what: "A form field's id is changed, its uses aren't. Fields of one workflow only, so that each use means this one.",
    expects: "error",
    *mutants(config) {
      for (const { id, shared } of fieldsWithId(config)) {
        const at = fieldUses(config, id.value);
        if (!shared && at.length > 0) yield { edits: [replacement(id, '"renamed-field"')], at };
      }
    },
  },
  {
    name: "reference/field-removed",
    what: "A form field is removed, its uses aren't. Not the only one of a workflow: an empty list is another mistake.",
    expects: "error",
    *mutants(config) {
      for (const { workflow, id, shared } of fieldsWithId(config)) {
        const at = fieldUses(config, id.value);
        const fields = config.fields(workflow);
        const field = fields.find((each) => get(each, "id") === id)!;
        const i = fields.indexOf(field);
        const next = fields[i + 1];
        const inside = (span: Span) => field.start <= span.start && span.end <= field.end;
        if (shared || at.length === 0 || next === undefined || at.some(inside)) continue;
        yield { edits: [{ start: field.start, end: next.start, newText: "" }], at };
      }
    },
  },
  inExpansions(
    "reference/saved-key-misspelled",
    "A slip in a saved key. Keys of an answer saved as a whole aren't known.",
    "data",
    2,
    (key, site, config) =>
      savedKeys(config, site.segments[1]!)?.includes(key) ? misspelled(key) : undefined,
  ),
  inExpansions(
    "reference/saved-scope-misspelled",
    "A slip in the scope of saved data.",
    "data",
    1,
    misspelled,
  ),
  inExpansions("reference/saved-scope-foreign", "A scope that isn't one.", "data", 1, () => "account"),
  inExpansions(
    "reference/saved-scope-other",
    "A scope that nothing is saved in.",
    "data",
    1,
    (scope, _, config) =>
      ["workflow", "connection"].find(
        (other) =>
          other !== scope &&
          savedKeys(config, other) === undefined &&
          !config.text.includes(`"scope": "${other}" } }`),
      ),
  ),
  inExpansions(
    "reference/polling-key-misspelled",
    "A slip in a polling key.",
    "polling_state",
    1,
    misspelled,
  ),
  inExpansions(
    "reference/polling-key-undeclared",
    "A polling key that nothing writes.",
    "polling_state",
    1,
    () => "zzz_qqq",
  ),
  inExpansions(
    "reference/pipe-index-too-large",
    "The output of a step that hasn't run.",
    "piped_content",
    1,
    (_, { site }) => {
      const pipe = pipeOf(site);
      return pipe === undefined ? "1" : `${pipe.stepsRun + 1}`;
    },
  ),
  inExpansions(
    "reference/pipe-index-far",
    "The output of a step that the pipe doesn't have.",
    "piped_content",
    1,
    () => "99",
  ),
  inExpansions("reference/pipe-index-negative", "A negative index.", "piped_content", 1, () => "-1"),
  inExpansions("reference/pipe-index-name", "A name instead of an index.", "piped_content", 1, () => "last"),
  replacing(
    "reference/resource-misspelled",
    "error",
    "A slip in the name of a resource.",
    function* (config) {
      for (const node of resources(config)) {
        const [name = "", ...rest] = node.value.split(".");
        yield [node, JSON.stringify([misspelled(name), ...rest].join("."))];
      }
    },
  ),
  replacing("reference/resource-member-misspelled", "error", "A slip in `.fields`.", function* (config) {
    for (const node of resources(config)) {
      const [name = "", member] = node.value.split(".");
      if (member !== undefined) yield [node, JSON.stringify(`${name}.${misspelled(member)}`)];
    }
  }),
  replacing(
    "reference/resource-unknown",
    "error",
    "A resource that the platform doesn't have.",
    function* (config) {
      for (const node of resources(config))
        yield [node, node.value.includes(".") ? '"PlatformInvoice.fields"' : '"PlatformInvoice"'];
    },
  ),
];

/** Keys that the `!save`s of a scope certainly write: those of an object right before, or of `!extract`. */
export function savedKeys(config: Config, scope: string): readonly string[] | undefined {
  const keys: string[] = [];
  let any = false;
  for (const site of config.commands) {
    if (site.key !== "!save" || textAt(site.argument, "scope") !== scope) continue;
    any = true;
    const before = stepBefore(site.parent?.argument, site.index);
    const extracted = itemsOf(get(get(before, "!extract"), "item_keys"));
    const jq = textAt(before, "!jq");
    if (extracted.length > 0)
      keys.push(...extracted.flatMap((item) => (item.kind === "string" ? [item.value] : [])));
    else if (jq !== undefined && /^\{[^{}|]*\}$/.test(jq))
      keys.push(
        ...jq
          .slice(1, -1)
          .split(",")
          .map((part) => part.split(":")[0]!.trim()),
      );
    else return undefined;
  }
  return any ? keys : undefined;
}

function stepBefore(steps: JsonNode | undefined, index: number): JsonNode | undefined {
  return itemsOf(steps)[index - 1];
}
