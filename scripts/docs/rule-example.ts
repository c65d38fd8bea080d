import { compile, type RenderedDiagnostic, type Rule, type RuleExample, render } from "@configc/compiler";
import { diagnose, exampleDocument } from "../../packages/compiler/test/rule-examples.ts";
import { type LaidOut, layOut } from "./layout.ts";
import { code, fence, quote } from "./markdown.ts";
import { spaced } from "./section-text.ts";

/** What the compiler really answers to the bad case of an example. */
export interface Answer {
  readonly example: RuleExample;
  readonly diagnostics: readonly RenderedDiagnostic[];
  /** The text that it was about. */
  readonly text: string;
  /** On what values or way it goes wrong, a line each. */
  readonly happens: readonly string[];
  /** The fragment, with `«…»` around what the finding points at. */
  readonly marked: string;
}

/** Two kinds of pages ask for the same. Rules may share an example. */
const answers = new WeakMap<Rule, Map<RuleExample, Answer>>();

/** @throws if the example doesn't give the rule */
export function answerTo(rule: Rule, example: RuleExample): Answer {
  const known = answers.get(rule) ?? new Map<RuleExample, Answer>();
  answers.set(rule, known);
  const answer = known.get(example) ?? workedOut(rule, example);
  known.set(example, answer);
  return answer;
}

function workedOut(rule: Rule, example: RuleExample): Answer {
  const { text, model, diagnostics } = isBytes(example)
    ? diagnoseBytes(example)
    : diagnose(example, example.bad);
  const own = diagnostics.filter(({ finding }) => finding.rule.id === rule.id);
  if (own.length === 0) throw new Error(`${rule.id}: the example ${code(example.bad)} gives no finding.`);
  return {
    example,
    diagnostics: own.map((diagnostic) => render(model, diagnostic, { fixes: true })),
    text,
    happens: rule.because?.(own[0]!.finding.args) ?? [],
    marked: isBytes(example) ? `${example.bad}«\\xE9»` : markedFragment(example, text, own[0]!.span),
  };
}

function diagnoseBytes(example: RuleExample) {
  const { text, uri } = exampleDocument(example, example.bad);
  const source = new Uint8Array([...text, "\xe9"].map((c) => c.charCodeAt(0)));
  const { model, diagnostics } = compile(source, { uri, settings: example.settings ?? {} });
  return { text, model, diagnostics };
}

/** An example of bytes that aren't UTF-8, which no text can hold: one is added to its text. */
function isBytes({ also }: RuleExample): boolean {
  return also?.includes("bytes") === true;
}

/** Examples needn't mark the place; then it is marked where the finding points, if that lies in the fragment. */
function markedFragment({ bad }: RuleExample, text: string, span: { start: number; end: number }): string {
  if (bad.includes("«")) return bad;
  const at = text.indexOf(bad);
  const [from, to] = [span.start - at, span.end - at];
  if (at < 0 || text.indexOf(bad, at + 1) >= 0 || from < 0 || to > bad.length || from === to) return bad;
  return `${bad.slice(0, from)}«${bad.slice(from, to)}»${bad.slice(to)}`;
}

/** The bad case, what is said about it, and the good one. */
export function exampleBlocks({ example, diagnostics, text, happens, marked }: Answer): string[] {
  const { fixed, good, published } = example;
  return [
    ...(published === undefined
      ? where(example)
      : [
          `Published, ${whereText(example)}:`,
          fence("json", layOut(published).text),
          "The new version, wrong:",
        ]),
    fence("text", shown(layOut(marked))),
    ...diagnostics.map((diagnostic) => said(diagnostic, text, !marked.includes("«"))),
    ...(happens.length === 0
      ? []
      : ["What happens:", happens.map((line, index) => `${index + 1}. ${line}`).join("\n")]),
    ...(fixed === undefined || fixed === good
      ? []
      : ["The fix makes it:", fence("json", layOut(fixed).text)]),
    fixed === good ? "The fix makes it right:" : "Right:",
    fence("json", shortened(layOut(good).text)),
  ];
}

const apps = {
  "inbound-webhook": "an inbound app with a webhook",
  "inbound-polling": "an inbound app that polls",
  "historical-sync": "an app with a historical sync",
  outbound: "an outbound app",
} as const;

function where(example: RuleExample): string[] {
  if (example.in === "document") return ["Wrong, a whole document:"];
  const changes = Object.entries(example.with ?? {});
  const short = changes.map(([pointer, json]) => {
    if (json === undefined) return `without ${code(pointer)}`;
    return `with ${code(pointer)} ${json.length > 60 ? "as below" : `set to ${code(json)}`}`;
  });
  const long = changes.filter(([, json]) => json !== undefined && json.length > 60);
  if (example.settings !== undefined) short.push(`with the settings ${code(spaced(example.settings))}`);
  return [
    `Wrong, ${whereText(example)}${short.map((text) => `, ${text}`).join("")}:`,
    ...long.map(
      ([pointer, json]) =>
        `<details><summary><code>${pointer}</code></summary>\n\n${fence("json", layOut(json!).text)}\n\n</details>`,
    ),
  ];
}

function whereText(example: RuleExample): string {
  if (example.in === "document" || example.at === "") return "a whole document";
  return ["at", code(example.at), "of", apps[example.in]].join(" ");
}

/** @param elsewhere whether the finding points at something outside of the fragment */
function said(
  { severity, message, help, range, related = [] }: RenderedDiagnostic,
  text: string,
  elsewhere: boolean,
): string {
  const source = (at: RenderedDiagnostic["range"]) => {
    const found = text.slice(at.start.offset, at.end.offset).replace(/\s+/g, " ");
    return found === "" || found.length > 60 ? undefined : code(found);
  };
  const lines = [`**${severity}**: ${message}`];
  const pointed = elsewhere ? source(range) : undefined;
  if (pointed !== undefined) lines.push("", `**at**: ${pointed}`);
  if (help !== undefined) lines.push("", `**help**: ${help}`);
  if (related.length > 0) {
    const places = related.map((place) => {
      const found = source(place.range);
      return found === undefined ? place.message : `${place.message}: ${found}`;
    });
    lines.push("", `**see also**: ${places.join("; ")}`);
  }
  return quote(lines.join("\n"));
}

/** Some examples are about size or depth: nobody reads 500 brackets, or counts carets below them. */
function shown({ text, underlined }: LaidOut): string {
  return text.split("\n").some(isLong) ? shortened(text) : underlined;
}

function shortened(text: string): string {
  return text
    .split("\n")
    .map((line) => (isLong(line) ? `${line.slice(0, 40)} … ${line.slice(-40)}` : line))
    .join("\n");
}

function isLong(line: string): boolean {
  return line.length > 400;
}
