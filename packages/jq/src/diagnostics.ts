import { EXCERPT_LENGTH, excerpt } from "./excerpt.ts";
import type { Span } from "./syntax-tree.ts";
import { type TypeFindingArguments, typeMessages } from "./types/findings.ts";

/** Arguments of each kind of finding. The keys are public and stable. */
export interface DiagnosticArguments extends TypeFindingArguments {
  /** `found` is a description of a token; `expected` lists what would be accepted; `hint` is a whole sentence. */
  readonly syntax: { readonly found: string; readonly expected: readonly string[]; readonly hint?: string };
  readonly "unexpected-end": { readonly expected: readonly string[] };
  readonly "unterminated-string": Readonly<Record<never, never>>;
  readonly "invalid-escape": { readonly escape: string; readonly problem: EscapeProblem };
  readonly unclosed: { readonly opener: string; readonly closer: string; readonly found: string };
  readonly "unknown-function": {
    readonly name: string;
    readonly arity: number;
    readonly suggestion?: string;
    /** What to write instead of a name that jq had once. */
    readonly replacement?: string;
  };
  readonly "wrong-arity": {
    readonly name: string;
    readonly arity: number;
    /** The argument counts that exist, ascending, as text. */
    readonly arities: readonly string[];
  };
  readonly "unknown-variable": { readonly name: string; readonly suggestion?: string };
  readonly "unknown-label": { readonly name: string; readonly suggestion?: string };
  readonly "unknown-format": {
    readonly name: string;
    readonly suggestion?: string;
    readonly known: readonly string[];
  };
  readonly "invalid-key": { readonly type: string; readonly text: string };
  readonly "hole-position": { readonly position: string };
  readonly nesting: { readonly limit: number };
  readonly "module-directive": { readonly directive: string };
  /** An `import` or `include` with a resolver; `detail` says what is wrong in the module. */
  readonly "module-problem": {
    readonly path: string;
    readonly problem: ModuleProblem;
    readonly detail?: string;
  };
  readonly "not-implemented": { readonly name: string; readonly arity: number };
}

/** What is wrong with an escape in a string literal. */
export type EscapeProblem = "unknown" | "hexadecimal" | "surrogate";
/** What is wrong with a module, or with the directive that names it. */
export type ModuleProblem = "missing" | "mistake" | "cycle" | "limit" | "metadata" | "path";
/** The kind of a diagnostic. */
export type JqDiagnosticCode = keyof DiagnosticArguments;

/** A change of a program's text; offsets are UTF-16 units. */
export interface TextEdit extends Span {
  readonly newText: string;
}

/** A possible repair. `safe` ones keep the meaning that the author certainly had. */
export interface JqFix {
  readonly title: string;
  readonly safe: boolean;
  readonly edits: readonly TextEdit[];
}

/** Another place that a finding is about; `role` says what it is there. */
export interface RelatedSpan extends Span {
  readonly role: "opener" | "use";
}

/** A diagnostic of one kind, with that kind's arguments. */
export type JqDiagnosticOf<Code extends JqDiagnosticCode> = Span & {
  readonly code: Code;
  readonly args: DiagnosticArguments[Code];
  readonly related?: readonly RelatedSpan[];
  readonly fixes?: readonly JqFix[];
};

/** A finding about a program. Its text is made late, by `renderMessage`. */
export type JqDiagnostic = { [Code in JqDiagnosticCode]: JqDiagnosticOf<Code> }[JqDiagnosticCode];

/** Makes a finding; a code that isn't in the table or a missing argument doesn't compile. */
export function diagnostic<Code extends JqDiagnosticCode>(
  code: Code,
  span: Span,
  args: DiagnosticArguments[Code],
  more: { related?: readonly RelatedSpan[]; fixes?: readonly JqFix[] } = {},
): JqDiagnosticOf<Code> {
  return { code, args: shortened(args), start: span.start, end: span.end, ...more };
}

/**
 * Cuts names and texts of the program: a message (and what is made of the arguments, such as a
 * fingerprint) has to stay small, whatever the program is. `found` and `hint` are
 * descriptions of ours, whose parts are cut where they are made.
 */
function shortened<Args extends object>(args: Args): Args {
  let short = args;
  for (const [name, value] of Object.entries(args)) {
    if (described.has(name) || typeof value !== "string" || value.length <= EXCERPT_LENGTH) continue;
    short = { ...short, [name]: excerpt(value) };
  }
  return short;
}

const described: ReadonlySet<string> = new Set(["found", "hint", "detail"]);

