import type { TraceData, TraceEvent } from "@configc/runtime";
import { h } from "../dom.ts";
import { brief, jsonText } from "./json.ts";

/** Events as a tree: a step holds its requests and the steps in it, closed until a reader opens it. */
export function traceTree(events: readonly TraceEvent[], jump: (pointer: string) => void): HTMLElement {
  const tree = new TraceTree(jump);
  for (const event of events) tree.add(event);
  const { root } = tree;
  // Whoever opens the trace wants to see the steps of a pipe, not the pipe.
  for (const step of root.querySelectorAll<HTMLDetailsElement>(":scope > details")) step.open = true;
  return root;
}

class TraceTree {
  readonly root = h("div", { className: "trace" });
  /** Where the events of another one go, by its id. */
  private readonly places = new Map<number, HTMLElement>([[0, this.root]]);
  private readonly summaries = new Map<number, HTMLElement>();
  private readonly jump: (pointer: string) => void;

  constructor(jump: (pointer: string) => void) {
    this.jump = jump;
  }

  add(event: TraceEvent): void {
    const { kind, data } = event;
    const around = this.places.get(event.parent) ?? this.root;
    switch (kind) {
      case "step":
        return this.step(event, data, around);
      case "end":
        return this.end(event, data, around);
      case "request":
        return this.request(event, data, around);
      case "response":
        return this.response(event, data, around);
      case "wait":
        return around.append(note(`waits ${data.milliseconds} ms: ${data.reason}`));
      case "note":
        return around.append(note(brief(data)));
    }
  }

  private step(event: TraceEvent, data: TraceData["step"], around: HTMLElement): void {
    const { id, node } = event;
    const show = h(
      "button",
      {
        type: "button",
        className: "link jump",
        title: node,
        // Inside of a summary a click would open it.
        onclick: (click) => {
          click.preventDefault();
          this.jump(node);
        },
      },
      "show",
    );
    const summary = h("summary", {}, h("span", { className: "key" }, data.key), show);
    const inner = h("div", { className: "inner" });
    const input = value("input", data.input, event, "input");
    around.append(h("details", { className: "ran" }, summary, input, inner));
    this.places.set(id, inner);
    this.summaries.set(id, summary);
  }

  private end(event: TraceEvent, data: TraceData["end"], around: HTMLElement): void {
    const failed = "error" in data;
    const text = failed
      ? `${(data.error as { readonly message?: string } | null)?.message}`
      : brief(data.output, 70);
    this.tell(event, failed ? "failed" : "gives", text);
    if (!failed) around.parentElement?.append(value("output", data.output, event, "output"));
  }

  private request(event: TraceEvent, data: TraceData["request"], around: HTMLElement): void {
    const { method, url } = data;
    const summary = h(
      "summary",
      {},
      h("span", { className: "method" }, method),
      h("span", { className: "url" }, url),
    );
    const headers = value("headers", data.headers, event, "headers");
    const request = h("details", { className: "exchange" }, summary, headers);
    if (data.body !== undefined) request.append(value("body", parsed(data.body), event, "body"));
    around.append(request);
    this.tell(event, "url", `${method} ${pathOf(url)}`);
    this.places.set(event.id, request);
    this.summaries.set(event.id, summary);
  }

  private response(event: TraceEvent, data: TraceData["response"], around: HTMLElement): void {
    const failed = "failure" in data;
    // A web page where data was asked for has a status as well.
    const status = [data.status, data.message ?? data.failure]
      .filter((each) => each !== undefined)
      .join(": ");
    const good = !failed && Number(data.status) < 400;
    this.tell(event, good ? "status good" : "status", status);
    if (data.body !== undefined) around.append(value("answer", parsed(data.body), event, "body"));
  }

  /** Adds something to the line of the step or request that an event belongs to. */
  private tell({ parent }: TraceEvent, className: string, text: string): void {
    this.summaries.get(parent)?.append(h("span", { className }, text));
  }
}

function note(text: string): HTMLElement {
  return h("p", { className: "note" }, text);
}

/** What tells the requests of an app apart: nearly all go to one host. */
function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/]*/, "");
}

/** @param of the event whose data has it as a member, and tells where it is cut */
function value(label: string, content: unknown, of: TraceEvent, member: string): Node {
  const cuts = (of.cuts ?? []).filter(
    ({ pointer }) => pointer === `/${member}` || pointer.startsWith(`/${member}/`),
  );
  return h(
    "div",
    { className: "value" },
    h("span", { className: "label" }, label),
    jsonText(JSON.stringify(content, undefined, 2) ?? "nothing"),
    ...cuts.map(({ pointer, length }) =>
      h(
        "p",
        { className: "note" },
        `Only the beginning of ${pointer}, which has ${length.toLocaleString()} in all.`,
      ),
    ),
  );
}

function parsed(body: unknown): unknown {
  if (typeof body !== "string") return body;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
