import type { AppAuth } from "@configc/compiler";
import type { Connection, CurrentView } from "@configc/runtime";
import { isSecretMember } from "@configc/runtime/internal";
import { type Content, html, markdown } from "../pages/html.ts";
import { required } from "../pages/layout.ts";
import type { Site } from "./site.ts";

/**
 * The step `connect`: an account that is there, or a new one by what its auth entry takes (D27).
 *
 * @param tried the form that was refused; its secrets have to be typed anew
 */
export async function connectPage(
  site: Site,
  path: string,
  current: Extract<CurrentView, { step: "connect" }>,
  tried: URLSearchParams | undefined,
): Promise<Content> {
  const { app, host, name } = site;
  const auth = current.auth === undefined ? undefined : app.auth[current.auth];
  if (auth === undefined)
    return html`<div class="card notice"><p>The workflow names no auth entry that is there.</p></div>`;
  const known = await host.store.transaction(async (transaction) => {
    const all = await transaction.list("connections", {});
    return all.filter((each) => each.app === name && each.auth === auth.name);
  });
  const usable = known.some(({ broken }) => broken === undefined);
  return html`${current.help === undefined ? "" : html`<p>${markdown(current.help)}</p>`}
${current.account === undefined ? "" : html`<p>${current.account}</p>`}
${known.length === 0 ? "" : knownForm(path, known)}
<form class="card" method="post" action="${path}/connect">
<h3>${known.length === 0 ? "Connect an account" : usable ? "Or another account" : "Connect it again, or another account"}</h3>
${inputsOf(auth).map((input) => inputRow(input, input.id, tried))}
<div class="actions">${auth.type === "oauth2" ? html`<button class="main" name="how" value="login">Log in with the service</button>` : html`<button class="main">Connect</button>`}</div>
</form>
${auth.type === "oauth2" ? tokenForm(path, auth, tried) : ""}`;
}

/** What is broken can't be chosen: to log in with the same account mends it. */
function knownForm(path: string, known: readonly Connection[]): Content {
  const first = known.find(({ broken }) => broken === undefined);
  return html`<form class="card" method="post" action="${path}/connect"><h3>${first === undefined ? "Connected before" : "Use a connected account"}</h3>
${known.map(
  (
    each,
  ) => html`<label class="choice"><input type="radio" name="connection" value="${each.id}"${each === first ? html` checked` : ""}${each.broken === undefined ? "" : html` disabled`}>
${each.description ?? each.accountId ?? each.subdomain ?? "Not described yet"}${each.broken === undefined ? "" : html` <span class="bad">broken: ${each.broken}</span>`}</label>`,
)}
${first === undefined ? "" : html`<div class="actions"><button class="main">Use it</button></div>`}</form>`;
}

/** A token that one has from elsewhere, such as the service's own page for developers. */
function tokenForm(path: string, auth: AppAuth, tried: URLSearchParams | undefined): Content {
  const inputs = [...subdomainOf(auth), { id: "access_token", label: "Access token", secret: true }];
  return html`<details class="card"${tried?.has("access_token") ? html` open` : ""}><summary>Use an access token instead</summary><form method="post" action="${path}/connect">
${inputs.map((input) => inputRow(input, `token-${input.id}`, tried))}
<div class="actions"><button>Connect</button></div></form></details>`;
}

interface Input {
  readonly id: string;
  readonly label: string;
  readonly placeholder?: string;
  /** Markdown. */
  readonly hint?: string;
  readonly secret?: boolean;
  readonly optional?: boolean;
}

function inputRow(
  { id: name, label, placeholder, hint, secret = false, optional = false }: Input,
  id: string,
  tried: URLSearchParams | undefined,
): Content {
  const value = secret ? undefined : tried?.get(name);
  return html`<div class="field"><label for="${id}">${label}${optional ? "" : required}</label>
<input id="${id}" name="${name}" type="${secret ? "password" : "text"}" value="${value ?? ""}" placeholder="${placeholder}" autocomplete="off" autocapitalize="none" spellcheck="false"${optional ? "" : html` required`}>
${hint === undefined ? "" : html`<small>${markdown(hint)}</small>`}</div>`;
}

/** As the config describes it, if it does. */
function definedInput({ definedFields }: AppAuth, input: Input): Input {
  const { label, placeholder, helpText } = definedFields.find(({ id }) => id === input.id) ?? {};
  return {
    ...input,
    ...(label === undefined ? {} : { label }),
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(helpText === undefined ? {} : { hint: helpText }),
  };
}

function subdomainOf(auth: AppAuth): Input[] {
  const isAsked = auth.definedFields.some(({ id }) => id === "subdomain");
  return isAsked ? [definedInput(auth, { id: "subdomain", label: "Subdomain" })] : [];
}

function inputsOf(auth: AppAuth): Input[] {
  const subdomain = subdomainOf(auth);
  switch (auth.type) {
    case "oauth2":
      return [
        ...subdomain,
        {
          id: "client_id",
          label: "Client id",
          hint: "Empty: that of the config, or of the file that `--credentials` names.",
          optional: true,
        },
        { id: "client_secret", label: "Client secret", secret: true, optional: true },
      ];
    case "token":
      return [...subdomain, definedInput(auth, { id: "token", label: "Token", secret: true })];
    default:
      return [
        ...subdomain,
        definedInput(auth, {
          id: "username",
          label: "User name",
          secret: isSecretMember(auth, "username"),
        }),
        definedInput(auth, { id: "password", label: "Password", secret: true }),
      ];
  }
}