const messages: { readonly [Code in JqDiagnosticCode]: (args: DiagnosticArguments[Code]) => string } = {
  ...typeMessages,
  syntax: ({ found, expected, hint }) =>
    sentence(`Unexpected ${found}`, expected.length > 0 && `expected ${either(expected)}`) + after(hint),
  "unexpected-end": ({ expected }) =>
    sentence("The program ends too early", expected.length > 0 && `expected ${either(expected)}`),
  "unterminated-string": () => 'This string has no closing ".',
  "invalid-escape": ({ escape: written, problem }) =>
    `${written} isn't a valid escape: ${escapeProblems[problem]}.`,
  unclosed: ({ opener, closer, found }) => `${opener} has no closing ${closer}. Found ${found}.`,
  "unknown-function": ({ name, arity, suggestion, replacement }) =>
    `There is no function ${name}${arity === 0 ? "" : ` with ${argumentCount(arity)}`}.` +
    (replacement !== undefined ? ` jq removed it. Write ${replacement}.` : didYouMean(suggestion)) +
    (arity === 0 && replacement === undefined && !name.includes("::")
      ? ` To read a member of the input, write .${name}.`
      : ""),
  "wrong-arity": ({ name, arity, arities }) =>
    `${name} doesn't take ${argumentCount(arity)}. It takes ${arities.length === 1 && arities[0] === "0" ? "none" : either(arities)}.` +
    (arity > 1 || arities.some((count) => Number(count) > 1) ? " Separate arguments by “;”." : ""),
  "unknown-variable": ({ name, suggestion }) =>
    `The variable $${name} isn't defined here.${didYouMean(suggestion && `$${suggestion}`)}`,
  "unknown-label": ({ name, suggestion }) =>
    `There is no “label $${name}” around this break.${didYouMean(suggestion && `$${suggestion}`)}`,
  "unknown-format": ({ name, suggestion, known }) =>
    `@${name} isn't a format.${didYouMean(suggestion && `@${suggestion}`)} Known formats: ${known.map((k) => `@${k}`).join(", ")}.`,
  "invalid-key": ({ type, text }) =>
    `An object key must be a string, but this is ${type === "array" || type === "object" ? "an" : "a"} ${type} (${text}). Convert it with tostring, or write it in quotes.`,
  "hole-position": ({ position }) =>
    `An expansion can't be used ${position}. It can be a value, part of a string, a member after a dot, or an object key.`,
  nesting: ({ limit }) =>
    `The program is nested more than ${limit} levels deep. Deeper parts aren't checked.`,
  "module-directive": ({ directive }) =>
    `“${directive}” isn't available, because programs can't use modules. Put the definitions into the program (def name: …;).`,
  "module-problem": ({ path, problem, detail }) => {
    switch (problem) {
      case "missing":
        return `There is no module ${JSON.stringify(path)}.`;
      case "mistake":
        return `The module ${JSON.stringify(path)} has a mistake, ${detail}`;
      case "cycle":
        return `The module ${JSON.stringify(path)} imports itself, perhaps through others.`;
      case "limit":
        return `The module ${JSON.stringify(path)} isn't read: a program has at most 1,000 modules, and imports lead through at most 100.`;
      case "metadata":
        return 'The metadata of a module must be a constant object, such as {search: "lib"}.';
      case "path":
        return "The path of a module must be a constant string.";
    }
  },
  "not-implemented": ({ name, arity }) =>
    `${name}/${arity} isn't implemented yet, so the program can't be run.`,
};

const escapeProblems: Readonly<Record<EscapeProblem, string>> = {
  unknown: 'a string may contain \\", \\\\, \\/, \\b, \\f, \\n, \\r, \\t, \\uXXXX and \\(…)',
  hexadecimal: "\\u needs exactly four hexadecimal digits",
  surrogate: "the first half of a surrogate pair needs the second, \\uDC00 to \\uDFFF",
};

/** The text of a finding: what was found, what would be accepted, the nearest known name. */
export function renderMessage(finding: JqDiagnostic): string {
  return messageOf(finding.code, finding.args);
}

/** Like `renderMessage`, for a code and arguments that aren't a finding (yet). */
export function messageOf<Code extends JqDiagnosticCode>(
  code: Code,
  args: DiagnosticArguments[Code],
): string {
  return messages[code](args);
}

function sentence(main: string, detail: string | false): string {
  return detail === false ? `${main}.` : `${main}: ${detail}.`;
}

function after(text: string | undefined): string {
  return text === undefined ? "" : ` ${text}`;
}

function either(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} or ${items.at(-1)}`;
}

function argumentCount(count: number): string {
  return count === 0 ? "no arguments" : `${count} argument${count === 1 ? "" : "s"}`;
}

function didYouMean(suggestion: string | undefined): string {
  return suggestion === undefined || suggestion === "" ? "" : ` Did you mean ${suggestion}?`;
}
