import type { Setup, SetupStep, StepView } from "@configc/runtime";
import { type Content, type Html, html, markdown } from "../pages/html.ts";
import { notice, type Shown } from "../pages/layout.ts";
import { connectPage } from "./connect-page.ts";
import { failureView, isTold } from "./failure-view.ts";
import { mapPage } from "./map-page.ts";
import { selectPage } from "./select-page.ts";
import type { Site } from "./site.ts";

/** A form that was refused. */
export interface TriedForm {
  /** Of which it is. */
  readonly step: string;
  readonly form: URLSearchParams;
}

/**
 * The page of a setup's current step, with all steps above it. Where the step's own part can't be made, such as when the service gives
 * no choices, the others can still be gone to.
 *
 * @param query of the address
 * @param tried what stands there again if it was sent at this step
 */
export async function setupPage(
  site: Site,
  setup: Setup,
  id: string,
  query: URLSearchParams,
  tried?: TriedForm,
): Promise<Shown> {
  const { workflow, steps, current } = setup.view();
  const path = `/installations/${id}/setup`;
  const label = steps.find(({ step }) => step === current.step)?.label ?? "";
  const form = tried?.step === current.step ? tried.form : undefined;
  let body: Content;
  try {
    body = await stepBody(site, setup, id, query, form);
  } catch (error) {
    if (!isTold(error)) throw error;
    body = html`${notice(failureView(error))}<p><a class="button" href="${path}">Try again</a></p>`;
  }
  return {
    title: workflow.label,
    body: html`${stepper(steps, current.step, path)}<h2>${label}</h2>${body}`,
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
  id: string,
  query: URLSearchParams,
  tried: URLSearchParams | undefined,
): Promise<Content> {
  const { current } = setup.view();
  const path = `/installations/${id}/setup`;
  switch (current.step) {
    case "connect":
      return await connectPage(site, path, current, tried);
    case "select":
      return await selectPage(setup, path, current, tried ?? query, tried);
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
<form method="post" action="${path}/${current.step}" class="actions"><button class="main">Continue</button></form></div>`;
    case "ready":
      return html`<div class="card"><p>${current.account ?? ""}</p><p>${current.selection ?? ""}</p>
<form method="post" action="/installations/${id}/activate" class="actions"><button class="main">Activate</button></form></div>`;
  }
}
