import { pages } from "@configc/host/internal";
import type { Target } from "../../acts/index.ts";
import type { Failing } from "../../answers/failing.ts";
import type { SavedFailure } from "../../stories/index.ts";

const { html, time } = pages;

/** An address with what is asked. */
export function address(path: string, asked: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const query = new URLSearchParams(given).toString();
  return query === "" ? path : `${path}?${query}`;
}

export function installationPath(id: string): string {
  return `installations/${encodeURIComponent(id)}`;
}

/** A button to the page on which an act is looked at before it is done. */
export function actLink(name: string, label: string, target: Target): pages.Html {
  return html`<a class="button" href="${address(`do/${name}`, { ...target })}">${label}</a>`;
}

/** A button that downloads a failed run. */
export function savedRunLink({ installation, node }: SavedFailure, label: string): pages.Html {
  const path = address(`saved-runs/of/${encodeURIComponent(installation)}`, { node });
  return html`<a class="button" href="${path}" download="${installation}.json">${label}</a>`;
}

/** The link to the next page of a list. */
export function more(
  path: string,
  asked: Readonly<Record<string, string>>,
  next: string | undefined,
): pages.Content {
  return next === undefined
    ? ""
    : html`<p><a class="button" href="${address(path, { ...asked, after: next })}">More</a></p>`;
}

/** Which filter is in force, and the way back to all. */
export function narrowed(path: string, asked: Readonly<Record<string, string>>): pages.Content {
  const names = Object.entries(asked).filter(([name]) => name !== "after" && name !== "limit");
  return names.length === 0
    ? ""
    : html`<p class="soft">Only ${names.map(([name, value]) => `${name} ${value}`).join(", ")}. <a href="${path}">All</a></p>`;
}

export function table(heads: readonly string[], rows: readonly pages.Content[], empty: string): pages.Html {
  return rows.length === 0
    ? html`<div class="card"><p class="soft">${empty}</p></div>`
    : html`<div class="card scroll"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** `HttpError 401` */
export function kindOf({ kind = "", status }: { readonly kind?: string; readonly status?: number }): string {
  return status === undefined ? kind : `${kind} ${status}`;
}

export function failingRow(row: Failing): pages.Html {
  const { installation, app, customer, what, since, message, pointer, mustConnect, held } = row;
  const states = [...(mustConnect ? ["has to connect again"] : []), ...(held ? ["held"] : [])];
  return html`<tr><td class="number">${time(since)}</td><td><a href="${installationPath(installation)}">${installation}</a><br><small>${app}</small></td>
<td>${customer ?? ""}</td><td><strong>${kindOf(row)}</strong> ${message}<br><small>${what} <code>${pointer}</code> ${states.join(", ")}</small></td></tr>`;
}

export const failingHeads = ["Since", "Installation", "Customer", "Why"];
