import type { JsonNode, Span } from "@configc/compiler";
import type { Config } from "../config.ts";
import { type Kind, type Mutant, replaced, replacing } from "../kind.ts";
import { aftermath, containers, edge } from "./places.ts";

function* members(config: Config) {
  for (const node of containers(config)) if (node.kind === "object") yield* node.members;
}

function* values(config: Config): Generator<JsonNode> {
  for (const node of containers(config)) {
    yield* node.kind === "array" ? node.items : node.members.flatMap(({ value }) => value ?? []);
  }
}

/** Lines of a single member or value. */
function* ownLines({ text }: Config): Generator<Span> {
  for (const { 0: line, index } of text.matchAll(/^ *"[^"\n]*": (?:"[^"\n]*"|\d+),?$/gm))
    yield { start: index, end: index + line.length };
}

/** Neighbours in an object or array, with the comma between them. */
function* commas(config: Config): Generator<{ before: Span; comma: Span; after: Span }> {
  for (const node of containers(config)) {
    const elements: readonly Span[] = node.kind === "array" ? node.items : node.members;
    for (const [i, before] of elements.entries()) {
      const after = elements[i + 1];
      if (after === undefined) continue;
      const start = config.text.indexOf(",", before.end);
      yield { before, comma: { start, end: start + 1 }, after };
    }
  }
}

function cut(span: Span, ...at: Span[]): Mutant {
  return { edits: [{ ...span, newText: "" }], at: [span, ...at] };
}

/** Strings with what stands between their quotes. */
function* quoted(config: Config): Generator<[JsonNode, string]> {
  for (const value of values(config)) {
    if (value.kind === "string") yield [value, config.text.slice(value.start + 1, value.end - 1)];
  }
}

const isEmpty = (node: Extract<JsonNode, { kind: "object" | "array" }>): boolean =>
  (node.kind === "array" ? node.items : node.members).length === 0;

const first = (node: Extract<JsonNode, { kind: "object" | "array" }>): Span =>
  (node.kind === "array" ? node.items : node.members)[0]!;

function* closedBy(config: Config, kind: "object" | "array"): Generator<Mutant> {
  for (const node of containers(config)) {
    if (node.kind === kind) yield cut(edge(node, "end"), edge(node, "start"), ...aftermath(config, node));
  }
}

