import type { Span } from "@configc/compiler";
import type { Config, ExpansionSite } from "../config.ts";
import { get } from "../config.ts";
import { misspelled, replacement, source } from "../edits.ts";
import { type Kind, replacing } from "../kind.ts";

/** A mistake in the text between the opener and the closer of each expansion; undefined where it can't be made. */
function inside(
  name: string,
  expects: Kind["expects"],
  what: string,
  change: (inner: string, site: ExpansionSite, config: Config) => string | undefined,
): Kind {
  return replacing(name, expects, what, function* (config) {
    for (const site of config.expansions()) {
      const text = change(site.inner, site, config);
      if (text !== undefined && text !== site.inner) yield [innerOf(site), text];
    }
  });
}

function innerOf({ span, inner }: ExpansionSite): Span {
  return { start: span.start + 2, end: span.start + 2 + inner.length };
}

const isAttribute = ({ segments }: ExpansionSite): boolean =>
  segments[0] === "custom_data" && segments.length === 3;

/** Fields of that id, one for each workflow that has one. */
function fieldsOf(config: Config, id: string | undefined) {
  return config.workflows
    .flatMap((workflow) => config.fields(workflow))
    .filter((field) => {
      const value = get(field, "id");
      return value?.kind === "string" && value.value === id;
    });
}

function isOptional(config: Config, id: string | undefined): boolean {
  return fieldsOf(config, id).some((field) => {
    const required = get(field, "required");
    return required?.kind === "boolean" && !required.value;
  });
}

/** Expansions in strings other than jq programs: there, the string's end ends the expansion too. */
const outsideJq = ({ site }: ExpansionSite): boolean => site.key !== "!jq" && site.key !== "!switch";

/** Expansions of more than a root, written as other languages write theirs. */
const lookalike = (name: string, what: string, write: (inner: string) => string): Kind =>
  replacing(`expansion/${name}`, "warning", what, function* (config) {
    for (const site of config.expansions()) {
      if (outsideJq(site) && site.segments.length > 1 && source(config, site.span).startsWith("${"))
        yield [site.span, write(site.inner)];
    }
  });

