import type { Config } from "../config.ts";
import { misspelled } from "../edits.ts";
import type { Kind, Mutant, TextEdit } from "../kind.ts";

/** Edits of a program's source, in offsets of it. */
type Change = (
  source: string,
  skeleton: string,
) => Iterable<readonly [from: number, to: number, newText: string]>;

/**
 * A mistake in each jq program. Where the parser sees it depends on what follows, so the program is where it must be found.
 */
function jq(name: string, what: string, change: Change, expects: Kind["expects"] = "error"): Kind {
  return {
    name: `jq/${name}`,
    what,
    expects,
    *mutants(config) {
      for (const { node } of config.programs()) {
        const source = config.text.slice(node.start + 1, node.end - 1);
        for (const [from, to, newText] of change(source, skeletonOf(source))) {
          const edit: TextEdit = { start: node.start + 1 + from, end: node.start + 1 + to, newText };
          yield { edits: [edit], at: [node] } satisfies Mutant;
        }
      }
    },
  };
}

/** The source with strings and expansions blanked out, so that what is left is operators, names and brackets. */
function skeletonOf(source: string): string {
  return source
    .replace(/\$\{[^}]*\}|\$<[^>]*>/g, (match) => "H".repeat(match.length))
    .replace(/\\"(?:(?!\\").)*\\"/g, (match) => "S".repeat(match.length));
}

const replaceAll = (pattern: RegExp, by: (match: RegExpMatchArray) => string | undefined): Change =>
  function* (source, skeleton) {
    for (const match of skeleton.matchAll(pattern)) {
      const newText = by(match);
      const end = match.index + match[0].length;
      if (newText !== undefined && newText !== source.slice(match.index, end))
        yield [match.index, end, newText];
    }
  };

const append = (...texts: readonly string[]): Change =>
  function* (source) {
    for (const text of texts) yield [source.length, source.length, text];
  };

const prepend = (...texts: readonly string[]): Change =>
  function* () {
    for (const text of texts) yield [0, 0, text];
  };

/** Names that mean something without a dot: `.first` and `first` are both programs. */
const builtins = new Set(
  "add all any ascii ceil empty end env error false first flatten floor format from group if implode input keys label last length limit max min not now null path range recurse reverse round sort splits tojson tostring tonumber todate true type unique until values while walk".split(
    " ",
  ),
);

const functions =
  "length|keys|map|select|tonumber|tostring|test|scan|gsub|sub|split|join|first|last|max|min|floor|ceil|now|todate|from_entries|with_entries|to_entries|any|all|has|ascii_downcase|type|add|sort_by|group_by|unique|explode|implode|ltrimstr|rtrimstr|startswith|endswith|fabs";

