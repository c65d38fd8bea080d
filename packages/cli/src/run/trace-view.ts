import { type Json, printExact } from "@configc/jq";
import type { TraceEvent } from "@configc/runtime";
import type { Style } from "../terminal/style.ts";

const WIDTH = 160;

/** Prints events as they come: a step indented below the one around it, requests and waits in their place. */
export class TraceView {
  private readonly depths = new Map<number, number>([[0, -1]]);
  private readonly started = new Map<number, number>();
  private readonly style: Style;
  private readonly write: (line: string) => void;

  constructor(style: Style, write: (line: string) => void) {
    this.style = style;
    this.write = write;
  }

  add(event: TraceEvent): void {
    const { id, parent, kind, node, t } = event;
    const depth = (this.depths.get(parent) ?? -1) + 1;
    this.depths.set(id, depth);
    this.started.set(id, t);
    const text = this.text(event);
    // The end of a step stands where the step does.
    const indent = "  ".repeat(Math.max(0, kind === "end" ? depth - 1 : depth));
    const where = kind === "step" ? ` ${this.style.dim(node)}` : "";
    this.write(`${indent}${text.length > WIDTH ? `${text.slice(0, WIDTH - 1)}…` : text}${where}`);
  }

  private text({ kind, data, parent, t }: TraceEvent): string {
    const { style } = this;
    const is = data as Readonly<Record<string, unknown>>;
    switch (kind) {
      case "step":
        return `${style.bold(`${is["key"]}`)} ← ${told(is["input"])}`;
      case "end": {
        const took = style.dim(`${t - (this.started.get(parent) ?? t)} ms`);
        return "error" in is
          ? `${style.red("✗")} ${told(is["error"])} ${took}`
          : `→ ${told(is["output"])} ${took}`;
      }
      case "request":
        return `${is["method"]} ${is["url"]}${is["body"] === undefined ? "" : ` ${is["body"]}`}`;
      case "response":
        return "failure" in is
          ? `${style.red("no answer")}: ${is["failure"]}`
          : `${is["status"]} ${is["body"] ?? ""}`;
      case "wait":
        return `waits ${is["milliseconds"]} ms: ${is["reason"]}`;
      case "note":
        return `${typeof data === "string" ? data : told(data)}`;
    }
  }
}

/** Big numbers keep their digits. */
function told(value: unknown): string {
  return value === undefined ? "" : printExact(value as Json);
}
