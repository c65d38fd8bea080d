import type { SourcePlace } from "@configc/runtime";
import type { Why } from "../answers/why.ts";
import { type Content, type Html, html } from "./html.ts";
import { time } from "./layout.ts";

/** A place in a config, as a person looks for it. */
export function placeView(pointer: string, place: SourcePlace | undefined): Content {
  const at = place === undefined ? "" : ` ${place.file}:${place.line}:${place.column}`;
  return pointer === "" ? at : html`<code>${pointer}</code>${at}`;
}

/** A text of the runtime, whose names stand between backticks. */
function named(text: string): Content {
  return text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** What fails of an installation, what waits, and what comes next. */
export function whyView(why: Why, now: number): Html {
  const { failing, mustConnect, lastSuccess, lastReason, items, next } = why;
  const troubles = failing.map(
    ({
      what,
      kind,
      status,
      message,
      pointer,
      place,
      since,
      tries = 0,
      version,
    }) => html`<div class="card notice">
<p><strong>${kind}${status === undefined ? "" : ` ${status}`}</strong>: ${message}</p>
<p class="soft">${what}, at ${placeView(pointer, place)}</p>
<p class="soft">${since === undefined ? "" : `Since ${time(since)}. `}${tries > 0 ? `Failed tries: ${tries}. ` : ""}${version === undefined ? "" : html`Version <code>${version}</code>.`}</p></div>`,
  );
  const waiting = items.waitingSince === undefined ? "" : `, the first since ${time(items.waitingSince)}`;
  return html`${failing.length === 0 ? html`<p class="good">Nothing fails.</p>` : troubles}
${mustConnect ? html`<p class="bad">The customer has to connect again before anything is tried.</p>` : ""}
<p>${lastSuccess === undefined ? "No cycle has come to its end yet." : `The last cycle that came to its end did so ${time(lastSuccess)}${lastReason === undefined ? "" : ` (${lastReason})`}.`}
Items that wait: ${items.waiting}${waiting}; failed: ${items.failed}.</p>
${next.length === 0 ? html`<p class="soft">Nothing comes next by itself.</p>` : ""}
${next.map(
  ({ at, does, pointer, place }) =>
    html`<p>${at <= now ? "As soon as there is a place" : time(at)}: ${named(does)}${pointer === undefined ? "" : html`, from ${placeView(pointer, place)}`}.</p>`,
)}`;
}
