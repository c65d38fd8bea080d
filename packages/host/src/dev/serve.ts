import type { IncomingMessage, ServerResponse } from "node:http";
import { RunError } from "@configc/runtime";
import { ByteCollector } from "../http/byte-collector.ts";
import { html } from "../pages/html.ts";
import { notice, page } from "../pages/layout.ts";
import { style } from "../pages/style.ts";
import { act } from "./actions.ts";
import { api } from "./api.ts";
import { failureView, isTold } from "./failure-view.ts";
import { show } from "./pages.ts";
import { backTo, finishedLogin, LOGIN_CALLBACK, loginOf } from "./setup-actions.ts";
import { setupPage, type TriedForm } from "./setup-page.ts";
import { PageError, type Site } from "./site.ts";

/** Bytes of a form at most. */
const MOST_BYTES = 1024 * 1024;

/** Nothing is loaded but our own style, nothing runs, and forms go to these pages only. */
const SECURITY = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cache-control": "no-store",
};

/**
 * Answers requests: webhooks below `/in/` from anywhere, pages from this machine's own browser only.
 *
 * @param current the site as it is now; a request ends with the one that it began with
 * @param failed is told mistakes of ours
 */
export function answerWith(current: () => Site, failed: (error: unknown) => void) {
  return async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    const site = current();
    try {
      if (await site.host.handle(request, response)) return;
      checkOrigin(site, request);
      await answer(site, request, response, url);
    } catch (error) {
      if (!isTold(error)) failed(error);
      const status = statusOf(error);
      if (url.pathname.startsWith("/api/") && !response.headersSent) {
        const { message } = isTold(error)
          ? (error as Error)
          : { message: "That went wrong. The terminal says more." };
        response.writeHead(status, { ...SECURITY, "content-type": "application/json" });
        response.end(`${JSON.stringify({ error: message })}\n`);
        return;
      }
      const told = isTold(error) ? failureView(error) : "That went wrong. The terminal says more.";
      send(response, status, site, status === 404 ? "Not found" : "That didn't work", told, request);
    }
  };
}

function statusOf(error: unknown): number {
  if (error instanceof PageError) return error.status;
  if (error instanceof RunError && error.kind === "NotFound") return 404;
  return isTold(error) ? 422 : 500;
}

async function answer(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  if (url.pathname === "/style.css") {
    response.writeHead(200, { ...SECURITY, "content-type": "text/css; charset=utf-8" });
    response.end(style);
    return;
  }
  const parts = partsOf(url);
  if (parts[0] === "api") {
    const asked = Object.fromEntries(url.searchParams);
    const value = await api(site, request.method ?? "", parts.slice(1), asked, () => textOf(request));
    response.writeHead(200, { ...SECURITY, "content-type": "application/json" });
    response.end(`${JSON.stringify(value)}\n`);
    return;
  }
  if (request.method === "POST") return await answerForm(site, parts, await formOf(request), response);
  if (request.method !== "GET" && request.method !== "HEAD")
    throw new PageError(405, "Pages are only looked at, and their forms sent.");
  if (url.pathname === LOGIN_CALLBACK) return await answerLogin(site, url.searchParams, response);
  const { title, body } = await show(site, parts, url.searchParams);
  respond(response, 200, page(frameOf(site), title, body).text);
}

/** Back from the service: to the setup, which says what went wrong if something did. */
async function answerLogin(site: Site, query: URLSearchParams, response: ServerResponse): Promise<void> {
  const login = loginOf(site, query.get("state") ?? "");
  try {
    await finishedLogin(site, login, query);
  } catch (error) {
    if (!isTold(error)) throw error;
    const { subdomain = "", clientId = "" } = login.client;
    const form = new URLSearchParams({ subdomain, client_id: clientId });
    return await refuseInSetup(site, login.installation, error, { step: "connect", form }, response);
  }
  redirect(response, `/installations/${login.installation}/setup`);
}

/** A form of a setup that is refused stands there again, with what was filled in. */
async function answerForm(
  site: Site,
  parts: readonly string[],
  form: URLSearchParams,
  response: ServerResponse,
): Promise<void> {
  const [place, id = "", inner] = parts;
  try {
    redirect(response, await act(site, parts, form));
  } catch (error) {
    if (place !== "installations" || inner !== "setup" || !isTold(error) || error instanceof PageError)
      throw error;
    await refuseInSetup(site, id, error, { step: parts[3] ?? "", form }, response);
  }
}

/** The page of a setup as it stands, with what went wrong on top. */
async function refuseInSetup(
  site: Site,
  id: string,
  error: unknown,
  tried: TriedForm,
  response: ServerResponse,
): Promise<void> {
  const { title, body } = await site.runtime.installations.setup(id, (setup) => {
    backTo(setup, tried.step);
    return setupPage(site, setup, id, new URLSearchParams(), tried);
  });
  respond(response, statusOf(error), page(frameOf(site), title, body, notice(failureView(error))).text);
}

function partsOf({ pathname }: URL): string[] {
  try {
    return pathname.split("/").filter(Boolean).map(decodeURIComponent);
  } catch {
    throw new PageError(400, "The address can't be read.");
  }
}

/**
 * Other pages in the same browser must not press buttons here, nor read these pages under a name of theirs that leads to this
 * machine.
 */
function checkOrigin({ origin }: Site, { headers, method }: IncomingMessage): void {
  const { port } = new URL(origin);
  if (headers.host !== `127.0.0.1:${port}` && headers.host !== `localhost:${port}`)
    throw new PageError(421, "These pages are for this machine only.");
  if (method === "GET" || method === "HEAD") return;
  const from = headers.origin ?? "";
  // A browser always says where a form comes from.
  if (from !== `http://${headers.host}` || (headers["sec-fetch-site"] ?? "same-origin") !== "same-origin")
    throw new PageError(403, "This form was sent from another page.");
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await textOf(request));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const body = new ByteCollector(MOST_BYTES);
  for await (const chunk of request as AsyncIterable<Buffer>)
    if (!body.add(chunk)) throw new PageError(413, "The form is too large.");
  return Buffer.from(body.bytes()).toString("utf8");
}

function frameOf({ name, file, problem }: Site) {
  return { app: name, file, problem };
}

/** A failed action, with the way back to where it was done. */
function send(
  response: ServerResponse,
  status: number,
  site: Site,
  title: string,
  told: ReturnType<typeof failureView>,
  { headers, method }: IncomingMessage,
): void {
  if (response.headersSent || response.destroyed) return;
  const referer = method === "POST" ? pathOf(headers.referer, site) : undefined;
  const back = html`<p><a class="button" href="${referer ?? backFrom(response.req.url)}">Back</a></p>`;
  respond(response, status, page(frameOf(site), title, back, notice(told)).text);
}

/** Without a referrer: the installation's page, from below it. */
function backFrom(url = "/"): string {
  return /^(\/installations\/[^/]+)\//.exec(url)?.[1] ?? "/";
}

function pathOf(referer: string | undefined, { origin }: Site): string | undefined {
  if (referer === undefined || !URL.canParse(referer)) return undefined;
  const url = new URL(referer);
  return url.origin === origin ? url.pathname + url.search : undefined;
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { ...SECURITY, location });
  response.end();
}

function respond(response: ServerResponse, status: number, text: string): void {
  // Back to a page shows how things are now; the answer to a form can't be asked for again, and is shown as it was.
  const kept = response.req.method === "POST" ? { "cache-control": "private, no-cache" } : {};
  response.writeHead(status, { ...SECURITY, ...kept, "content-type": "text/html; charset=utf-8" });
  response.end(response.req.method === "HEAD" ? undefined : text);
}
