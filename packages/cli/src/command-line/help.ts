import type { Style } from "../terminal/style.ts";
import type { OptionSpec } from "./option.ts";
import type { VerbSpec } from "./verb.ts";

const WIDTH = 96;

/** The page of one verb: synopsis, options, examples, exit status. */
export function verbHelp(verb: VerbSpec, options: readonly OptionSpec[], style: Style): string {
  const operands = verb.operands === "" ? "" : ` ${verb.operands}`;
  const sections = [
    `${style.bold("Usage:")} configc ${verb.name}${operands} [OPTION…]`,
    [`${verb.summary}.`, ...verb.details].map((text) => wrap(text, 0)).join("\n\n"),
    `${style.bold("Options")}\n${table(options.map((option) => [optionText(option), option.summary]))}`,
    `${style.bold("Examples")}\n${Object.entries(verb.examples)
      .map(([line, does]) => `  ${style.cyan(line)}\n${wrap(does, 6)}`)
      .join("\n")}`,
    `${style.bold("Exit status")}\n${table(Object.entries(verb.exit))}`,
  ];
  return `${sections.join("\n\n")}\n`;
}

/** The page of the whole command: its verbs. */
export function commandHelp(
  verbs: readonly VerbSpec[],
  options: readonly OptionSpec[],
  style: Style,
): string {
  const sections = [
    `${style.bold("Usage:")} configc VERB [OPERAND…] [OPTION…]`,
    "Checks, explains and runs integration app configs.",
    `${style.bold("Verbs")}\n${table(verbs.map(({ name, summary }) => [name, summary]))}`,
    `${style.bold("Options of every verb")}\n${table(options.map((option) => [optionText(option), option.summary]))}`,
    "“configc VERB --help” tells more about a verb.",
  ];
  return `${sections.join("\n\n")}\n`;
}

function optionText({ name, short, value }: OptionSpec): string {
  const long = `--${name}${value === undefined ? "" : ` ${value}`}`;
  return short === undefined ? long : `-${short}, ${long}`;
}

/** Two columns; a long name has a line of its own. */
function table(rows: readonly (readonly [string, string])[]): string {
  const column = Math.min(26, Math.max(...rows.map(([name]) => name.length)) + 4);
  return rows
    .map(([name, text]) => {
      const wrapped = wrap(text, column);
      const fits = name.length + 4 <= column;
      return fits ? `  ${name.padEnd(column - 2)}${wrapped.trimStart()}` : `  ${name}\n${wrapped}`;
    })
    .join("\n");
}

function wrap(text: string, indentation: number): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && indentation + line.length + word.length + 1 > WIDTH) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => " ".repeat(indentation) + each).join("\n");
}
