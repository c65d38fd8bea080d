import type { Span } from "@configc/compiler";
import { Config } from "../config.ts";
import { applyMutant, type Kind, type Mutant, type TextEdit } from "../kind.ts";
import { aftermath, type Container, containers, edge } from "./places.ts";

const otherBracket: Readonly<Record<string, string>> = { "{": "[", "[": "{", "}": "]", "]": "}" };

/** A slip with one bracket of a container: what it is, and the edit. */
type Slip = readonly [name: string, what: string, edit: (text: string, node: Container) => TextEdit];

const replaced = (span: Span, newText: string): TextEdit => ({ ...span, newText });

const bySide = (side: "start" | "end", change: (bracket: string) => string) => {
  return (text: string, node: Container): TextEdit => {
    const span = edge(node, side);
    return replaced(span, change(text.slice(span.start, span.end)));
  };
};

/** Those that `syntax.ts` makes where there are lines. */
const common: readonly Slip[] = [
  ["missing-opener", "An opening bracket is missing.", bySide("start", () => "")],
  ["missing-closer", "A closing bracket is missing.", bySide("end", () => "")],
  ["extra-closer", "A closing bracket stands twice.", bySide("end", (bracket) => bracket.repeat(2))],
];

const rare: readonly Slip[] = [
  ["extra-opener", "An opening bracket stands twice.", bySide("start", (bracket) => bracket.repeat(2))],
  ["wrong-opener", "`[` for `{`, or the other way round.", bySide("start", (at) => otherBracket[at]!)],
  ["wrong-closer", "`]` for `}`, or the other way round.", bySide("end", (at) => otherBracket[at]!)],
  [
    "other-closer",
    "A closing bracket of the other kind behind the right one.",
    bySide("end", (bracket) => bracket + otherBracket[bracket]!),
  ],
];

function mutant(config: Config, node: Container, edit: TextEdit): Mutant {
  const owner = node.parent?.kind === "member" ? [node.parent.key] : [];
  const own = [edge(node, "start"), edge(node, "end")];
  return { edits: [edit], at: [...own, ...owner, ...aftermath(config, node)] };
}

const minified = new WeakMap<Config, Config>();

/** The same document without a blank that isn't in a string. */
function onOneLine(config: Config): Config {
  let line = minified.get(config);
  if (line === undefined) {
    line = new Config({ ...config, text: JSON.stringify(JSON.parse(config.text)) });
    minified.set(config, line);
  }
  return line;
}

/** In a document on one line: where the slip is and where it shows are in offsets of the mutant. */
function* inOneLine(config: Config, edit: Slip[2]): Generator<Mutant> {
  if (config.jsonc) return;
  const line = onOneLine(config);
  for (const node of containers(line)) {
    const { text, at } = applyMutant(line.text, mutant(line, node, edit(line.text, node)));
    yield { edits: [{ start: 0, end: config.text.length, newText: text }], at: [], landed: at };
  }
}

export const bracketKinds: readonly Kind[] = [
  ...rare.map(
    ([name, what, edit]): Kind => ({
      name: `syntax/${name}`,
      what,
      expects: "error",
      *mutants(config) {
        for (const node of containers(config)) yield mutant(config, node, edit(config.text, node));
      },
    }),
  ),
  ...[...common, ...rare].map(
    ([name, what, edit]): Kind => ({
      name: `one-line/${name}`,
      what: `${what} All of the document stands on one line.`,
      expects: "error",
      mutants: (config) => inOneLine(config, edit),
    }),
  ),
];
