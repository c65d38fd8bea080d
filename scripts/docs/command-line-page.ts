import type { OptionSpec } from "../../packages/cli/src/command-line/option.ts";
import type { VerbSpec } from "../../packages/cli/src/command-line/verb.ts";
import { commonOptions, verbs } from "../../packages/cli/src/verbs/table.ts";
import { code, fence, page, prose, table } from "./markdown.ts";

/** `docs/command-line.md`: the table of verbs that `--help` prints, too. */
export function commandLinePage(): string {
  return page(
    "Command line",
    fence("text", "configc VERB [OPERAND…] [OPTION…]"),
    table(
      ["verb", "what it does"],
      verbs.map(({ name, summary }) => [`[${code(name)}](#${name})`, summary]),
    ),
    "Options may stand anywhere on the line; after `--` everything is an operand. Results go to stdout, everything else to stderr. Colours only on a terminal, and never with `NO_COLOR`.",
    `Every verb has ${commonOptions.map((option) => code(optionText(option))).join(" and ")}.`,
    ...verbs.flatMap(verbBlocks),
  );
}

function verbBlocks({ name, summary, operands, details, options, examples, exit }: VerbSpec): string[] {
  return [
    `## ${name}`,
    fence("text", ["configc", name, operands, "[OPTION…]"].filter((part) => part !== "").join(" ")),
    `${summary}.`,
    ...details.map(prose),
    table(
      ["option", "what it does"],
      options.map((option) => [code(optionText(option)), prose(option.summary)]),
    ),
    fence(
      "sh",
      Object.entries(examples)
        .map(([line, does]) => `# ${does}\n${line}`)
        .join("\n"),
    ),
    table(
      ["exit status", "when"],
      Object.entries(exit).map(([status, when]) => [status, when]),
    ),
  ];
}

function optionText({ name, short, value }: OptionSpec): string {
  const long = `--${name}${value === undefined ? "" : ` ${value}`}`;
  return short === undefined ? long : `-${short}, ${long}`;
}
