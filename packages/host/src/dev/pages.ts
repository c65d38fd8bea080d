import type { TraceEvent } from "@configc/runtime";
import { type Content, html } from "../pages/html.ts";
import { button, pretty, type Shown, state, time } from "../pages/layout.ts";
import { traceView } from "../pages/trace-view.ts";
import { failureView } from "./failure-view.ts";
import { installationPage } from "./installation-page.ts";
import { overview } from "./overview-page.ts";
import { loginOf } from "./setup-actions.ts";
import { setupPage } from "./setup-page.ts";
import { PageError, type Site, workflowNamed } from "./site.ts";

/** The page at an address. @throws PageError where there is none */
export async function show(site: Site, parts: readonly string[], query: URLSearchParams): Promise<Shown> {
  const { runtime } = site;
  const [place, id = "", inner] = parts;
  if (place === undefined) return { title: "Workflows on this machine", body: await overview(site) };
  switch (place) {
    case "installations": {
      const installation = await runtime.installations.get(id);
      const workflow = workflowNamed(site, installation.workflow);
      if (inner === "setup")
        return await runtime.installations.setup(id, (setup) => setupPage(site, setup, id, query));
      return { title: workflow.label, body: await installationPage(site, installation) };
    }
    case "deliveries":
      return { title: "Delivery", body: await deliveryPage(site, id) };
    case "runs":
      return runPage(site, Number(id));
    case "login":
      return { title: "Log in", body: loginPage(site, id) };
    default:
      throw new PageError(404, "There is no such page.");
  }
}

async function deliveryPage({ host, name }: Site, id: string): Promise<Content> {
  const row = await host.store.transaction((transaction) => transaction.get("deliveries", id));
  if (row === undefined || row.app !== name)
    throw new PageError(404, "There is no such delivery (any more).");
  const { status, receivedAt, settledAt, origin, intake, attempts, failure, input, trace, installation } =
    row;
  return html`<div class="card"><p>${state(status)} ${origin} ${intake}</p>
<p class="soft">Received ${time(receivedAt)}${settledAt === undefined ? "" : `, settled ${time(settledAt)}`}, tried ${attempts} times.</p>
${failure === undefined ? "" : html`<p class="bad"><strong>${failure.kind}</strong>: ${failure.message}</p><p class="soft">at <code>${failure.pointer}</code></p>`}
<div class="actions">${status === "failed" ? button(`/deliveries/${encodeURIComponent(id)}/retry`, "Try again", { main: true }) : ""}
${status === "failed" || status === "waiting" ? [button(`/deliveries/${encodeURIComponent(id)}/skip`, "Skip"), button(`/deliveries/${encodeURIComponent(id)}/purge`, "Delete")] : ""}
${installation === undefined ? "" : html`<a class="button" href="/installations/${installation}">To its workflow</a>`}</div></div>
<h2>Item</h2><div class="card">${input === undefined ? html`<p class="soft">Items that have arrived aren't kept.</p>` : pretty(input)}</div>
${Array.isArray(trace) ? html`<h2>What happened</h2><div class="card">${traceView(trace as unknown as TraceEvent[])}</div>` : ""}`;
}

function runPage({ runs }: Site, number: number): Shown {
  const run = runs.get(number);
  if (run === undefined) throw new PageError(404, "This run isn't kept any more.");
  const { what, from, events, result, error } = run;
  return {
    title: what,
    body: html`<div class="card${error === undefined ? "" : html` notice`}">${error === undefined ? pretty(result) : failureView(error)}
<div class="actions"><a class="button" href="${from}">Back</a></div></div>
<h2>What happened</h2><div class="card">${traceView(events)}</div>`,
  };
}

/** A link and not a redirect of the form: pages may send forms to themselves only. */
function loginPage(site: Site, state: string): Content {
  const { pending } = loginOf(site, state);
  const { host } = new URL(pending.url);
  return html`<div class="card"><p>The service has to know <code>${pending.redirectUri}</code> as a redirect address of your client.</p>
<div class="actions"><a class="button main" href="${pending.url}" rel="noreferrer">Go to ${host}</a></div></div>`;
}
