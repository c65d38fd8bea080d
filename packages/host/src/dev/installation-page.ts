import type { Installation } from "@configc/runtime";
import { why } from "../answers/why.ts";
import { type Content, html } from "../pages/html.ts";
import { button, state } from "../pages/layout.ts";
import { whyView } from "../pages/why-view.ts";
import { deliveryTable, pollingView } from "./overview-page.ts";
import { type Site, workflowNamed } from "./site.ts";

/** One installation: how it stands, what can be done with it, what it delivered. */
export async function installationPage(site: Site, installation: Installation): Promise<Content> {
  const { app, host } = site;
  const { id, status, settings, draft, failure } = installation;
  const workflow = workflowNamed(site, installation.workflow);
  const intake = workflow.intake === undefined ? undefined : app.intakes[workflow.intake];
  const polls = intake?.type === "polling" || workflow.historicalIntake !== undefined;
  const { deliveries, polling, hooks } = await host.store.transaction(async (transaction) => {
    const members = await transaction.list("members", { installation: id });
    const registered = await Promise.all(
      members.map(({ registration }) => transaction.list("hooks", { registration })),
    );
    const lists = await Promise.all(
      (["waiting", "delivered", "skipped", "failed"] as const).map((each) =>
        transaction.list("deliveries", { installation: id, status: each }),
      ),
    );
    return {
      deliveries: lists.flat().sort((a, b) => b.receivedAt - a.receivedAt),
      polling: await transaction.list("polling", { installation: id }),
      hooks: registered.flat().filter((hook) => hook.state === "active"),
    };
  });
  const path = `/installations/${id}`;
  const now = host.effects.clock.now();
  const told = await why({ store: host.store, installation: id, now, appOf: async () => app });
  const isActive = status === "active" || status === "updating";
  return html`
<div class="card"><div class="row"><div>${state(status)} <span class="soft">${settings?.account ?? draft?.settings.account ?? ""}</span>
${settings?.display === undefined ? "" : html`<br>${settings.display}`}
${failure === undefined ? "" : html`<p class="bad">${failure.message} <small><code>${failure.pointer}</code></small></p>`}</div></div>
<div class="actions">
${draft === undefined ? html`<a class="button" href="${path}/setup">Change the setup</a>` : html`<a class="button main" href="${path}/setup">Go on with the setup</a>`}
${isActive && polls ? button(`${path}/poll`, "Poll now", { main: draft === undefined }) : ""}
${isActive && polls ? button(`${path}/reset`, "Forget the polling state") : ""}
${status === "paused" ? button(`${path}/activate`, "Activate") : ""}
${isActive ? button(`${path}/pause`, "Pause") : ""}
${settings?.connection === undefined ? "" : [button(`${path}/refresh`, "Renew its tokens"), button(`${path}/disconnect`, "Disconnect")]}
</div>
<details><summary>Remove</summary><p>It ends at the service too: webhooks are deleted there. What it has delivered stays where it went.</p>
<div class="actions">${button(`${path}/remove`, "Remove it")}</div></details></div>
${told === undefined || draft !== undefined ? "" : html`<h2>How it is</h2>${whyView(told, now)}`}
${isActive && workflow.direction === "outbound" ? sendForm(path) : ""}
${polling.length === 0 ? "" : html`<h2>Polling</h2><div class="card">${polling.map(pollingView)}</div>`}
${hooks.length === 0 ? "" : html`<h2>Webhook</h2><div class="card">${hooks.map(({ id: hook }) => html`<p><code>${webhookUrl(site, hook)}</code></p>`)}<p class="soft">The service has to reach this address. On another machine it doesn't lead here: give the address of a tunnel with --public-url.</p></div>`}
<h2>Deliveries</h2>
<div class="card">${deliveries.length === 0 ? html`<p class="soft">None yet.</p>` : deliveryTable(deliveries.slice(0, 100))}</div>`;
}

function sendForm(path: string): Content {
  return html`<h2>Send a contact</h2><form class="card" method="post" action="${path}/send">
<label for="contact">Contact, as JSON</label>
<textarea id="contact" name="contact" class="code" rows="7" spellcheck="false" required>{
  "email": "ada@example.com",
  "first_name": "Ada",
  "last_name": "Lovelace",
  "phone": "+12025550123"
}</textarea>
<div class="actions"><button class="main">Send</button></div></form>`;
}

function webhookUrl({ hooks, name }: Site, hook: string): string {
  return `${hooks}/${encodeURIComponent(name)}/${encodeURIComponent(hook)}`;
}