export const expansionKinds: readonly Kind[] = [
  lookalike("without-dollar", "An expansion without its dollar sign.", (inner) => `{${inner}}`),
  lookalike("double-braces", "An expansion in two braces.", (inner) => `{{ ${inner.trim()} }}`),
  lookalike("parentheses", "An expansion in parentheses.", (inner) => `$(${inner})`),
  replacing("expansion/closed-twice", "warning", "A second closer behind an expansion.", function* (config) {
    for (const site of config.expansions()) {
      const { end } = site.span;
      if (outsideJq(site)) yield [{ start: end, end }, config.text.charAt(end - 1)];
    }
  }),
  replacing("expansion/root-misspelled", "error", "A slip in the root of an expansion.", function* (config) {
    for (const site of config.expansions()) {
      // `$<` opens an expansion only before a known root (D6).
      if (source(config, site.span).startsWith("${"))
        yield [config.segment(site, 0), misspelled(site.segments[0]!)];
    }
  }),
  replacing("expansion/root-unknown", "error", "A root that there isn't.", function* (config) {
    for (const site of config.expansions()) {
      if (source(config, site.span).startsWith("${")) yield [config.segment(site, 0), "form_data"];
    }
  }),
  replacing("expansion/root-wrong-case", "error", "A root in capitals.", function* (config) {
    for (const site of config.expansions()) {
      if (source(config, site.span).startsWith("${"))
        yield [config.segment(site, 0), site.segments[0]!.toUpperCase()];
    }
  }),
  replacing(
    "expansion/attribute-misspelled",
    "error",
    "A slip in `.value` or `.display`.",
    function* (config) {
      for (const site of config.expansions())
        if (isAttribute(site)) yield [config.segment(site, 2), misspelled(site.segments[2]!)];
    },
  ),
  replacing(
    "expansion/attribute-unknown",
    "error",
    "An attribute that fields don't have.",
    function* (config) {
      for (const site of config.expansions()) if (isAttribute(site)) yield [config.segment(site, 2), "label"];
    },
  ),
  inside("expansion/attribute-missing", "error", "A field without `.value`.", (inner, site) =>
    isAttribute(site) ? inner.replace(/\.(value|display)/, "") : undefined,
  ),
  replacing(
    "expansion/webhook-member",
    "error",
    "Another member of `webhook` than `url`.",
    function* (config) {
      for (const site of config.expansions("webhook"))
        for (const text of ["ulr", "uri", "id"]) yield [config.segment(site, 1), text];
    },
  ),
  inside("expansion/webhook-alone", "error", "`webhook` without `.url`.", (inner) =>
    inner === "webhook.url" ? "webhook" : undefined,
  ),
  inside("expansion/data-without-key", "error", "A scope without a key.", (_, { segments }) =>
    segments[0] === "data" ? segments.slice(0, 2).join(".") : undefined,
  ),
  inside("expansion/empty", "error", "Nothing in the braces. `$<>` is text (D6).", (_, { span }, config) =>
    source(config, span).startsWith("${") ? "" : undefined,
  ),
  inside("expansion/doubled-dot", "error", "Two dots in a row.", (inner) =>
    inner.includes(".") ? inner.replace(".", "..") : undefined,
  ),
  inside("expansion/trailing-dot", "error", "A dot at the end of the path.", (inner) =>
    inner.replace(/^([^|]*?)( *(?:\|.*)?)$/, "$1.$2"),
  ),
  inside("expansion/blank-in-path", "error", "A blank in the path.", (inner) =>
    inner.includes(".") ? inner.replace(".", ". ") : undefined,
  ),
  inside("expansion/filter-misspelled", "error", "A slip in `default`.", (inner, { filters }) =>
    filters.length > 0 ? inner.replace("default", "defualt") : undefined,
  ),
  inside("expansion/filter-unknown", "error", "A filter that there isn't.", (inner) => `${inner} | upcase`),
  inside("expansion/filter-empty", "error", "A bar without a filter.", (inner) => `${inner} |`),
  inside("expansion/filter-call", "error", "A filter's argument in parentheses.", (inner, { filters }) =>
    filters.length === 1 ? inner.replace(/default.*$/, "default('none')") : undefined,
  ),
  inside(
    "expansion/default-missing",
    "error",
    "An optional field without `| default` (D13).",
    (inner, { segments, filters }, config) =>
      segments[0] === "custom_data" && filters.length > 0 && isOptional(config, segments[1])
        ? inner.replace(/ *\|.*$/, "")
        : undefined,
  ),
  inside(
    "expansion/default-needless",
    "hint",
    "`| default` on a required field (D13).",
    (inner, { segments, filters }, config) =>
      segments[0] === "custom_data" && filters.length === 0 && !isOptional(config, segments[1])
        ? `${inner} | default`
        : undefined,
  ),
  inside(
    "expansion/nested",
    "error",
    "An expansion in the argument of `default` (D7).",
    (inner, { segments, filters }) =>
      segments[0] === "custom_data" && filters.length === 1
        ? inner.replace(/ *\|.*$/, " | default:${data.workflow.x")
        : undefined,
  ),
  replacing(
    "expansion/unclosed",
    "error",
    "No closing brace, in a string that isn't jq.",
    function* (config) {
      for (const site of config.expansions()) {
        if (outsideJq(site)) yield [{ start: site.span.end - 1, end: site.span.end }, ""];
      }
    },
  ),
  replacing("expansion/unclosed-in-jq", "error", "No closing brace, in a jq program.", function* (config) {
    for (const site of config.expansions()) {
      const end = site.span.end;
      // A second brace right behind closes it.
      if (!outsideJq(site) && config.text.charAt(end) !== "}") yield [{ start: end - 1, end }, ""];
    }
  }),
  replacing(
    "expansion/wrong-closer",
    "error",
    "Closed by the other form's bracket (D6).",
    function* (config) {
      for (const site of config.expansions()) {
        if (outsideJq(site))
          yield [
            { start: site.span.end - 1, end: site.span.end },
            source(config, site.span).startsWith("${") ? ">" : "}",
          ];
      }
    },
  ),
  inside("expansion/legacy-separator", "hint", "`::` instead of a dot (D6).", (inner, { segments }) =>
    segments.length > 1 ? inner.replace(".", "::") : undefined,
  ),
  replacing(
    "expansion/not-expanded",
    "hint",
    "An expansion where nothing is expanded (D11).",
    function* (config) {
      for (const member of ["label", "description"]) {
        for (const { end } of config.strings(`workflows.*.${member}`)) {
          if (member === "description") yield [{ start: end - 2, end: end - 2 }, " ${polling_state.page}"];
          else yield [{ start: end - 1, end: end - 1 }, " ${custom_data.form.value}"];
        }
      }
    },
  ),
  {
    name: "expansion/optional-field",
    what: "A field is made optional, its uses keep no `| default`. Fields whose id one workflow alone has.",
    expects: "error",
    *mutants(config) {
      for (const workflow of config.workflows) {
        for (const field of config.fields(workflow)) {
          const id = get(field, "id");
          if (id?.kind !== "string" || isOptional(config, id.value) || fieldsOf(config, id.value).length > 1)
            continue;
          const at = [...config.expansions("custom_data")].filter(
            ({ segments, filters }) => segments[1] === id.value && filters.length === 0,
          );
          if (at.length === 0) continue;
          const required = get(field, "required");
          const edit =
            required === undefined
              ? { start: field.start + 1, end: field.start + 1, newText: ' "required": false,' }
              : replacement(required, "false");
          yield { edits: [edit], at: at.map(({ span }) => span) };
        }
      }
    },
  },
];
