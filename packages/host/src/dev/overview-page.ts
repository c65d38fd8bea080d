import type { Delivery, Installation, PollingRecord } from "@configc/runtime";
import { failingOf } from "../answers/lists.ts";
import { type Content, type Html, html } from "../pages/html.ts";
import { button, state, time } from "../pages/layout.ts";
import type { Site } from "./site.ts";

/** The first page: what is set up, and what can be. */
export async function overview(site: Site): Promise<Content> {
  const { app, runtime, host, name } = site;
  const installations = (await runtime.installations.list()).filter(({ status }) => status !== "removed");
  const rows = await Promise.all(installations.map((each) => installationRow(site, each)));
  const recent = await host.store.transaction(async (transaction) => {
    const all = await transaction.list("deliveries", {});
    return all
      .filter((each) => each.app === name)
      .slice(-25)
      .reverse();
  });
  const failing = await failingOf(host.store, { app: name });
  return html`
${failing.length === 0 ? "" : html`<h2>What fails</h2>${failing.map(({ installation, kind, status, message, pointer, since }) => html`<div class="card notice"><p><strong>${kind}${status === undefined ? "" : ` ${status}`}</strong>: ${message}</p><p class="soft">at <code>${pointer}</code>${since === undefined ? "" : `, since ${time(since)}`}. <a href="/installations/${installation}">To its workflow</a></p></div>`)}`}
${rows.length === 0 ? html`<p>Nothing is set up yet. Choose a workflow below and go through its setup, as a customer would.</p>` : html`<h2>Set up</h2>${rows}`}
<h2>Workflows</h2>
${app.workflows.map(
  ({
    name: workflow,
    label,
    direction,
  }) => html`<div class="card"><div class="row"><div><strong>${label}</strong><br><small>${workflow}, ${direction}</small></div>
${button(`/workflows/${encodeURIComponent(workflow)}/set-up`, "Set up", { main: rows.length === 0 })}</div></div>`,
)}
${recent.length === 0 ? "" : html`<h2>Latest deliveries</h2><div class="card">${deliveryTable(recent)}</div>`}`;
}

async function installationRow({ host, app }: Site, installation: Installation): Promise<Content> {
  const { id, workflow, status, settings, draft, failure } = installation;
  const counts = await host.store.transaction(async (transaction) => {
    const count = (each: Delivery["status"]) =>
      transaction.count("deliveries", { installation: id, status: each });
    return {
      delivered: await count("delivered"),
      waiting: await count("waiting"),
      failed: await count("failed"),
    };
  });
  const label = app.workflows.find((each) => each.name === workflow)?.label ?? workflow;
  const about = settings?.display ?? draft?.settings.display ?? settings?.account ?? draft?.settings.account;
  const told = Object.entries(counts).filter(([, count]) => count > 0);
  return html`<div class="card"><div class="row"><div><a href="/installations/${id}"><strong>${label}</strong></a> ${state(status)}
<br><small>${about ?? ""}${told.length > 0 ? html` · ${told.map(([name, count]) => `${count} ${name}`).join(", ")}` : ""}</small>
${failure === undefined ? "" : html`<br><small class="bad">${failure.message}</small>`}</div>
${draft === undefined || draft.step === "ready" ? "" : html`<a class="button" href="/installations/${id}/setup">Go on with the setup</a>`}</div></div>`;
}

/** Deliveries, the newest first. */
export function deliveryTable(rows: readonly Delivery[]): Html {
  return html`<div class="scroll"><table><thead><tr><th>Received</th><th>From</th><th>State</th><th>What</th></tr></thead><tbody>
${rows.map(
  ({
    id,
    receivedAt,
    origin,
    intake,
    status,
    failure,
  }) => html`<tr><td class="number"><a href="/deliveries/${encodeURIComponent(id)}">${time(receivedAt)}</a></td>
<td>${origin}${intake === "" ? "" : html`<br><small>${intake}</small>`}</td><td>${state(status)}</td><td>${failure?.message ?? ""}</td></tr>`,
)}</tbody></table></div>`;
}

/** How a polling intake stands. */
export function pollingView({
  intake,
  cycle,
  results,
  reason,
  failures,
  failure,
  endedAt,
  done,
  state: kept,
}: PollingRecord): Content {
  return html`<p>${intake}: ${cycle === 0 ? "not polled yet" : html`cycle ${cycle}, ${results} results${reason === undefined ? "" : `, ended by ${reason}`}${endedAt === undefined ? "" : html` <small>${time(endedAt)}</small>`}`}${done ? ". The import is complete." : ""}</p>
${failures > 0 && failure !== undefined ? html`<p class="bad">Failed ${failures} times: ${failure.message}</p>` : ""}
<details><summary>Polling state</summary><pre>${JSON.stringify(kept, undefined, 2)}</pre></details>`;
}
