import type { RanStep, TriedInput } from "@configc/language-server";
import type { Finished } from "../run/run.ts";
import type { RunListener } from "../run/runner.ts";

/** What commands were given when they last ran. */
export class LastRuns implements RunListener {
  readonly #runs: Finished[] = [];
  readonly #listeners = new Set<() => void>();

  begun(): void {}
  progressed(): void {}
  broken(): void {}

  finished(run: Finished): void {
    this.#runs.unshift(run);
    // Of each node the last one counts, and there are few nodes that anybody looks at.
    this.#runs.length = Math.min(this.#runs.length, 20);
    for (const listener of this.#listeners) listener();
  }

  /** @returns ends it */
  onFinished(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * What a program was given in the last run that came to it; undefined where there was none, or where its values are gone.
   *
   * @param config URI
   * @param command JSON Pointer of the program's command
   */
  async inputOf(config: string, command: string): Promise<TriedInput | undefined> {
    for (const run of this.#runs) {
      const { document, params, result } = run;
      if (document.uri.toString() !== config) continue;
      const step = result.steps.find(({ node }) => node === command);
      if (step === undefined) continue;
      try {
        return {
          label: "Last run",
          input: await whole(run, step, "input"),
          isResponse: isResponse(before(command, result.steps)),
          context: {
            ...(params.context as TriedInput["context"] | undefined),
            piped_content: await pipedTo(command, run),
          },
        };
      } catch {
        // Values go with the next run: what is cut off of them then can't be had any more.
        return undefined;
      }
    }
    return undefined;
  }
}

/** Characters of a value that a panel has room for. */
const LONGEST = 20_000_000;

/** A value of a step, of which the result may have only the beginning. */
async function whole(
  { result, values }: Finished,
  step: RanStep,
  part: "input" | "output",
): Promise<TriedInput["input"]> {
  const isCut = step.cuts?.some(({ pointer }) => pointer.startsWith(`/${part}`)) === true;
  if (!isCut) return (step[part] ?? null) as TriedInput["input"];
  return JSON.parse(
    await values.text({ step: result.steps.indexOf(step), part }, "", LONGEST),
  ) as TriedInput["input"];
}

function isResponse(step: RanStep | undefined): boolean {
  return step?.key === "!http";
}

/** The step before a command in its pipe; one that passes its input on counts as what it passed on. */
function before(command: string, steps: readonly RanStep[]): RanStep | undefined {
  const place = /^(.*\/!pipe)\/(\d+)$/.exec(command);
  for (let index = Number(place?.[2] ?? 0) - 1; index >= 0; index--) {
    const step = steps.find(({ node }) => node === `${place![1]}/${index}`);
    if (step?.key !== "!save" && step?.key !== "!print_c") return step;
  }
  return undefined;
}

/** What `piped_content` is for a command: the input of its pipe, then what each step gave. */
async function pipedTo(command: string, run: Finished): Promise<TriedInput["input"][]> {
  const place = /^(.*\/!pipe)\/(\d+)(?:\/|$)(?!.*\/!pipe\/)/.exec(command);
  if (place === null) return [];
  const stepAt = (index: number) => run.result.steps.find(({ node }) => node === `${place[1]}/${index}`);
  const first = stepAt(0);
  const values = [first === undefined ? null : await whole(run, first, "input")];
  for (let index = 0; index < Number(place[2]); index++) {
    const step = stepAt(index);
    values.push(step === undefined ? null : await whole(run, step, "output"));
  }
  return values;
}
