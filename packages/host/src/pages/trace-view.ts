import type { TraceEvent } from "@configc/runtime";
import { type Content, type Html, html } from "./html.ts";
import { pretty } from "./layout.ts";

/** Where a value is cut, and how much there was of it. */
function cutsOf({ cuts = [] }: TraceEvent): Content {
  return cuts.map(
    ({ pointer, length }) =>
      html`<p class="soft">Only the beginning of <code>${pointer === "" ? "/" : pointer}</code>, which has ${length.toLocaleString("en")} in all.</p>`,
  );
}

/** The events of a run as a tree: each step with its input and output, requests and answers in their place. */
export function traceView(events: readonly TraceEvent[]): Html {
  const children = new Map<number, TraceEvent[]>();
  for (const event of events) {
    const known = children.get(event.parent);
    if (known === undefined) children.set(event.parent, [event]);
    else known.push(event);
  }
  const ids = new Set(events.map(({ id }) => id));
  // A kept trace may have lost its beginning.
  const roots = events.filter(({ parent }) => !ids.has(parent));
  if (roots.length === 0) return html`<p class="soft">Nothing ran.</p>`;
  return html`<ul class="trace">${roots.map((event) => item(event, children, 0))}</ul>`;
}

const DEEPEST = 60;

function item(event: TraceEvent, children: ReadonlyMap<number, TraceEvent[]>, depth: number): Content {
  const inner = children.get(event.id) ?? [];
  const { kind, data } = event;
  switch (kind) {
    case "step": {
      const end = inner.find((each) => each.kind === "end");
      const given = end?.data ?? {};
      const failed = "error" in given;
      const took = end === undefined ? "" : `${end.t - event.t} ms`;
      const below = depth > DEEPEST ? [] : inner.filter((each) => each !== end);
      return html`<li><details${failed ? html` open` : ""}><summary><strong>${data.key}</strong> <code>${event.node}</code> <span class="${failed ? "bad" : "soft"}">${failed ? "failed" : took}</span></summary>
<small>input</small>${pretty(data.input)}${cutsOf(event)}
${below.length > 0 ? html`<ul class="trace">${below.map((each) => item(each, children, depth + 1))}</ul>` : ""}
${end === undefined ? "" : html`<small>${failed ? "failure" : "output"}</small>${pretty(failed ? given.error : given.output)}${end === undefined ? "" : cutsOf(end)}`}
</details></li>`;
    }
    case "request":
      return html`<li><details><summary>→ ${data.method} ${data.url}</summary>${pretty(data)}${cutsOf(event)}</details></li>`;
    case "response":
      return html`<li><details><summary>← ${"failure" in data ? html`<span class="bad">${String(data.status ?? "no answer")}</span> ${data.message ?? ""}` : String(data.status)}</summary>${pretty(data)}${cutsOf(event)}</details></li>`;
    default:
      return html`<li class="soft">${kind}: ${JSON.stringify(data)}</li>`;
  }
}
