import type { IncomingMessage, ServerResponse } from "node:http";
import { pages } from "@configc/host/internal";
import { type Json, parseExact, RunError } from "@configc/runtime";
import { type Access, type Operator, refusal } from "./access.ts";
import { act, answers } from "./answers.ts";
import { type AdminContext, AdminError } from "./context.ts";
import { baseOf, FRAME_END, frame, frameHead, ownStyle } from "./frame.ts";
import { customerPage } from "./pages/customer.ts";
import { askedBy, doPage } from "./pages/do.ts";
import { actsPage, failingPage, itemsPage, runsPage, savedRunsPage } from "./pages/lists.ts";
import { installationPage, itemPage, runPage } from "./pages/one.ts";
import { overviewParts } from "./pages/overview.ts";
import { found } from "./pages/search.ts";
import { lists, ones } from "./routes.ts";
import { savedRunText } from "./saved-runs.ts";

const { html, notice } = pages;

/** Bytes of a form or a body at most. */
const MOST_BYTES = 64 * 1024;

/** Nothing is loaded but our own style, nothing runs, and forms go to these pages only. */
const SECURITY = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'self'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cache-control": "no-store",
};

export interface AdminOptions {
  readonly context: AdminContext;
  readonly access: Access;
  /** Whether it listens on loopback only: then it answers to no other name. */
  readonly local: boolean;
  /** Is told mistakes of ours. */
  readonly failed: (error: unknown) => void;
}

/** Answers requests of operators: pages, and an API below `/api/` that gives the same as JSON. */
export function adminHandler(options: AdminOptions) {
  return async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    const isApi = url.pathname.startsWith("/api/");
    try {
      await answer(options, request, response, url);
    } catch (error) {
      const [status, message] = told(error);
      if (status === 500) options.failed(error);
      if (response.headersSent) return void response.destroy();
      if (isApi) return json(response, status, { error: message });
      const operator = { name: "" };
      const base = baseOf(url.pathname);
      page(
        response,
        status,
        frame("That didn't work", html`<p><a class="button" href="./">To the overview</a></p>`, {
          operator,
          base,
          above: notice(message),
        }),
      );
    }
  };
}

/** What is said of an error, and with which status. */
function told(error: unknown): readonly [status: number, message: string] {
  if (error instanceof AdminError) return [error.status, error.message];
  if (error instanceof RangeError) return [400, error.message];
  if (error instanceof RunError) {
    if (error.kind === "NotFound") return [404, error.message];
    return [error.kind === "StoreError" ? 503 : 422, error.message];
  }
  return [500, "That went wrong. The log says more."];
}

async function answer(
  { context, access, local }: AdminOptions,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const refused = refusal(request, local);
  if (refused !== undefined) throw new AdminError(...refused);
  const [path = "", parts] = [url.pathname, partsOf(url)];
  const base = baseOf(path);
  if (path === "/style.css") {
    response.writeHead(200, { ...SECURITY, "content-type": "text/css; charset=utf-8" });
    return void response.end(pages.style + ownStyle);
  }
  if (path === "/login" && request.method === "POST") return await logIn(access, request, response);
  const operator = await access.operator(request);
  if (operator === undefined) return unknown(access, response, path);
  const asked = Object.fromEntries(url.searchParams);
  if (parts[0] === "api") return await api(context, operator, request, response, parts.slice(1), asked);
  if (request.method === "POST" && parts[0] === "do") {
    const { target, ...rest } = askedBy(new URLSearchParams(await bodyOf(request)));
    const done = await act(context, parts[1] ?? "", operator.name, { target, ...rest });
    const back = html`<p><a class="button" href="./">To the overview</a> <a class="button" href="acts">All acts</a></p>`;
    const text = `${done.act}: ${done.affected} changed${done.before === true ? " before" : ""}. ${done.note ?? ""}`;
    return page(response, 200, frame("Done", back, { operator, base, above: notice(text, "good") }));
  }
  if (request.method !== "GET" && request.method !== "HEAD")
    throw new AdminError(405, "Pages are only looked at, and their forms sent.");
  if (path === "/search") {
    const to = await found(context, asked["q"] ?? "");
    if (to === undefined) throw new AdminError(404, `Nothing has the id “${asked["q"] ?? ""}”.`);
    response.writeHead(303, { ...SECURITY, location: to });
    return void response.end();
  }
  if (parts[0] === "saved-runs" && parts[1] !== undefined) {
    const text =
      parts[1] === "of" && parts[2] !== undefined
        ? await answers.savedRun(context, parts[2], asked["node"])
        : await savedRunText(context, parts[1]);
    response.writeHead(200, {
      ...SECURITY,
      "content-type": "application/json",
      "content-disposition": "attachment",
    });
    return void response.end(text);
  }
  if (parts.length === 0 && request.method === "GET") {
    const head = frameHead("Overview", { operator, base, at: "./" });
    return await streamed(response, head, overviewParts(context));
  }
  const [title, body] = await show(context, parts, asked);
  page(response, 200, frame(title, body, { operator, base, at: path.slice(1) }));
}

