import { pages } from "@configc/host/internal";
import { acts, performAct, type Target } from "../../acts/index.ts";
import { type Asked, needReason } from "../answers.ts";
import { type AdminContext, AdminError } from "../context.ts";

const { html } = pages;

/** What an act would change, and the button that does it; the request's id stands in the form, so a second press does nothing more. */
export async function doPage(context: AdminContext, name: string, asked: Asked): Promise<pages.Content> {
  const act = acts.find((each) => each.name === name);
  if (act === undefined) throw new AdminError(404, `There is no act “${name}”.`);
  const target: Target = { ...asked };
  const request = crypto.randomUUID();
  const planned = await performAct(act, context, { target, by: "", why: "", request, dryRun: true });
  const { affected, examples, note } = planned;
  const needs = needReason.has(name);
  return html`<form class="card" method="post" action="do/${name}">
<p><strong>${affected.toLocaleString("en")} ${act.of[affected === 1 ? 0 : 1]}</strong> of ${Object.entries(
    target,
  )
    .map(([key, value]) => `${key} ${value}`)
    .join(
      ", ",
    )} would be changed${examples.length === 0 ? "" : `: ${examples.join(", ")}${affected > examples.length ? " …" : ""}`}.</p>
${note === undefined ? "" : html`<p class="soft">${note}</p>`}
${Object.entries(target).map(([key, value]) => html`<input type="hidden" name="target.${key}" value="${value}">`)}
<input type="hidden" name="request" value="${request}">
<div class="field"><label for="why">Why, for the record${needs ? pages.required : ""}</label><input id="why" name="why"${needs ? html` required` : ""}></div>
<div class="actions"><button class="main">${name}</button></div></form>`;
}

/** What a form of that page asks for. */
export function askedBy(form: URLSearchParams) {
  const target = Object.fromEntries(
    [...form].flatMap(([name, value]) => (name.startsWith("target.") ? [[name.slice(7), value]] : [])),
  );
  return { target, why: form.get("why") ?? "", request: form.get("request") ?? crypto.randomUUID() };
}
