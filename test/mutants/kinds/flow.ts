import type { ArrayNode, StringNode } from "@configc/compiler";
import { type CommandSite, type Config, get, itemsOf, pipeOf, textAt } from "../config.ts";
import { misspelled, source } from "../edits.ts";
import type { Kind, Mutant } from "../kind.ts";
import { lastPrograms } from "./jq.ts";

/** Mistakes that show only in the types which flow from command to command. */

/** Programs that are one object construction, in plain names: `{email: .email, name}`. Then its members are known. */
function membersOf(program: StringNode): readonly string[] | undefined {
  const match = /^\{([^{}[\]()|"$]*)\}$/.exec(program.value);
  const names = match?.[1]?.split(",").map((entry) => /^\s*([a-z_]\w*)\s*(?::|$)/.exec(entry)?.[1]);
  return names?.every((name) => name !== undefined) === true ? (names as string[]) : undefined;
}

function program(step: unknown): StringNode | undefined {
  const node = get(step as ArrayNode["items"][number] | undefined, "!jq");
  return node?.kind === "string" ? node : undefined;
}

/** A program in which a part is worked out that certainly fails, and that otherwise gives what it gave. */
function failing(name: string, ...parts: readonly string[]): Kind {
  return {
    name: `flow/${name}`,
    what: "A part of a program that fails whatever comes in.",
    expects: "error",
    *mutants(config) {
      for (const { node } of lastPrograms(config, "source", "target", "describe_connection", "options")) {
        const before = source(config, node).slice(1, -1);
        for (const part of parts) {
          const newText = `"(${before}) as $kept | (${JSON.stringify(part).slice(1, -1)}) as $added | $kept"`;
          yield { edits: [{ start: node.start, end: node.end, newText }], at: [node] };
        }
      }
    },
  };
}

export const flowKinds: readonly Kind[] = [
  {
    name: "flow/step-member-misspelled",
    what: "An expansion misspells a member that a `!jq` step before makes.",
    expects: "error",
    *mutants(config) {
      for (const expansion of config.expansions("piped_content")) {
        const { site, segments, filters } = expansion;
        const [, index, name] = segments;
        const pipe = pipeOf(site)?.pipe;
        const made = program(itemsOf(pipe?.argument)[Number(index) - 1]);
        const members = made === undefined ? undefined : membersOf(made);
        if (name === undefined || members?.includes(name) !== true || filters.length > 0) continue;
        const wrong = misspelled(name);
        if (members.includes(wrong)) continue;
        const at = config.segment(expansion, 2);
        yield { edits: [{ ...at, newText: wrong }], at: [at] };
      }
    },
  },
  {
    name: "flow/next-step-misspells",
    what: "A program misspells a member that the `!jq` step before makes: it reads null.",
    expects: "warning",
    *mutants(config) {
      for (const { node, site } of lastPrograms(
        config,
        "source",
        "target",
        "describe_connection",
        "options",
      )) {
        // In a pipe of its own, `piped_content` means another one.
        if (node.value.includes("piped_content") || node.value.includes("#")) continue;
        const program = source(config, node).slice(1, -1);
        const newText = `{"!pipe": [{"!jq": "{kept: (${program}), title: 1}"}, {"!jq": ".titel as $added | .kept"}]}`;
        yield { edits: [{ start: site.node.start, end: site.node.end, newText }], at: [node] };
      }
    },
  },
  {
    name: "flow/mapped-field-misspelled",
    what: "The pipeline reads a field that no target option has.",
    expects: "error",
    *mutants(config) {
      for (const expansion of config.expansions("piped_content")) {
        const { site, segments, filters } = expansion;
        const [, index, name] = segments;
        if (site.place.at(-1) !== "target" || index !== "0" || name === undefined || filters.length > 0)
          continue;
        if (site.parent !== undefined && pipeOf(site)?.pipe.parent !== undefined) continue;
        const map = get(get(site.unit, "setup"), "map");
        const options = get(get(map, "describe_target"), "options");
        const ids = itemsOf(options).map((option) => textAt(option, "group") ?? textAt(option, "id"));
        if (!ids.includes(name) || ids.includes(undefined) || ids.includes(misspelled(name))) continue;
        const at = config.segment(expansion, 2);
        yield { edits: [{ ...at, newText: misspelled(name) }], at: [at] };
      }
    },
  },
  {
    name: "flow/source-option-unknown",
    what: "A field can be mapped that `source` never gives.",
    expects: "warning",
    *mutants(config) {
      for (const workflow of config.workflows) {
        const made = program(get(get(workflow, "data_pipeline"), "source"));
        const members = made === undefined ? undefined : membersOf(made);
        const map = get(get(workflow, "setup"), "map");
        for (const option of itemsOf(get(get(map, "describe_source"), "options"))) {
          const id = get(option, "id");
          if (members === undefined || id?.kind !== "string") continue;
          yield { edits: [{ start: id.start, end: id.end, newText: '"zzz_qqq"' }], at: [id] };
        }
      }
    },
  },
  {
    name: "flow/text-compared-with-number",
    what: "What a customer types is compared with a number (D10).",
    expects: "warning",
    *mutants(config) {
      for (const { node, site } of config.programs()) {
        if (site.key !== "!jq") continue;
        if (!site.place.includes("map") && !site.place.includes("data_pipeline")) continue;
        for (const expansion of typedFields(config, site)) {
          const before = source(config, node).slice(1, -1);
          const newText = `"(if ${expansion} == 5 then 1 else 2 end) as $kept | ${before}"`;
          yield { edits: [{ start: node.start, end: node.end, newText }], at: [node] };
        }
      }
    },
  },
  {
    name: "flow/tags-no-list",
    what: "`_tags` that is no list of texts.",
    expects: "error",
    *mutants(config) {
      for (const { node } of lastPrograms(config, "source")) {
        const source = config.text.slice(node.start + 1, node.end - 1);
        if (!source.startsWith("{") || !source.endsWith("}") || source.includes("_tags")) continue;
        for (const tags of ['\\"vip\\"', "[1]", "{vip: true}"]) {
          const newText = `${source.slice(0, -1)}, _tags: ${tags}}`;
          yield { edits: [{ start: node.start + 1, end: node.end - 1, newText }], at: [node] };
        }
      }
    },
  },
  {
    name: "flow/switch-by-boolean",
    what: "A `!switch` whose program gives true or false.",
    expects: "error",
    *mutants(config) {
      for (const site of config.commands) {
        const jq = site.key === "!switch" ? get(site.argument, "jq") : undefined;
        if (jq === undefined) continue;
        for (const text of ['".kind == 1"', '"(.items | length) > 0"'])
          yield { edits: [{ start: jq.start, end: jq.end, newText: text }], at: [jq] };
      }
    },
  },
  {
    name: "flow/response-member-misspelled",
    what: "A program misspells a member that the samples of the request before have.",
    expects: "warning",
    *mutants(config) {
      const names = memberNames(config.samples.responses.map(({ body }) => body));
      for (const { node, site } of config.programs())
        if (site.key === "!jq" && followsRequest(site)) yield* misspelledMembers(config, node, names);
    },
  },
  {
    name: "flow/payload-member-misspelled",
    what: "What reads a webhook's payload misspells a member that the samples of it have.",
    expects: "warning",
    *mutants(config) {
      const names = memberNames(config.samples.payloads.map(({ payload }) => payload));
      for (const { node, site } of config.programs()) {
        const takesPayload = ["resource_id", "account_id"].some((name) => site.place.includes(name));
        if (takesPayload && site.place[0] === "data_intake" && site.key === "!jq")
          yield* misspelledMembers(config, node, names);
      }
      for (const expansion of config.expansions("piped_content")) {
        const { segments, site } = expansion;
        if (!site.place.includes("source") || segments[1] !== "0") continue;
        for (const [index, name] of segments.entries()) {
          if (name.length < 4 || !names.has(name)) continue;
          const at = config.segment(expansion, index);
          yield { edits: [{ ...at, newText: misspelled(name) }], at: [at] };
        }
      }
    },
  },
  failing("text-plus-number", '"page " + 1', "(now | todate) - 1"),
  failing("list-read-as-object", '("a b" | split(" ")).first'),
  failing("object-read-as-list", "{a: 1}[0]"),
  failing("iterates-scalar", "[now | floor | .[]]"),
  failing("wrong-input", "now | keys", "{} | ascii_downcase"),
  failing("wrong-argument", '"a b" | split(1)', '"a" | startswith(1)'),
  failing("number-as-key", "{(now | floor): 1}"),
];

/** Text fields of the workflow around, as expansions. */
function typedFields(config: Config, site: CommandSite): string[] {
  if (site.unit === undefined) return [];
  return config.fields(site.unit).flatMap((field) => {
    const [id, type] = [textAt(field, "id"), textAt(field, "type")];
    if (id === undefined || (type !== "textarea" && type !== "text")) return [];
    // What can be chosen from a list has the type of the list's values.
    if (get(field, "options") !== undefined) return [];
    return get(field, "required")?.kind === "boolean"
      ? `\${custom_data.${id}.value | default}`
      : `\${custom_data.${id}.value}`;
  });
}

/** Whether the step before is a request, whose response the program gets. */
function followsRequest(site: CommandSite): boolean {
  const found = pipeOf(site);
  const before = found === undefined ? undefined : itemsOf(found.pipe.argument)[found.stepsRun - 1];
  return get(before, "!http") !== undefined;
}

/** Mutants of a program that reads what the samples show. */
function* misspelledMembers(config: Config, node: StringNode, names: ReadonlySet<string>): Generator<Mutant> {
  // Behind `//` another value is meant to stand in, and in a nested pipe the names may be of something else.
  if (node.value.includes("//") || node.value.includes("piped_content")) return;
  for (const match of config.text.slice(node.start, node.end).matchAll(/(?<=\.)([a-z_]{4,})\b(?!\()/g)) {
    const [name] = match;
    if (!names.has(name) || names.has(misspelled(name))) continue;
    const at = { start: node.start + match.index, end: node.start + match.index + name.length };
    yield { edits: [{ ...at, newText: misspelled(name) }], at: [at] };
  }
}

/** Names of members in samples, at any depth. */
function memberNames(samples: readonly unknown[]): Set<string> {
  const names = new Set<string>();
  const pending = [...samples];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (typeof at !== "object" || at === null) continue;
    if (!Array.isArray(at)) for (const name of Object.keys(at)) names.add(name);
    pending.push(...Object.values(at).filter((each) => each !== undefined));
  }
  return names;
}