/** The page at an address. @throws AdminError where there is none */
async function show(
  context: AdminContext,
  [place, id]: readonly string[],
  asked: Readonly<Record<string, string>>,
): Promise<readonly [title: string, body: pages.Content]> {
  if (place === undefined) return ["Overview", html`${await Promise.all(overviewParts(context))}`];
  if (place === "installations" && id !== undefined) return [id, await installationPage(context, id)];
  if (place === "customers") {
    const { customer = "" } = asked;
    return [`Customer ${customer}`, await customerPage(context, customer)];
  }
  if (place === "runs" && id !== undefined) return ["Run", await runPage(context, id)];
  if (place === "items" && id !== undefined) return ["Item", await itemPage(context, id)];
  if (place === "do" && id !== undefined) return [id, await doPage(context, id, asked)];
  switch (place) {
    case "failing":
      return ["Failing installations", await failingPage(context, asked)];
    case "items":
      return ["Failed items", await itemsPage(context, asked)];
    case "runs":
      return ["Runs", await runsPage(context, asked)];
    case "acts":
      return ["What operators did", await actsPage(context, asked)];
    case "saved-runs":
      return ["Saved runs", await savedRunsPage(context)];
    default:
      throw new AdminError(404, "There is no such page.");
  }
}

async function api(
  context: AdminContext,
  operator: Operator,
  request: IncomingMessage,
  response: ServerResponse,
  [what = "", id]: readonly string[],
  asked: Readonly<Record<string, string>>,
): Promise<void> {
  if (request.method === "POST" && what === "acts" && id !== undefined)
    return json(response, 200, await act(context, id, operator.name, parsed(await bodyOf(request))));
  if (request.method !== "GET")
    throw new AdminError(405, "Acts are posted to `/api/acts/NAME`; all else is got.");
  const [route, argument] = id === undefined ? [lists.get(what), asked] : [ones.get(what), { ...asked, id }];
  if (route === undefined)
    throw new AdminError(
      404,
      `There are \`/api/\` ${[...lists.keys(), ...[...ones.keys()].map((name) => `${name}/ID`)].join(", ")} and, to be posted to, acts/NAME.`,
    );
  const given = await route(context, argument);
  if (typeof given !== "string") return json(response, 200, given);
  response.writeHead(200, { ...SECURITY, "content-type": "application/json" });
  response.end(given);
}

async function logIn(access: Access, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const form = new URLSearchParams(await bodyOf(request));
  const cookie = access.logIn(form.get("token") ?? "");
  if (cookie === undefined) return loginPage(response, "./", notice("That isn't the token."));
  response.writeHead(303, { ...SECURITY, location: "./", "set-cookie": cookie });
  response.end();
}

function unknown({ asksForToken }: Access, response: ServerResponse, path: string): void {
  if (path.startsWith("/api/") || !asksForToken) {
    if (!asksForToken) return json(response, 401, { error: "Nobody is logged in who may see this." });
    response.setHeader("www-authenticate", "Bearer");
    return json(response, 401, { error: "Send the token: `authorization: Bearer …`." });
  }
  loginPage(response, baseOf(path));
}

function loginPage(response: ServerResponse, base: string, above?: pages.Content): void {
  const form = html`<form class="card" method="post" action="login"><div class="field"><label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required><small>ADMIN_TOKEN of this process</small></div><div class="actions"><button class="main">Log in</button></div></form>`;
  page(response, 401, frame("Log in", form, above === undefined ? { base } : { base, above }));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const { body } = request as { body?: unknown };
  // A parser of the host's own was there first.
  if (request.readableEnded && typeof body === "object" && body !== null)
    return /^application\/x-www-form-urlencoded/i.test(request.headers["content-type"] ?? "")
      ? new URLSearchParams(body as Record<string, string>).toString()
      : JSON.stringify(body);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new AdminError(413, "That is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(text: string): Json {
  try {
    return parseExact(text);
  } catch {
    throw new AdminError(400, "The body isn't JSON.");
  }
}

function partsOf({ pathname }: URL): string[] {
  try {
    return pathname.split("/").filter(Boolean).map(decodeURIComponent);
  } catch {
    throw new AdminError(400, "The address can't be read.");
  }
}

function page(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { ...SECURITY, "content-type": "text/html; charset=utf-8" });
  response.end(response.req.method === "HEAD" ? undefined : text);
}

/** Sends a page's head at once, and each part when it is known: a browser paints what it has. A part that fails says so in its place. */
async function streamed(
  response: ServerResponse,
  head: string,
  parts: readonly Promise<pages.Content>[],
): Promise<void> {
  const shown = parts.map((part) => part.then((content) => html`${content}`.text));
  // Each is waited for in its turn; one that fails before isn't unheard of.
  for (const part of shown) part.catch(() => undefined);
  response.writeHead(200, { ...SECURITY, "content-type": "text/html; charset=utf-8" });
  response.write(head);
  let failure: unknown;
  for (const part of shown) {
    try {
      response.write(await part);
    } catch (error) {
      failure ??= error;
      response.write(html`${notice(told(error)[1])}`.text);
    }
  }
  response.end(FRAME_END);
  if (failure !== undefined && told(failure)[0] === 500) throw failure;
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { ...SECURITY, "content-type": "application/json" });
  response.end(`${JSON.stringify(value)}\n`);
}