export const syntaxKinds: readonly Kind[] = [
  {
    name: "syntax/missing-comma",
    what: "No comma between two members or items.",
    expects: "error",
    *mutants(config) {
      for (const { before, comma, after } of commas(config)) {
        yield cut(comma, edge(before, "end"), edge(after, "start"));
      }
    },
  },
  {
    name: "syntax/doubled-comma",
    what: "Two commas between two members or items.",
    expects: "error",
    *mutants(config) {
      for (const { comma } of commas(config)) yield replaced(comma, ",,");
    },
  },
  {
    name: "syntax/semicolon",
    what: "A semicolon instead of a comma.",
    expects: "error",
    *mutants(config) {
      for (const { before, comma, after } of commas(config)) {
        const at = [comma, edge(before, "end"), edge(after, "start")];
        yield { edits: [{ ...comma, newText: ";" }], at };
      }
    },
  },
  {
    name: "syntax/trailing-comma",
    what: "A comma after the last member or item. Part of the format in a .jsonc file.",
    expects: "error",
    *mutants(config) {
      if (config.jsonc) return;
      for (const node of containers(config)) {
        const elements: readonly Span[] = node.kind === "array" ? node.items : node.members;
        const last = elements[elements.length - 1];
        if (last !== undefined) yield replaced({ start: last.end, end: last.end }, ",");
      }
    },
  },
  {
    name: "syntax/comment",
    what: "A comment. Part of the format in a .jsonc file.",
    expects: "error",
    *mutants(config) {
      if (config.jsonc) return;
      for (const { end } of values(config))
        yield replaced({ start: end, end }, " /* see the API's manual */");
    },
  },
  {
    name: "syntax/line-comment",
    what: "A comment up to the end of the line.",
    expects: "error",
    *mutants(config) {
      if (config.jsonc) return;
      for (const match of config.text.matchAll(/,\n/g)) {
        yield replaced({ start: match.index + 1, end: match.index + 1 }, " // TODO");
      }
    },
  },
  {
    name: "syntax/missing-colon",
    what: "No colon between a member's name and value.",
    expects: "error",
    *mutants(config) {
      for (const { key } of members(config)) yield cut(colonAfter(config, key), edge(key, "end"));
    },
  },
  {
    name: "syntax/equals-sign",
    what: "An equals sign instead of a colon.",
    expects: "error",
    *mutants(config) {
      for (const { key } of members(config)) {
        const colon = colonAfter(config, key);
        yield { edits: [{ ...colon, newText: "=" }], at: [colon, key] };
      }
    },
  },
  {
    name: "syntax/missing-value",
    what: "A member without a value.",
    expects: "error",
    *mutants(config) {
      for (const { key, value } of members(config)) {
        if (value !== undefined)
          yield { edits: [{ start: value.start, end: value.end, newText: "" }], at: [key] };
      }
    },
  },
  {
    name: "syntax/unclosed-name",
    what: "A member's name without its closing quote.",
    expects: "error",
    *mutants(config) {
      for (const { key } of members(config)) yield cut(edge(key, "end"), key);
    },
  },
  {
    name: "syntax/unclosed-string",
    what: "A string without its closing quote.",
    expects: "error",
    *mutants(config) {
      for (const value of values(config)) if (value.kind === "string") yield cut(edge(value, "end"), value);
    },
  },
  {
    name: "syntax/unopened-string",
    what: "A string without its opening quote.",
    expects: "error",
    *mutants(config) {
      for (const value of values(config)) if (value.kind === "string") yield cut(edge(value, "start"), value);
    },
  },
  {
    name: "syntax/unopened-name",
    what: "A member's name without its opening quote.",
    expects: "error",
    *mutants(config) {
      for (const { key } of members(config)) yield cut(edge(key, "start"), key);
    },
  },
  replacing("syntax/unquoted-name", "error", "A member's name without quotes.", function* (config) {
    for (const { key } of members(config)) {
      if (/^[a-z_]+$/.test(key.value)) yield [key, key.value];
    }
  }),
  replacing("syntax/single-quotes", "error", "A string in single quotes.", function* (config) {
    for (const [value, inner] of quoted(config)) yield [value, `'${inner}'`];
  }),
  replacing("syntax/curly-quotes", "error", "A string in typographic quotes.", function* (config) {
    for (const [value, inner] of quoted(config)) yield [value, `“${inner}”`];
  }),
  {
    name: "syntax/missing-opener",
    what: "An object or a list without its opening bracket.",
    expects: "error",
    *mutants(config) {
      for (const node of containers(config)) {
        if (node.parent?.kind !== "member" || isEmpty(node)) continue;
        yield cut(edge(node, "start"), node.parent.key, first(node), ...aftermath(config, node));
      }
    },
  },
  replacing("syntax/bare-word", "error", "A string without quotes.", function* (config) {
    for (const value of values(config)) {
      if (value.kind === "string" && /^(?!(?:true|false|null)$)[a-z]\w*$/.test(value.value))
        yield [value, value.value];
    }
  }),
  replacing("syntax/foreign-literal", "error", "`True`, `None` and the like.", function* (config) {
    for (const value of values(config)) {
      if (value.kind === "boolean") yield [value, value.value ? "True" : "False"];
      if (value.kind === "null") yield [value, "None"];
    }
  }),
  replacing("syntax/foreign-number", "error", "Numbers that JSON doesn't know.", function* (config) {
    for (const value of values(config)) {
      if (value.kind === "number")
        for (const text of [`0${value.value}`, `+${value.value}`, "0x10", ".5"]) yield [value, text];
    }
  }),
  replacing("syntax/bad-escape", "error", "A backslash that starts no escape.", function* (config) {
    for (const value of values(config)) {
      if (value.kind === "string") yield [{ start: value.end - 1, end: value.end - 1 }, "\\d"];
    }
  }),
  replacing("syntax/pasted", "error", "A text put between the quotes as it is.", function* (config) {
    for (const value of values(config)) {
      if (value.kind === "string" && value.value.includes('"')) yield [value, `"${value.value}"`];
    }
  }),
  replacing(
    "syntax/merge-conflict",
    "error",
    "Both sides of a conflict between versions.",
    function* (config) {
      for (const { start, end } of ownLines(config)) {
        const line = config.text.slice(start, end);
        yield [{ start, end }, `<<<<<<< ours\n${line}\n=======\n${line}\n>>>>>>> theirs`];
      }
    },
  ),
  replacing("syntax/foreign-blank", "error", "A space that JSON doesn't know.", function* (config) {
    for (const { start } of ownLines(config)) yield [{ start, end: start }, "\u00a0"];
  }),
  replacing("syntax/raw-tab", "error", "A tab in a string.", function* (config) {
    for (const value of values(config)) {
      if (value.kind === "string") yield [{ start: value.start + 1, end: value.start + 1 }, "\t"];
    }
  }),
  replacing("syntax/broken-string", "error", "A line break in a string.", function* (config) {
    for (const value of values(config)) {
      if (value.kind !== "string" || value.escaped || !value.value.includes(" ")) continue;
      const blank = config.text.indexOf(" ", value.start);
      yield [{ start: blank, end: blank + 1 }, "\n"];
    }
  }),
  {
    name: "syntax/unclosed-object",
    what: "An object without its closing brace.",
    expects: "error",
    mutants: (config) => closedBy(config, "object"),
  },
  {
    name: "syntax/unclosed-array",
    what: "An array without its closing bracket.",
    expects: "error",
    mutants: (config) => closedBy(config, "array"),
  },
  {
    name: "syntax/extra-bracket",
    what: "One closing bracket too many, of the same kind: it closes the next container out, so what follows shows it.",
    expects: "error",
    *mutants(config) {
      for (const node of containers(config)) {
        const here = { start: node.end, end: node.end };
        const edits = [{ ...here, newText: node.kind === "object" ? "}" : "]" }];
        yield { edits, at: [here, ...aftermath(config, node)] };
      }
    },
  },
  {
    name: "syntax/cut-off",
    what: "The document ends early.",
    expects: "error",
    *mutants(config) {
      for (const { end } of members(config)) {
        const rest = { start: end, end: config.text.length };
        yield { edits: [{ ...rest, newText: "" }], at: [edge(config.root, "start"), { start: end, end }] };
      }
    },
  },
  {
    name: "syntax/text-around",
    what: "Text before or after the document.",
    expects: "error",
    *mutants(config) {
      yield replaced({ start: 0, end: 0 }, "const app = ");
      yield replaced({ start: config.root.end, end: config.root.end }, ";");
      yield replaced({ start: config.root.end, end: config.root.end }, ' { "workflows": [] }');
    },
  },
];

function colonAfter(config: Config, { end }: Span): Span {
  const start = config.text.indexOf(":", end);
  return { start, end: start + 1 };
}
