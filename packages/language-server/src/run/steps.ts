import type { Cut, TraceData, TraceEvent } from "@configc/runtime";
import type { Range } from "vscode-languageserver";
import type { Exchange, RanStep, RunPart, RunStepProgress } from "./protocol.ts";

/** While it is collected. */
type Open = { -readonly [K in keyof RanStep]: RanStep[K] } & { exchanges: Exchange[]; notes: string[] };

/**
 * The commands of a run in the order in which they began, made of the events of its trace as they come. What hasn't ended has
 * neither an output nor an error.
 */
export class StepLog {
  readonly steps: RanStep[] = [];
  readonly #rangeOf: (pointer: string) => Range | undefined;
  readonly #keep: (part: RunPart, value: unknown) => void;
  readonly #isDry: boolean;
  /** By the id of the event that began them, with their index. */
  readonly #open = new Map<number, { readonly step: Open; readonly index: number }>();
  readonly #requests = new Map<number, { readonly parent: number; readonly at: number }>();
  readonly #changed = new Set<number>();
  #began: number | undefined;

  /**
   * @param rangeOf where the command at a pointer stands in the document
   * @param keep takes the values as they are in the run, with secrets
   * @param isDry nothing is sent: what comes back is no answer
   */
  constructor(
    rangeOf: (pointer: string) => Range | undefined,
    keep: (part: RunPart, value: unknown) => void = () => undefined,
    isDry = false,
  ) {
    this.#rangeOf = rangeOf;
    this.#keep = keep;
    this.#isDry = isDry;
  }

  /** @param whole its data, with secrets */
  add({ id, parent, node, t, kind, data, cuts = [] }: TraceEvent, whole: unknown): void {
    this.#began ??= t;
    const time = t - this.#began;
    const was = whole as Readonly<Record<string, unknown>>;
    switch (kind) {
      case "step":
        this.#begin(id, parent, node, data, time);
        return this.#change(id, (step, index) => {
          addCuts(step, cuts);
          this.#keep({ step: index, part: "input" }, was["input"]);
        });
      case "end":
        return this.#change(parent, (step, index) => {
          step.milliseconds = time - step.start;
          addCuts(step, cuts);
          if ("error" in data) step.error = data.error;
          else {
            step.output = data.output;
            this.#keep({ step: index, part: "output" }, was["output"]);
          }
        });
      case "request":
        return this.#change(parent, ({ exchanges }, step) => {
          const exchange = exchanges.length;
          this.#requests.set(id, { parent, at: exchange });
          if ("body" in was) this.#keep({ step, exchange, part: "request" }, was["body"]);
          exchanges.push({
            method: data.method,
            url: data.url,
            headers: data.headers,
            ...("body" in data ? { body: data.body } : {}),
            milliseconds: 0,
            ...(cuts.length > 0 ? { cuts } : {}),
          });
        });
      case "response": {
        const asked = this.#requests.get(parent);
        if (asked === undefined) return undefined;
        return this.#change(asked.parent, ({ exchanges }, step) => {
          const request = exchanges[asked.at];
          if (request === undefined) return;
          if (this.#isDry) {
            exchanges[asked.at] = { ...request, failure: "not sent" };
            return;
          }
          const all = [
            ...(request.cuts ?? []),
            ...cuts.map(({ pointer, length }) => ({ pointer: `/response${pointer}`, length })),
          ];
          exchanges[asked.at] = { ...request, ...answer(data), ...(all.length > 0 ? { cuts: all } : {}) };
          if ("body" in was) this.#keep({ step, exchange: asked.at, part: "response" }, was["body"]);
        });
      }
      case "wait":
        return this.#change(parent, ({ notes }) =>
          notes.push(`waited ${Math.round(data.milliseconds)} ms: ${data.reason}`),
        );
      case "note":
        return this.#change(parent, ({ notes }) =>
          notes.push(typeof data["log"] === "string" ? data["log"] : JSON.stringify(data)),
        );
    }
  }

  /** What began or went on since this was last asked. */
  takeChanged(): RunStepProgress["steps"] {
    const changed = [...this.#changed].flatMap((index) => {
      const step = this.steps[index];
      return step === undefined ? [] : [{ index, step }];
    });
    this.#changed.clear();
    return changed;
  }

  #begin(id: number, parent: number, node: string, { key, input }: TraceData["step"], start: number): void {
    const around = this.#open.get(parent)?.step;
    const range = this.#rangeOf(node);
    const step: Open = {
      node,
      key,
      depth: around === undefined ? 0 : around.depth + 1,
      ...(range === undefined ? {} : { range }),
      input,
      start,
      milliseconds: 0,
      exchanges: [],
      notes: [],
    };
    const index = this.steps.push(step) - 1;
    this.#open.set(id, { step, index });
    this.#changed.add(index);
  }

  /** Events that belong to no step are left out. */
  #change(id: number, change: (step: Open, index: number) => void): void {
    const found = this.#open.get(id);
    if (found === undefined) return;
    change(found.step, found.index);
    this.#changed.add(found.index);
  }
}

function addCuts(step: Open, cuts: readonly Cut[]): void {
  if (cuts.length > 0) step.cuts = [...(step.cuts ?? []), ...cuts];
}

function answer(data: TraceData["response"]): Pick<Exchange, "response" | "failure" | "milliseconds"> {
  const { status, headers, body, milliseconds } = data;
  if (status === undefined) return { failure: String(data.failure), milliseconds };
  return {
    // Such as a web page where data was asked for.
    ...("failure" in data ? { failure: String(data.message) } : {}),
    response: { status, headers, ...(body === undefined ? {} : { body }) },
    milliseconds,
  };
}
