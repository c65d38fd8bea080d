import type { Setup, SetupStep, StepView } from "@configc/runtime";
import { connectPage } from "./connect-page.ts";
import { type Content, type Html, html, markdown } from "./html.ts";
import { mapPage } from "./map-page.ts";
import { selectPage } from "./select-page.ts";
import type { Site } from "./site.ts";

/**
 * The page of a setup's current step, with all steps above it.
 *
 * @param tried the form that was refused
 */
export async function setupPage(
  site: Site,
  setup: Setup,
  id: string,
  query: URLSearchParams,
  tried?: URLSearchParams,
): Promise<{ readonly title: string; readonly body: Content }> {
  const { workflow, steps, current } = setup.view();
  const path = `/installations/${id}/setup`;
  const label = steps.find(({ step }) => step === current.step)?.label ?? "";
  return {
    title: workflow.label,
    body: html`${stepper(steps, current.step, path)}<h2>${label}</h2>${await stepBody(site, setup, path, id, query, tried)}`,
  };
}

function stepper(steps: readonly StepView[], current: SetupStep, path: string): Html {
  const firstOpen = steps.findIndex(({ complete }) => !complete);
  return html`<ol class="steps">${steps.map(({ step, label }, index) => {
    if (step === current)
      return html`<li><span class="step current" aria-current="step">${label}</span></li>`;
    const reachable = firstOpen < 0 || index <= firstOpen;
    return reachable
      ? html`<li><form method="post" action="${path}/go"><button name="step" value="${step}">${label}</button></form></li>`
      : html`<li><span class="step open">${label}</span></li>`;
  })}</ol>`;
}

async function stepBody(
  site: Site,
  setup: Setup,
  path: string,
  id: string,
  query: URLSearchParams,
  tried: URLSearchParams | undefined,
): Promise<Content> {
  const { current } = setup.view();
  switch (current.step) {
    case "connect":
      return await connectPage(site, path, current);
    case "select": {
      const searched = [...query].flatMap(([name, text]): [string, string][] =>
        name.startsWith("q.") ? [[name.slice(2), text]] : [],
      );
      return await selectPage(setup, path, current, new Map(searched));
    }
    case "map":
      return await mapPage(setup, path, current, tried);
    case "schedule":
      return html`<form class="card" method="post" action="${path}/schedule"><p>${current.description}</p>
${current.options.map(
  ({ type, label }, index) =>
    html`<label class="choice"><input type="radio" name="option" value="${type}"${type === (current.chosen ?? current.options[0]?.type) ? html` checked` : ""} id="o${index}">${label}${type === "recurring" ? html` <small>every ${current.frequency / 60} minutes</small>` : ""}</label>`,
)}
<div class="actions"><button class="main">Continue</button></div></form>`;
    case "review_events":
    case "review_objects":
      return html`<div class="card">${current.header === undefined ? "" : html`<p><strong>${current.header}</strong></p>`}<p>${markdown(current.description)}</p>
<form method="post" action="${path}/review" class="actions"><button class="main">Continue</button></form></div>`;
    case "ready":
      return html`<div class="card"><p>${current.account ?? ""}</p><p>${current.selection ?? ""}</p>
<form method="post" action="/installations/${id}/activate" class="actions"><button class="main">Activate</button></form></div>`;
  }
}
