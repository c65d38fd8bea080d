import type { TraceEvent } from "@configc/runtime";
import { h } from "../dom.ts";
import { brief, jsonText } from "./json.ts";

type Data = Readonly<Record<string, unknown>>;

/** Events as a tree: a step holds its requests and the steps in it, closed until a reader opens it. */
export function traceTree(events: readonly TraceEvent[], jump: (pointer: string) => void): HTMLElement {
  const root = h("div", { className: "trace" });
  const places = new Map<number, HTMLElement>([[0, root]]);
  const summaries = new Map<number, HTMLElement>();
  for (const event of events) {
    const { id, parent, kind, node } = event;
    const data = event.data as Data;
    const around = places.get(parent) ?? root;
    switch (kind) {
      case "step": {
        const summary = h("summary", {}, h("span", { className: "key" }, `${data["key"]}`));
        const inner = h("div", { className: "inner" });
        const step = h(
          "details",
          { className: "ran" },
          summary,
          value("input", data["input"], event, "input"),
          inner,
        );
        summary.append(
          h(
            "button",
            {
              type: "button",
              className: "link jump",
              title: node,
              // Inside of a summary a click would open it.
              onclick: (click) => {
                click.preventDefault();
                jump(node);
              },
            },
            "show",
          ),
        );
        around.append(step);
        places.set(id, inner);
        summaries.set(id, summary);
        break;
      }
      case "end": {
        const failed = "error" in data;
        const text = failed ? `${(data["error"] as Data | null)?.["message"]}` : brief(data["output"], 70);
        summaries.get(parent)?.append(h("span", { className: failed ? "failed" : "gives" }, text));
        if (!failed) around.parentElement?.append(value("output", data["output"], event, "output"));
        break;
      }
      case "request": {
        const url = `${data["url"]}`;
        const summary = h(
          "summary",
          {},
          h("span", { className: "method" }, `${data["method"]}`),
          h("span", { className: "url" }, url),
        );
        const request = h(
          "details",
          { className: "exchange" },
          summary,
          value("headers", data["headers"], event, "headers"),
        );
        if (data["body"] !== undefined) request.append(value("body", parsed(data["body"]), event, "body"));
        around.append(request);
        summaries.get(parent)?.append(h("span", { className: "url" }, `${data["method"]} ${pathOf(url)}`));
        places.set(id, request);
        summaries.set(id, summary);
        break;
      }
      case "response": {
        const failed = "failure" in data;
        // A web page where data was asked for has a status as well.
        const status = [data["status"], data["message"] ?? data["failure"]]
          .filter((each) => each !== undefined)
          .join(": ");
        const good = !failed && Number(data["status"]) < 400;
        summaries.get(parent)?.append(h("span", { className: good ? "status good" : "status" }, status));
        if (data["body"] !== undefined) around.append(value("answer", parsed(data["body"]), event, "body"));
        break;
      }
      case "wait":
        around.append(h("p", { className: "note" }, `waits ${data["milliseconds"]} ms: ${data["reason"]}`));
        break;
      case "note":
        around.append(
          h("p", { className: "note" }, typeof event.data === "string" ? event.data : brief(data)),
        );
        break;
    }
  }
  // Whoever opens the trace wants to see the steps of a pipe, not the pipe.
  for (const step of root.querySelectorAll<HTMLDetailsElement>(":scope > details")) step.open = true;
  return root;
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
