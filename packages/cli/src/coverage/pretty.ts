import type { Share } from "@configc/simulate";
import { plural } from "../command-line/words.ts";
import type { Style } from "../terminal/style.ts";
import { visible } from "../terminal/text.ts";
import type { PlacedBranch, PlacedCoverage } from "./placed.ts";

/** What ran of a config, and a line for each place that never did. */
export function coverageLines(title: string, coverage: PlacedCoverage, style: Style): string[] {
  return [
    `${title}: ${coverageSummary(coverage)}`,
    ...missingLines(coverage).map((line) => style.dim(`  ${line}`)),
  ];
}

/** How much ran, in one line. */
export function coverageSummary({ commands, switchCases, jqBranches }: PlacedCoverage): string {
  const share = ({ covered, total }: Share<unknown>): string => `${covered} of ${total}`;
  return `${share(commands)} commands, ${share(switchCases)} cases of !switch, ${share(jqBranches)} branches of jq`;
}

/** What never ran, a line each: a command that didn't stands for all in it. */
export function missingLines({ commands, switchCases, jqBranches, places }: PlacedCoverage): string[] {
  const missing = [...new Set([...commands.missing, ...switchCases.missing])];
  const outermost = missing.filter((pointer) => !missing.some((other) => pointer.startsWith(`${other}/`)));
  // What never ran took no branch either.
  const untaken = jqBranches.missing.filter(({ pointer }) => !missing.includes(pointer));
  return [
    ...outermost.map((pointer) => {
      const within = missing.filter((other) => other.startsWith(`${pointer}/`)).length;
      const more = within === 0 ? "" : `, with the ${plural(within, "command")} in it`;
      return visible(`never ran: ${pointer}${placeText(places.get(pointer))}${more}`);
    }),
    ...untaken.map((branch) => visible(`never taken: ${branchText(branch)}`)),
  ];
}

function placeText(range: PlacedBranch["range"]): string {
  return range === undefined ? "" : ` (${range.start.line}:${range.start.column})`;
}

const kinds: Readonly<Partial<Record<PlacedBranch["branch"], string>>> = {
  value: "the value before //",
  default: "the value after //",
  dropped: "an error that is dropped",
};

function branchText({ pointer, branch, text, range }: PlacedBranch): string {
  const written = text.replace(/\s+/g, " ").trim();
  const shown = written.length > 60 ? `${written.slice(0, 60)}…` : written;
  const what = kinds[branch] ?? branch;
  return `${what}${shown === "" ? ", which isn't written" : `: ${shown}`} in ${pointer}${placeText(range)}`;
}
