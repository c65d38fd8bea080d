import { count, h } from "../dom.ts";
import type { RunReport } from "../tools/protocol.ts";
import { jsonText } from "./json.ts";
import { traceTree } from "./trace.ts";

/** What a person can do with a run. */
export interface RunActions {
  /** Lets them write the answer to a request that none is recorded for. */
  answer(request: NonNullable<RunReport["unanswered"]>): void;
  /** Shows a place in the config. */
  jump(start: number, end: number): void;
  /** Shows a command, by its JSON Pointer. */
  jumpTo(pointer: string): void;
}

/** What a run gave, how it failed, and its steps. */
export function runReport(report: RunReport, actions: RunActions): readonly (Node | string)[] {
  const { output, failure, unanswered, events } = report;
  return [
    summary(report),
    failure === undefined ? jsonText(output ?? "null") : failureBox(failure.message, failure.span, actions),
    unanswered === undefined
      ? ""
      : h(
          "button",
          { type: "button", className: "small answer", onclick: () => actions.answer(unanswered) },
          "Write its answer",
        ),
    h("h3", {}, "Steps"),
    traceTree(events, (pointer) => actions.jumpTo(pointer)),
  ];
}

function summary({ failure, expected, unused, events }: RunReport): HTMLElement {
  const requests = events.filter(({ kind }) => kind === "request").length;
  return h(
    "p",
    { className: "summary", attributes: { role: "status" } },
    h("strong", {}, failure === undefined ? "Output" : failure.kind),
    h("span", {}, count(requests, "request")),
    ...(unused === 0 ? [] : [h("span", {}, `${count(unused, "recorded answer")} not asked for`)]),
    expected === undefined
      ? undefined
      : h(
          "span",
          { className: expected ? "verdict good" : "verdict" },
          expected ? "as expected" : "not as expected",
        ),
  );
}

/** @param span of what failed, where that is in the config */
export function failureBox(
  message: string,
  span: { readonly start: number; readonly end: number } | undefined,
  { jump }: Pick<RunActions, "jump">,
): HTMLElement {
  return h(
    "div",
    { className: "failure", attributes: { role: "alert" } },
    h("pre", {}, message),
    span === undefined
      ? undefined
      : h(
          "button",
          { type: "button", className: "small", onclick: () => jump(span.start, span.end) },
          "Go to its place",
        ),
  );
}
