import { noSamples } from "@configc/compiler";
import { checkText } from "../../packages/cli/src/check/check-text.ts";
import { makeReport } from "../../packages/cli/src/check/report.ts";
import { format } from "../../packages/cli/src/formats/pretty.ts";
import { shown } from "../../packages/cli/src/terminal/harmless.ts";
import { terminalSvg } from "./terminal-svg.ts";

const example = "examples/broken/broken.app.json";
const columns = 100;

/** What the picture has room for; the other findings are left out, visibly. */
const pictured = [
  "command/unknown-command",
  "jq/unclosed",
  "expansion/unknown-field",
  "expansion/optional-without-default",
];

/**
 * `docs/images/check.svg`: what `configc check` prints about the broken example, on a terminal with colours.
 *
 * @param read gives the text of a file of the repository
 * @throws if one of the findings to show isn't there
 */
export function checkPicture(read: (path: string) => string): string {
  const file = checkText(example, read(example), {}, noSamples, { fixes: true });
  const report = makeReport([file], { maxWarnings: Number.POSITIVE_INFINITY, known: 0 });
  const output = shown(format(report, { colour: true, width: columns }));
  return terminalSvg({
    command: `configc check ${example}`,
    output: shortened(output),
    columns,
    description: `What configc check says about ${example}: each finding with the source line, carets below the wrong characters, help, and a fix`,
  });
}

/** Findings are separated by empty lines; the last block is the summary. */
function shortened(output: string): string {
  const blocks = output.split("\n\n");
  const summary = blocks.pop()!;
  const explains = (block: string, rule: string) => block.includes(`configc explain ${rule}\x1b`);
  const missing = pictured.filter((rule) => !blocks.some((block) => explains(block, rule)));
  if (missing.length > 0) throw new Error(`${example} no longer gives ${missing.join(", ")}.`);
  const kept = blocks.map((block) =>
    pictured.some((rule) => explains(block, rule)) ? block : "\x1b[90m⋮\x1b[39m",
  );
  const withoutRepeats = kept.filter((block, index) => block !== kept[index - 1] || !block.includes("⋮"));
  return [...withoutRepeats, summary].join("\n\n");
}
