import { sameValue } from "@configc/host/internal";
import { type ProgramRun, parseExact, printExact } from "@configc/runtime";
import { Reference, type ReferenceResult } from "./reference.ts";
import { referenceProgram } from "./reference-program.ts";

/** How many runs of jq programs were compared with jq itself. */
export interface Verified {
  /** Different programs. */
  programs: number;
  /** Runs of them that were the same. */
  runs: number;
  /** Runs that one of both didn't end. */
  skipped: number;
}

/** Runs jq programs again in jq itself, and compares. */
export class Verifier {
  readonly verified: Verified = { programs: 0, runs: 0, skipped: 0 };
  private readonly reference = new Reference();
  private readonly programs = new Set<string>();
  private readonly seen = new Set<string>();

  /** @returns why they differ, for each run that does */
  async compare(runs: readonly ProgramRun[], signal: AbortSignal): Promise<string[]> {
    const reasons: string[] = [];
    for (const run of runs) {
      if (signal.aborted) break;
      const program = referenceProgram(run);
      const input = printExact(run.input);
      const key = `${program}\n${input}`;
      if (this.seen.has(key)) continue;
      this.seen.add(key);
      const result = await this.reference.run(program, input, signal);
      const difference = differenceOf(run, result);
      if (difference === "skipped") this.verified.skipped++;
      else if (difference !== undefined) reasons.push(difference);
      else {
        this.verified.runs++;
        if (!this.programs.has(run.program.text)) this.verified.programs++;
        this.programs.add(run.program.text);
      }
    }
    return reasons;
  }

  async end(): Promise<void> {
    await this.reference.end();
  }
}

function differenceOf(
  { outcome, place, input }: ProgramRun,
  result: ReferenceResult | undefined,
): string | "skipped" | undefined {
  if (result === undefined || ("failure" in outcome && outcome.failure === "limit")) return "skipped";
  const told = (ours: string, theirs: string): string =>
    `The program at ${place.pointer} gives another result in jq itself: ${theirs}, here ${ours}. Its input was ${short(printExact(input))}`;
  if ("failure" in outcome)
    return "error" in result ? undefined : told(`it fails (${outcome.message})`, shown(result));
  if ("error" in result) return told(short(printExact(outcome.output)), `it fails (${short(result.error)})`);
  const { output = "null" } = result;
  return sameValue(parseExact(output), outcome.output)
    ? undefined
    : told(short(printExact(outcome.output)), shown(result));
}

function shown({ output = "nothing" }: { readonly output: string | undefined }): string {
  return short(output);
}

function short(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
