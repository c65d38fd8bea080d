import { pages } from "@configc/host/internal";
import type { AppQueue } from "../../answers/queues.ts";
import type { Reason } from "../../answers/reasons.ts";
import { answers } from "../answers.ts";
import type { AdminContext } from "../context.ts";
import { actLink, address, installationPath, kindOf } from "./parts.ts";

const { html, time } = pages;

/** Why installations fail, and how much there is and waits: each part as soon as it is known. */
export function overviewParts(context: AdminContext): readonly Promise<pages.Content>[] {
  const reasons = answers.reasons(context, {});
  const queues = answers.queues(context);
  return [
    Promise.all([queues, reasons]).then(([apps, why]) =>
      apps.length === 0
        ? html`<p>There are no installations yet.</p>`
        : html`${apps.map((queue) => appCard(queue, why))}`,
    ),
    reasons.then(
      (why) =>
        html`<h2>Why installations fail</h2>${why.length === 0 ? html`<div class="card"><p class="good">No installation fails.</p></div>` : why.map(reasonCard)}`,
    ),
  ];
}

function appCard(queue: AppQueue, reasons: readonly Reason[]): pages.Content {
  const { app, active, paused, waiting, waitingSince, failed, jobs, jobsSince } = queue;
  const failing = reasons
    .filter((reason) => reason.app === app)
    .reduce((sum, { installations }) => sum + installations, 0);
  const numbers: readonly [string, number, string | undefined][] = [
    ["active installations", active, undefined],
    ["failing", failing, address("failing", { app })],
    ["paused", paused, undefined],
    ["items that wait", waiting, undefined],
    ["failed items", failed, address("items", { app })],
    ["jobs that wait", jobs, undefined],
  ];
  const ages = [
    ...(waitingSince === undefined ? [] : [`The oldest item came ${time(waitingSince)}.`]),
    ...(jobsSince === undefined ? [] : [`The oldest job was due ${time(jobsSince)}.`]),
  ];
  return html`<section class="card" aria-label="${app}"><h2>${app}</h2><dl class="numbers">${numbers.map(
    ([label, number, path]) =>
      html`<div><dt>${label}</dt><dd>${path === undefined || number === 0 ? number.toLocaleString("en") : html`<a href="${path}">${number.toLocaleString("en")}</a>`}</dd></div>`,
  )}</dl>${ages.length === 0 ? "" : html`<p class="soft">${ages.join(" ")}</p>`}</section>`;
}

function reasonCard({ app, fingerprint, installations, since, example }: Reason): pages.Content {
  const { installation, message, pointer } = example;
  return html`<div class="card notice"><p><strong>${kindOf(example)}</strong> of ${installations.toLocaleString("en")} ${installations === 1 ? "installation" : "installations"} of ${app}, since ${time(since)}</p>
<p>${message}</p><p class="soft">at <code>${pointer}</code>, <a href="${installationPath(installation)}">${installation}</a> fails longest</p>
<div class="actions"><a class="button" href="${address("failing", { app, fingerprint })}">List</a>
${actLink("retry", "Try now", { app, fingerprint })}${actLink("hold", "Hold", { app, fingerprint })}</div></div>`;
}
