import type { AppAuth } from "@configc/compiler";
import type { Connection, CurrentView } from "@configc/runtime";
import { type Content, html, markdown } from "./html.ts";
import type { Site } from "./site.ts";

/** The step `connect`: an account that is there, or a new one by what its auth entry takes (D27). */
export async function connectPage(
  site: Site,
  path: string,
  current: Extract<CurrentView, { step: "connect" }>,
): Promise<Content> {
  const { app, host, name } = site;
  const auth = current.auth === undefined ? undefined : app.auth[current.auth];
  if (auth === undefined)
    return html`<div class="card notice"><p>The workflow names no auth entry that is there.</p></div>`;
  const known = await host.store.transaction(async (transaction) => {
    const all = await transaction.list("connections", {});
    return all.filter((each) => each.app === name && each.auth === auth.name);
  });
  return html`${current.help === undefined ? "" : html`<p>${markdown(current.help)}</p>`}
${current.account === undefined ? "" : html`<p>${current.account}</p>`}
${known.length === 0 ? "" : knownForm(path, known)}
<form class="card" method="post" action="${path}/connect">
<h2>${known.length === 0 ? "Connect an account" : "Or another account"}</h2>
${fieldsOf(auth).map(
  ({ id, label, hint, secret, optional }) => html`<div class="field"><label for="${id}">${label}</label>
<input id="${id}" name="${id}" type="${secret ? "password" : "text"}" autocomplete="off" spellcheck="false"${optional ? "" : html` required`}>
${hint === undefined ? "" : html`<br><small>${markdown(hint)}</small>`}</div>`,
)}
<div class="actions">${auth.type === "oauth2" ? html`<button class="main" name="how" value="login">Log in with the service</button>` : html`<button class="main">Connect</button>`}</div>
</form>
${auth.type === "oauth2" ? tokenForm(path, auth) : ""}`;
}

function knownForm(path: string, known: readonly Connection[]): Content {
  return html`<form class="card" method="post" action="${path}/connect"><h2>Use a connected account</h2>
${known.map(
  (
    { id, description, accountId, subdomain, broken },
    index,
  ) => html`<label class="choice"><input type="radio" name="connection" value="${id}"${index === 0 ? html` checked` : ""}>
${description ?? accountId ?? subdomain ?? "Not described yet"}${broken === undefined ? "" : html` <span class="bad">broken: ${broken}</span>`}</label>`,
)}
<div class="actions"><button class="main">Use it</button></div></form>`;
}

/** A token that one has from elsewhere, such as the service's own page for developers. */
function tokenForm(path: string, auth: AppAuth): Content {
  return html`<details class="card"><summary>Use an access token instead</summary><form method="post" action="${path}/connect">
${subdomainOf(auth).map(({ id, label }) => html`<div class="field"><label for="token-${id}">${label}</label><input id="token-${id}" name="${id}" required></div>`)}
<div class="field"><label for="access_token">Access token</label><input id="access_token" name="access_token" type="password" autocomplete="off" required></div>
<div class="actions"><button>Connect</button></div></form></details>`;
}

interface Input {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly secret?: boolean;
  readonly optional?: boolean;
}

function subdomainOf({ definedFields }: AppAuth): Input[] {
  return definedFields.includes("subdomain") ? [{ id: "subdomain", label: "Subdomain" }] : [];
}

function fieldsOf(auth: AppAuth): Input[] {
  const subdomain = subdomainOf(auth);
  switch (auth.type) {
    case "oauth2":
      return [
        ...subdomain,
        {
          id: "client_id",
          label: "Client id",
          hint: "Empty: that of the config, or of the file that --credentials names.",
          optional: true,
        },
        { id: "client_secret", label: "Client secret", secret: true, optional: true },
      ];
    case "token":
      return [...subdomain, { id: "token", label: "Token", secret: true }];
    default:
      return [
        ...subdomain,
        { id: "username", label: "User name" },
        { id: "password", label: "Password", secret: true },
      ];
  }
}
