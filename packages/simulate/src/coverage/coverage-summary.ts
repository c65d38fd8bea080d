import type { Coverage, MissingBranch, Share } from "./coverage.ts";

/** How much ran, in one line. */
export function coverageSummary({ commands, switchCases, jqBranches }: Coverage): string {
  const share = ({ covered, total }: Share<unknown>): string => `${covered} of ${total}`;
  return `${share(commands)} commands, ${share(switchCases)} cases of !switch, ${share(jqBranches)} branches of jq`;
}

/**
 * What never ran, a line each: a command that didn't stands for all in it.
 *
 * @param placeOf what is written behind a command, or a part of its program that begins at an offset: “ (12:5)”
 */
export function missingSummary(
  { commands, switchCases, jqBranches }: Coverage,
  placeOf: (pointer: string, offset?: number) => string,
): readonly string[] {
  const missing = [...new Set([...commands.missing, ...switchCases.missing])];
  const outermost = missing.filter((pointer) => !missing.some((other) => pointer.startsWith(`${other}/`)));
  // What never ran took no branch either.
  const untaken = jqBranches.missing.filter(({ pointer }) => !missing.includes(pointer));
  return [
    ...outermost.map((pointer) => {
      const within = missing.filter((other) => other.startsWith(`${pointer}/`)).length;
      const more = within === 0 ? "" : `, with the ${within === 1 ? "command" : `${within} commands`} in it`;
      return `never ran: ${pointer}${placeOf(pointer)}${more}`;
    }),
    ...untaken.map(
      (branch) =>
        `never taken: ${branchTold(branch)} in ${branch.pointer}${placeOf(branch.pointer, branch.offset)}`,
    ),
  ];
}

const kinds: Readonly<Partial<Record<MissingBranch["branch"], string>>> = {
  value: "the value before //",
  default: "the value after //",
  dropped: "an error that is dropped",
};

function branchTold({ branch, text }: MissingBranch): string {
  const written = text.replace(/\s+/g, " ").trim();
  const shown = written.length > LONGEST ? `${written.slice(0, LONGEST)}…` : written;
  return `${kinds[branch] ?? branch}${shown === "" ? ", which isn't written" : `: ${shown}`}`;
}

/** UTF-16 units of a branch that are shown. */
const LONGEST = 60;
