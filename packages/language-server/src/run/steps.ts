import type { TraceEvent } from "@configc/runtime";
import type { Range } from "vscode-languageserver";
import type { Exchange, RanStep } from "./protocol.ts";

/** While it is collected. */
type Open<T> = { -readonly [K in keyof T]: T[K] };

/**
 * The commands of a run, from the events of its trace. What had not ended when the run was cancelled has neither an output nor an
 * error.
 *
 * @param rangeOf where the command at a pointer stands in the document
 */
export function stepsOf(
  events: readonly TraceEvent[],
  rangeOf: (pointer: string) => Range | undefined,
): RanStep[] {
  const began = events[0]?.t ?? 0;
  const steps = new Map<number, Open<RanStep> & { exchanges: Exchange[]; notes: string[] }>();
  const requests = new Map<number, { readonly step: number; readonly at: number }>();
  for (const { id, parent, node, t, kind, data } of events) {
    // As `TraceKind` says of each kind.
    const is = data as Readonly<Record<string, unknown>>;
    const around = steps.get(parent);
    switch (kind) {
      case "step": {
        const range = rangeOf(node);
        steps.set(id, {
          node,
          key: String(is["key"]),
          depth: around === undefined ? 0 : around.depth + 1,
          ...(range === undefined ? {} : { range }),
          input: is["input"],
          start: t - began,
          milliseconds: 0,
          exchanges: [],
          notes: [],
        });
        break;
      }
      case "end":
        if (around === undefined) break;
        around.milliseconds = t - began - around.start;
        if ("error" in is) around.error = is["error"];
        else around.output = is["output"];
        break;
      case "request":
        if (around === undefined) break;
        requests.set(id, { step: parent, at: around.exchanges.length });
        around.exchanges.push({
          method: String(is["method"]),
          url: String(is["url"]),
          headers: is["headers"] as Readonly<Record<string, string>>,
          ...("body" in is ? { body: is["body"] } : {}),
          milliseconds: 0,
        });
        break;
      case "response": {
        const asked = requests.get(parent);
        const exchanges = asked === undefined ? undefined : steps.get(asked.step)?.exchanges;
        const request = asked === undefined ? undefined : exchanges?.[asked.at];
        if (asked === undefined || exchanges === undefined || request === undefined) break;
        exchanges[asked.at] = { ...request, ...answer(is) };
        break;
      }
      default:
        around?.notes.push(noteText(kind, is));
    }
  }
  return [...steps.values()];
}

function answer(
  is: Readonly<Record<string, unknown>>,
): Pick<Exchange, "response" | "failure" | "milliseconds"> {
  const milliseconds = Number(is["milliseconds"] ?? 0);
  if ("failure" in is) return { failure: String(is["failure"]), milliseconds };
  const { status, headers, body } = is;
  return {
    response: { status: Number(status), headers, ...(body === undefined ? {} : { body }) },
    milliseconds,
  };
}

function noteText(kind: string, is: unknown): string {
  const { reason, milliseconds, log } = (typeof is === "object" && is !== null ? is : {}) as Readonly<
    Record<string, unknown>
  >;
  if (kind === "wait") return `waited ${Math.round(Number(milliseconds))} ms: ${reason}`;
  if (typeof log === "string") return log;
  return typeof is === "string" ? is : JSON.stringify(is);
}
