import { pages } from "@configc/host/internal";
import { type Asked, answers } from "../answers.ts";
import type { AdminContext } from "../context.ts";
import { savedRunNames } from "../saved-runs.ts";
import {
  actLink,
  failingHeads,
  failingRow,
  installationPath,
  kindOf,
  more,
  narrowed,
  savedRunLink,
  table,
} from "./parts.ts";

const { html, state, time } = pages;

/** Who fails, the longest first. */
export async function failingPage(context: AdminContext, asked: Asked): Promise<pages.Content> {
  const { rows, next } = await answers.failing(context, asked);
  return html`${narrowed("failing", asked)}${table(failingHeads, rows.map(failingRow), "No installation fails.")}${more("failing", asked, next)}`;
}

export async function itemsPage(context: AdminContext, asked: Asked): Promise<pages.Content> {
  const { rows, next } = await answers.items(context, asked);
  const { after: _, limit: __, ...target } = asked;
  const bulk = Object.keys(target).length === 0 || rows.length === 0;
  return html`${narrowed("items", asked)}
${bulk ? "" : html`<div class="actions">${actLink("retry-items", "Try all again", target)}${actLink("skip-items", "Skip all", target)}${actLink("purge-items", "Delete all", target)}</div>`}
${table(
  ["Failed", "Item", "Customer", "Why"],
  rows.map(
    (row) => html`<tr><td class="number">${row.failed === undefined ? "" : time(row.failed)}</td>
<td><a href="items/${encodeURIComponent(row.item)}">${row.item}</a><br><small>${row.app} ${row.origin}</small></td><td>${row.customer ?? ""}</td>
<td><strong>${kindOf(row)}</strong> ${row.message ?? ""}<br><small><code>${row.pointer ?? ""}</code></small></td></tr>`,
  ),
  "No item has failed.",
)}${more("items", asked, next)}`;
}

export async function runsPage(context: AdminContext, asked: Asked): Promise<pages.Content> {
  const { rows, next } = await answers.runs(context, asked);
  const statuses = ["waiting", "running", "done", "failed", "cancelled"];
  return html`<nav aria-label="Status">${statuses.map((each) => html`<a href="runs?status=${each}"${asked["status"] === each ? html` aria-current="page"` : ""}>${each}</a>`)}</nav>${narrowed("runs", asked)}
${table(
  ["Queued", "Run", "Status", "Took"],
  rows.map(
    ({
      id,
      enqueued,
      status,
      begun,
      ended,
      app,
      installation,
      error,
    }) => html`<tr><td class="number">${time(enqueued)}</td>
<td><a href="runs/${encodeURIComponent(id)}">${id}</a><br><small>${app} <a href="${installationPath(installation)}">${installation}</a></small></td>
<td>${state(status)}<br><small>${error ?? ""}</small></td><td class="number">${begun === undefined || ended === undefined ? "" : `${ended - begun} ms`}</td></tr>`,
  ),
  "There are no such runs.",
)}${more("runs", asked, next)}`;
}

export async function actsPage(context: AdminContext, asked: Asked): Promise<pages.Content> {
  const { rows, next } = await answers.acts(context, asked);
  return html`${table(
    ["When", "Who", "What", "Why"],
    rows.map(
      ({
        begun,
        by,
        act,
        target,
        why,
        result,
      }) => html`<tr><td class="number">${time(begun)}</td><td>${by}</td>
<td><strong>${act}</strong> ${Object.entries(target).map(([name, value]) => `${name} ${value} `)}<br><small>${result === undefined ? "under way" : `${result.affected} changed`}</small></td><td>${why}</td></tr>`,
    ),
    "Nothing was done yet.",
  )}${more("acts", asked, next)}`;
}

/** Failed runs that the fleet keeps as files, and those that workers of this machine saved: each opens in the editor's debugger, or with `configc debug --replay`. */
export async function savedRunsPage(context: AdminContext): Promise<pages.Content> {
  const [kept, names] = await Promise.all([answers.savedRuns(context), savedRunNames(context)]);
  return html`<p class="soft">Download one, then step through it in the editor (“configc: Debug a saved run”) or with <code>configc debug CONFIG --replay FILE</code>, with the config of its version.</p>
${table(
  ["Failed", "Installation", "Why", ""],
  kept.map(
    (one) =>
      html`<tr><td class="number">${time(one.at)}</td><td><a href="${installationPath(one.installation)}">${one.installation}</a><br><small>${one.app}</small></td>
<td><strong>${one.kind}</strong> <code>${one.node}</code><br><small>version <code>${one.version}</code></small></td><td>${savedRunLink(one, "Download")}</td></tr>`,
  ),
  "The database has none. Workers keep them there if savedFailures says how many.",
)}
${
  context.savedRuns === undefined
    ? ""
    : table(
        ["Saved on this machine", "Ended with", ""],
        names.slice(0, 200).map((name) => {
          const [, at = "", kind = ""] = /^(.+?Z)-(\w+)-/.exec(name) ?? [];
          return html`<tr><td class="number">${at}</td><td>${kind}</td><td><a class="button" href="saved-runs/${encodeURIComponent(name)}" download="${name.replace(/\.run$/, ".json")}">Download</a></td></tr>`;
        }),
        "No run has been saved on this machine yet.",
      )
}`;
}
