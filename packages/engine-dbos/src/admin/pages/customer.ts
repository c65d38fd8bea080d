import { pages } from "@configc/host/internal";
import type { AdminContext } from "../context.ts";
import { actLink, installationPath, table } from "./parts.ts";

const { html, state } = pages;

/** Installations of a page. */
const MOST = 200;

/** The installations of a customer, and what can be done with all of them. */
export async function customerPage({ database }: AdminContext, customer: string): Promise<pages.Content> {
  const rows = await database.query<{
    id: string;
    app: string;
    workflow: string;
    status: string;
    fails: boolean;
  }>(
    `SELECT i.id, i.by_app AS app, i.by_workflow AS workflow, i.by_status AS status,
      EXISTS (SELECT FROM configc.polling p WHERE p.by_installation = i.id AND p.trouble IS NOT NULL) AS fails
    FROM configc.installations i WHERE i.tenant = $1 ORDER BY i.position LIMIT ${MOST}`,
    [customer],
  );
  const target = { customer };
  return html`<div class="actions">${actLink("retry", "Run cycles now", target)}${actLink("hold", "Hold", target)}${actLink("release", "Release", target)}
${actLink("retry-items", "Try failed items again", target)}${actLink("disconnect", "Disconnect", target)}${actLink("delete-customer", "Delete", target)}</div>
${table(
  ["Installation", "App", "Status"],
  rows.map(
    ({ id, app, workflow, status, fails }) =>
      html`<tr><td><a href="${installationPath(id)}">${id}</a></td><td>${app}<br><small>${workflow}</small></td><td>${state(status)} ${fails ? html`<span class="bad">fails</span>` : ""}</td></tr>`,
  ),
  "Nothing is kept for this customer.",
)}`;
}
