import { type Json, printExact } from "@configc/jq";
import type { TraceEvent, TraceListener } from "@configc/runtime";
import { redactedValue } from "@configc/runtime/internal";
import type { Style } from "../terminal/style.ts";
import { sizesOf } from "./trace-sizes.ts";

const WIDTH = 160;

/** Prints events as they come: a step indented below the one around it, requests and waits in their place. */
export class TraceView {
  readonly #depths = new Map<number, number>([[0, -1]]);
  readonly #started = new Map<number, number>();
  readonly #style: Style;
  readonly #write: (line: string) => void;
  readonly #isWhole: boolean;

  /** @param isWhole whether values are printed as long as they are; otherwise a line is cut, and tells how much there is */
  constructor(style: Style, write: (line: string) => void, isWhole: boolean) {
    this.#style = style;
    this.#write = write;
    this.#isWhole = isWhole;
  }

  readonly add: TraceListener = (captured, whole, redact) => {
    const event = this.#isWhole ? wholeEvent(captured, whole, redact) : captured;
    const { id, parent, kind, t } = event;
    const depth = (this.#depths.get(parent) ?? -1) + 1;
    this.#depths.set(id, depth);
    this.#started.set(id, t);
    const { sign = "", text, value, behind = "" } = this.#line(event);
    // The end of a step stands where the step does.
    const indent = "  ".repeat(Math.max(0, kind === "end" ? depth - 1 : depth));
    const isCut = !this.#isWhole && (text.length > WIDTH || event.cuts !== undefined);
    const shown = isCut ? `${text.slice(0, WIDTH - 1)}…` : text;
    const sizes = isCut && value !== undefined ? sizesOf(event, value) : "";
    const more = [sizes, behind].filter((each) => each !== "").map((each) => ` ${this.#style.dim(each)}`);
    this.#write(`${indent}${sign}${shown}${more.join("")}`);
  };

  /** @returns `value`: the member of the data whose size is told where the text is cut; `behind` is never cut */
  #line({ kind, data, parent, t, node }: TraceEvent): Line {
    const style = this.#style;
    switch (kind) {
      case "step":
        return {
          sign: `${style.bold(`${data.key}`)} ← `,
          text: told(data.input),
          value: "input",
          behind: node,
        };
      case "end": {
        const behind = `${t - (this.#started.get(parent) ?? t)} ms`;
        return "error" in data
          ? { sign: `${style.red("✗")} `, text: told(data.error), behind }
          : { sign: "→ ", text: told(data.output), value: "output", behind };
      }
      case "request": {
        const { method, url, body } = data;
        return { text: `${method} ${url}${body === undefined ? "" : ` ${body}`}`, value: "body" };
      }
      case "response":
        // A web page where data was asked for is an answer, too.
        if ("failure" in data && data.status !== undefined)
          return { sign: `${style.red("✗")} `, text: `${data.message}` };
        return "failure" in data
          ? { sign: `${style.red("no answer")}: `, text: `${data.failure}` }
          : { text: `${data.status} ${data.body ?? ""}`, value: "body" };
      case "wait":
        return { text: `waits ${data.milliseconds} ms: ${data.reason}` };
      case "note":
        return { text: told(data) };
    }
  }
}

interface Line {
  readonly sign?: string;
  readonly text: string;
  readonly value?: "input" | "output" | "body";
  readonly behind?: string;
}

/** What an error tells is in the captured event. */
function wholeEvent({ cuts: _, ...event }: TraceEvent, ...[whole, redact]: Whole): TraceEvent {
  if ("error" in event.data) return event;
  return { ...event, data: redactedValue(whole, redact) } as TraceEvent;
}

type Whole = [whole: Parameters<TraceListener>[1], redact: Parameters<TraceListener>[2]];

/** Big numbers keep their digits. */
function told(value: unknown): string {
  return value === undefined ? "" : printExact(value as Json);
}
