import { pages } from "@configc/host/internal";
import type { TraceEvent } from "@configc/runtime";
import { answers } from "../answers.ts";
import type { AdminContext } from "../context.ts";
import { actLink, address, installationPath, savedRunLink } from "./parts.ts";
import { storyView } from "./story.ts";

const { html, pretty, state, time, traceView, whyView } = pages;

/** One installation: how it is, why, what comes next, and what can be done. */
export async function installationPage(context: AdminContext, id: string): Promise<pages.Content> {
  const why = await answers.why(context, id);
  const { app, workflow, status, customer, account, held } = why;
  const target = { installation: id };
  const [runs, saved] = await Promise.all([
    answers.runs(context, { app, installation: id, limit: "10" }),
    answers.savedRuns(context, id),
  ]);
  return html`<div class="card"><p>${state(status)} ${held ? html`<strong class="wait">held</strong>` : ""} ${app}, ${workflow}${account === undefined ? "" : `, account ${account}`}${customer === undefined ? "" : html`, customer <a href="${address("failing", { customer })}">${customer}</a>`}</p>
<div class="actions">${actLink("retry", "Run a cycle now", target)}${held ? actLink("release", "Release", target) : actLink("hold", "Hold", target)}
${actLink("refresh", "Renew its tokens", target)}${actLink("disconnect", "Disconnect", target)}
<a class="button" href="${address("items", { installation: id })}">Failed items</a></div></div>
${whyView(why, context.now())}
${saved.length === 0 ? "" : html`<h2>Failed runs to replay</h2><div class="card">${saved.map((one) => html`<p>${time(one.at)} <strong>${one.kind}</strong> at <code>${one.node}</code> <a href="runs/${encodeURIComponent(one.run)}">run</a> ${savedRunLink(one, "Download")}</p>`)}</div>`}
<h2>Latest runs</h2><div class="card">${runs.rows.length === 0 ? html`<p class="soft">None are kept.</p>` : runs.rows.map((run) => html`<p>${state(run.status)} <a href="runs/${encodeURIComponent(run.id)}">${time(run.enqueued)} ${run.job}</a> <small>${run.error ?? ""}</small></p>`)}</div>`;
}

/** One run as a story: each step, what it gave or how it failed; what was asked of services, and the state before and after. */
export async function runPage(context: AdminContext, id: string): Promise<pages.Content> {
  const run = await answers.run(context, id);
  const { status, app, installation, job, version, worker, enqueued, begun, ended, output, error, saved } =
    run;
  return html`<div class="card"><p>${state(status)} ${job} of ${app}, <a href="${installationPath(installation)}">${installation}</a></p>
<p class="soft">Queued ${time(enqueued)}${begun === undefined ? "" : `, begun ${time(begun)}`}${ended === undefined ? "" : `, ended ${time(ended)}`}${worker === undefined ? "" : `, worker ${worker}`}. Version <code>${version}</code>.</p>
${error === undefined ? "" : html`<p class="bad">${error}</p>`}${output === undefined ? "" : pretty(output)}
${saved.map((one) => savedRunLink(one, `Download the run of ${one.node}`))}</div>
<h2>Requests and state</h2>${run.stories === undefined ? html`<div class="card"><p class="soft">${run.untold}</p></div>` : storyView(run.stories)}
<h2>Steps</h2><div class="card"><ol class="trace">${run.steps.map(
    (step) =>
      html`<li><strong>${step.name}</strong> <small>${step.begun === undefined || step.ended === undefined ? "" : `${step.ended - step.begun} ms`}</small> ${step.error === undefined ? html`<code>${step.output === undefined ? "" : JSON.stringify(step.output)}</code>` : html`<span class="bad">${step.error}</span>`}</li>`,
  )}</ol></div>`;
}

/** One item: what it holds, and what happened to it, requests and answers with secrets masked. */
export async function itemPage(context: AdminContext, id: string): Promise<pages.Content> {
  const item = await answers.item(context, id);
  const { status, origin, intake, receivedAt, settledAt, attempts, failure, input, trace, installation } =
    item;
  const target = { item: id };
  const open = status === "failed" || status === "waiting";
  return html`<div class="card"><p>${state(status)} ${origin} ${intake}${installation === undefined ? "" : html`, <a href="${installationPath(installation)}">${installation}</a>`}</p>
<p class="soft">Received ${time(receivedAt)}${settledAt === undefined ? "" : `, settled ${time(settledAt)}`}, tried ${attempts} times.</p>
${failure === undefined ? "" : html`<p class="bad"><strong>${failure.kind}</strong>: ${failure.message}</p><p class="soft">at <code>${failure.pointer}</code>${failure.version === undefined ? "" : html`, version <code>${failure.version}</code>`}</p>`}
${open ? html`<div class="actions">${actLink("retry-items", "Try again", target)}${actLink("skip-items", "Skip", target)}${actLink("purge-items", "Delete", target)}</div>` : ""}</div>
<h2>Item</h2><div class="card">${input === undefined ? html`<p class="soft">Items that have arrived aren't kept.</p>` : html`<details><summary>What it holds</summary>${pretty(input)}</details>`}</div>
${Array.isArray(trace) ? html`<h2>What happened</h2><div class="card">${traceView(trace as unknown as TraceEvent[])}</div>` : ""}`;
}
