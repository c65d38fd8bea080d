import type { AppAuth } from "@configc/compiler";
import type { Credential, ImportOption, Setup, SetupStep } from "@configc/runtime";
import { addConnection, beginLogin, finishLogin } from "../login/index.ts";
import { mappingOf } from "./map-page.ts";
import { takeSelection } from "./select-action.ts";
import { type BegunLogin, PageError, type Site, workflowNamed } from "./site.ts";

/** Path to which services send people back. */
export const LOGIN_CALLBACK = "/login/callback";

/** Logins that may be begun and not ended. */
const MOST_LOGINS = 50;

/**
 * What the buttons of a setup do.
 *
 * @param action the last part of the address
 * @returns where to go on
 */
export async function setupAction(
  site: Site,
  id: string,
  action: string,
  form: URLSearchParams,
): Promise<string> {
  const { runtime } = site;
  const path = `/installations/${id}/setup`;
  const text = (name: string): string => form.get(name) ?? "";
  if (action === "connect") return await connect(site, id, form);
  const query = await runtime.installations.setup(id, async (setup) => {
    if (action !== "go") backTo(setup, action);
    switch (action) {
      case "select":
        return await takeSelection(setup, form);
      case "map":
        return await setup.map(mappingOf(form));
      case "schedule":
        return setup.schedule(text("option") as ImportOption);
      case "review_events":
      case "review_objects":
        return setup.review();
      case "go":
        return setup.go(text("step") as SetupStep);
      default:
        throw new PageError(404, "There is no such page.");
    }
  });
  return path + (query ?? "");
}

/** The form of a step that is over, by the back button or in another tab, counts as well: the setup goes on from there. */
export function backTo(setup: Setup, step: string): void {
  const { steps } = setup.view();
  const known = steps.find((each) => each.step === step || !each.complete);
  if (known?.step === step) setup.go(known.step);
}

/** An account that is there, credentials that were typed in, or a login that begins. */
async function connect(site: Site, id: string, form: URLSearchParams): Promise<string> {
  const { app, name, host, runtime } = site;
  const path = `/installations/${id}/setup`;
  const known = form.get("connection");
  if (known !== null) {
    await runtime.installations.setup(id, (setup) => connectWith(setup, known));
    return path;
  }
  const { workflow } = await runtime.installations.get(id);
  const auth = app.auth[workflowNamed(site, workflow).auth ?? ""];
  if (auth === undefined) throw new PageError(400, "The workflow names no auth entry that is there.");
  if (form.get("how") === "login") return await logIn(site, id, auth, form);
  const subdomain = form.get("subdomain") ?? undefined;
  const credential = credentialOf(auth, form);
  const connection = await addConnection(host, {
    app: name,
    auth: auth.name,
    credential,
    ...(subdomain === undefined ? {} : { subdomain }),
  });
  await connectOrForget(site, id, connection);
  return path;
}

async function connectWith(setup: Setup, connection: string): Promise<void> {
  backTo(setup, "connect");
  await setup.connect(connection);
}

/** An account that can't be described isn't kept: nobody could tell it from others. */
async function connectOrForget({ runtime, host }: Site, id: string, connection: string): Promise<void> {
  try {
    await runtime.installations.setup(id, (setup) => connectWith(setup, connection));
  } catch (error) {
    await host.store.transaction((transaction) => transaction.delete("connections", connection));
    throw error;
  }
}

function credentialOf({ type }: AppAuth, form: URLSearchParams): Credential {
  const text = (name: string): string => (form.get(name) ?? "").trim();
  if (type === "oauth2") return { access_token: text("access_token") };
  if (type === "token") return { token: text("token") };
  return { username: text("username"), password: form.get("password") ?? "" };
}

async function logIn(site: Site, id: string, auth: AppAuth, form: URLSearchParams): Promise<string> {
  const given = (name: string): string | undefined => form.get(name)?.trim() || undefined;
  const [clientId, clientSecret, subdomain] = ["client_id", "client_secret", "subdomain"].map(given);
  const client = {
    ...site.client(auth.name),
    ...(clientId === undefined ? {} : { clientId }),
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(subdomain === undefined ? {} : { subdomain }),
  };
  const pending = await beginLogin(site.app, auth.name, {
    ...client,
    redirectUri: site.origin + LOGIN_CALLBACK,
  });
  const [oldest] = site.logins.keys();
  if (site.logins.size >= MOST_LOGINS && oldest !== undefined) site.logins.delete(oldest);
  site.logins.set(pending.state, { pending, installation: id, client });
  return `/login/${pending.state}`;
}

/** The login that is meant. @throws PageError if it isn't known, or over */
export function loginOf({ logins }: Site, state: string): BegunLogin {
  const login = logins.get(state);
  if (login === undefined)
    throw new PageError(
      400,
      "This login isn't known here (any more). Begin it again on the page of the setup.",
    );
  return login;
}

/** Back from the service, with what it says of a login. @throws LoginError, RunError or SetupError where there is no account now */
export async function finishedLogin(
  site: Site,
  { pending, installation, client }: BegunLogin,
  query: URLSearchParams,
): Promise<void> {
  const { host, name } = site;
  site.logins.delete(pending.state);
  const credential = await finishLogin(site.app, pending, query, { ...client, http: host.effects.http });
  const connection = await addConnection(host, {
    app: name,
    auth: pending.auth,
    credential,
    ...(client.subdomain === undefined ? {} : { subdomain: client.subdomain }),
  });
  await connectOrForget(site, installation, connection);
}