export const jqKinds: readonly Kind[] = [
  jq(
    "assigned-condition",
    "`=` instead of `==` in a condition.",
    replaceAll(/(?<=(?:\bif |\belif |\bselect\()\.[\w.]+ )==(?= )/g, () => "="),
    "warning",
  ),
  jq(
    "double-question",
    "`??` instead of `//`.",
    replaceAll(/(?<=\.\w+ )\/\/(?= \.\w)/g, () => "??"),
    "warning",
  ),
  jq(
    "missing-closer",
    "A bracket isn't closed.",
    replaceAll(/[)\]}]/g, () => ""),
  ),
  jq(
    "missing-opener",
    "A bracket isn't opened.",
    replaceAll(/[([{]/g, () => ""),
  ),
  jq("extra-closer", "A bracket too many.", append(")", "]", "}")),
  jq(
    "wrong-closer",
    "Closed by another bracket.",
    replaceAll(/[)\]}]/g, ([closer]) => (closer === ")" ? "]" : ")")),
  ),
  jq("missing-quote", "A string isn't closed, or not opened.", function* (source) {
    for (const match of source.matchAll(/(?<!\\)\\"/g)) yield [match.index, match.index + 2, ""];
  }),
  jq("single-quotes", "A string in single quotes.", function* (source) {
    // With `\\(…)` in it, what lies between two quotes may be no string.
    if (source.includes("\\\\(")) return;
    for (const match of source.matchAll(/\\"([\w @-]*)\\"/g))
      yield [match.index, match.index + match[0].length, `'${match[1]}'`];
  }),
  jq("bad-string-escape", "A backslash in a jq string that starts no escape.", function* (source) {
    for (const match of source.matchAll(/\\"([\w ]*)\\"/g))
      yield [match.index, match.index + match[0].length, '\\"\\\\d\\"'];
  }),
  jq("missing-operand", "An operator without what it works on.", append(" |", " +", " ==", " and", " //")),
  jq("missing-first-operand", "A program that begins with an operator.", prepend("| ", "== ", "// ")),
  jq(
    "doubled-pipe",
    "Two pipes in a row.",
    replaceAll(/ \| /g, () => " | | "),
  ),
  jq(
    "missing-pipe",
    "No pipe between two steps. Where a dot follows, both are one path, which is a program too.",
    replaceAll(/ \| (?=[{a-z])/g, () => " "),
  ),
  jq(
    "missing-comma",
    "No comma between two members of an object.",
    replaceAll(/, (?=[a-z_]+:)/g, () => " "),
  ),
  jq(
    "missing-colon",
    "No colon between a member's name and value.",
    replaceAll(/(?<=[{,] ?[a-z_]+): (?=[.([{])/g, () => " "),
  ),
  jq(
    "trailing-comma",
    "A comma before the end of a list. Objects may have one.",
    replaceAll(/\]/g, () => ",]"),
  ),
  jq(
    "foreign-operator",
    "Operators of other languages. `.a ?? .b` is a path, though hardly the one that is meant.",
    replaceAll(/ (==|and|or|\/\/(?= [^.[])|!=) /g, ([, operator]) => {
      const foreign: Readonly<Record<string, string>> = {
        "==": "===",
        and: "&&",
        or: "||",
        "//": "??",
        "!=": "<>",
      };
      return ` ${foreign[operator!]} `;
    }),
  ),
  jq(
    "missing-end",
    "`if` without `end`.",
    replaceAll(/ end\b/g, () => ""),
  ),
  jq(
    "missing-then",
    "`if` without `then`.",
    replaceAll(/\bthen\b/g, () => ""),
  ),
  jq(
    "else-if",
    "`else if` in one `if`.",
    replaceAll(/\belif\b/g, () => "else if"),
  ),
  jq(
    "misspelled-function",
    "A slip in a function's name.",
    replaceAll(new RegExp(`(?<![.$\\w])(?:${functions})\\b(?!:)`, "g"), ([name]) => misspelled(name)),
  ),
  jq(
    "foreign-function",
    "Functions of other languages.",
    append(" | size", " | toLowerCase", " | parseInt", " | replace(1; 2)"),
  ),
  jq(
    "wrong-arity",
    "Too many or too few arguments.",
    append(" | length(.)", " | map", " | select", " | split", " | first(1; 2)", " | test()"),
  ),
  jq(
    "comma-in-call",
    "Arguments parted by a comma instead of a semicolon.",
    replaceAll(/(?<=\b(?:gsub|sub)\([^();]*); /g, () => ", "),
  ),
  jq("unknown-variable", "A variable that isn't bound.", append(" | $nope", " | [., $item]")),
  jq("misspelled-variable", "A slip in a variable's name.", function* (_, skeleton) {
    for (const match of skeleton.matchAll(/(?<!as )\$([a-z]+)\b/g)) {
      yield [match.index, match.index + match[0].length, `$${misspelled(match[1]!)}`];
    }
  }),
  jq(
    "bare-word",
    "A name without its dot. Names of built-in functions aside.",
    replaceAll(/(?<![\w\])}HS?.$])\.([a-z_]+)\b(?!\()/g, ([, name]) =>
      builtins.has(name!) ? undefined : name,
    ),
  ),
  jq(
    "forbidden",
    "What a hosted config can't do (D23).",
    append(
      " | debug",
      " | stderr",
      " | env",
      " | $ENV.HOME",
      " | input",
      " | [inputs]",
      " | halt",
      " | input_filename",
      " | halt_error",
    ),
  ),
  jq("import", "Modules (D23).", prepend('import \\"a\\" as a; ', 'include \\"a\\"; ')),
  jq("unknown-format", "A format that there isn't.", append(" | @urii", " | @xml")),
  jq("hole-as-variable", "An expansion where a variable is bound (D10).", function* (source) {
    const [hole] = /\$\{[^}]*\}/.exec(source) ?? [];
    if (hole !== undefined) yield [source.length, source.length, ` | . as ${hole} | .`];
  }),
  jq("hole-as-function", "An expansion where a function's name stands (D10).", function* (source) {
    const [hole] = /\$\{[^}]*\}/.exec(source) ?? [];
    if (hole !== undefined) yield [0, 0, `def ${hole}: 1; `];
  }),
  jq("hole-beside-text", "An expansion right beside a word (D10).", function* (source, skeleton) {
    for (const match of skeleton.matchAll(/H+/g)) {
      if (skeleton.charAt(match.index - 1) === ".") continue;
      const end = match.index + match[0].length;
      yield [end, end, "px"];
    }
    void source;
  }),
  {
    name: "jq/stream-for-list",
    what: "A list without its brackets where options are wanted: a stream, of which the first counts (D23).",
    expects: "warning",
    *mutants(config) {
      for (const { node, site } of lastPrograms(config, "options")) {
        const source = config.text.slice(node.start + 1, node.end - 1);
        if (!/^\[[^\]]*\[\].*\]$/.test(source) || !isOneList(source)) continue;
        yield {
          edits: [{ start: node.start + 1, end: node.end - 1, newText: source.slice(1, -1) }],
          at: [node],
        };
        void site;
      }
    },
  },
];

/** Whether the first bracket of a program belongs to the last one. Its strings are as JSON writes them. */
function isOneList(source: string): boolean {
  let depth = 0;
  const brackets = [...source.replaceAll(/\\"(?:\\\\.|[^"\\])*\\"/g, "").matchAll(/[[\]]/g)];
  return brackets.every(({ 0: bracket }, index) => {
    depth += bracket === "[" ? 1 : -1;
    return depth > 0 || index === brackets.length - 1;
  });
}

/** The programs whose output is that of the command at a place. */
export function* lastPrograms(config: Config, ...places: readonly string[]) {
  for (const each of config.programs()) {
    const { site } = each;
    if (site.key !== "!jq" || !places.includes(`${site.place[site.place.length - 1]}`)) continue;
    const { parent } = site;
    if (parent === undefined) yield each;
    else if (parent.key === "!pipe" && parent.parent === undefined) {
      const steps = parent.argument;
      if (steps?.kind === "array" && site.index === steps.items.length - 1) yield each;
    }
  }
}
