import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { App } from "@configc/compiler";
import type { Http, OAuthCredential } from "@configc/runtime";
import { Listener, type ListenerOptions } from "../listener/index.ts";
import { LoginError } from "./error.ts";
import { beginLogin, finishLogin } from "./login.ts";
import type { LoginClient } from "./settings.ts";

const style = `
:root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --text: #1b1f24; --line: #d9dee4; --good: #1a7f37; --bad: #c1271d; }
@media (prefers-color-scheme: dark) { :root { --page: #0f1318; --card: #171c23; --text: #e6eaef; --line: #2c343e; --good: #56d37a; --bad: #ff8178; } }
body { margin: 0; padding: 10vh 1.25rem; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 30rem; margin: 0 auto; padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: .6rem; }
h1 { margin: 0 0 .5rem; font-size: 1.35rem; }
.good h1 { color: var(--good); }
.bad h1 { color: var(--bad); }
p { margin: 0; overflow-wrap: anywhere; }
`;
/** The policy of the page lets this style in, and nothing else. */
const styleHash = `sha256-${createHash("sha256").update(style).digest("base64")}`;

/** Milliseconds in which the last page is handed over. */
const GRACE = 1_000;

/** What a login on this machine takes, whose answer comes to a port of its own. */
export interface LoopbackOptions extends LoginClient {
  readonly http: Http;
  /** Is told where the person has to go: to print it, or to open a browser. */
  readonly open: (url: string) => void | Promise<void>;
  readonly signal?: AbortSignal;
  /** Milliseconds until it is given up. Default: five minutes. */
  readonly timeout?: number;
  /** Of the redirect address, where the service wants it registered. Default: any that is free. */
  readonly port?: number;
}

/**
 * A login on one's own machine: the service sends the browser back to a server on loopback, which lives as long as the login.
 *
 * @throws LoginError
 */
export async function loopbackLogin(
  app: App,
  auth: string,
  options: LoopbackOptions,
): Promise<OAuthCredential> {
  const { http, open, signal, timeout = 5 * 60_000, port = 0, ...client } = options;
  if (signal?.aborted === true) throw cancelled(signal);
  let take: ListenerOptions["answer"] | undefined;
  const listener = new Listener({
    answer: (request, response, url) =>
      take === undefined ? page(response, 404, "Not found.") : take(request, response, url),
    // Whoever sends what fails here is told so; the login waits for its own answer.
    failed: () => undefined,
  });
  try {
    await listen(listener, port);
    const redirectUri = `http://127.0.0.1:${listener.port}/callback`;
    const pending = await beginLogin(app, auth, { ...client, redirectUri });
    const answered = callback(pending.state, { signal, timeout }, (answer) => {
      take = answer;
    });
    answered.catch(() => undefined);
    // A browser that can't be opened ends the login; one that is waited for until it is over doesn't hold it up.
    const opened = (async () => await open(pending.url))();
    const { query, respond } = await Promise.race([answered, opened.then(() => answered)]);
    try {
      const credential = await finishLogin(app, pending, query, {
        ...client,
        http,
        ...(signal === undefined ? {} : { signal }),
      });
      respond(200, "You can close this window and go back.");
      return credential;
    } catch (error) {
      respond(400, error instanceof Error ? error.message : "The login failed.");
      throw error;
    }
  } finally {
    // The page is handed over meanwhile; the result doesn't wait for a browser that keeps its connection.
    void listener.close(GRACE);
  }
}

async function listen(listener: Listener, port: number): Promise<void> {
  try {
    await listener.listen(port, "127.0.0.1");
  } catch (error) {
    throw new LoginError(
      "config",
      `The port ${port} of this machine can't be used for the login: ${(error as Error).message}.`,
      error,
    );
  }
}

interface Answered {
  readonly query: URLSearchParams;
  respond(status: number, text: string): void;
}

/** The first request that comes back with the state of this login. Others are told so, and end nothing: any page can send them. */
function callback(
  state: string,
  { signal, timeout }: { readonly signal: AbortSignal | undefined; readonly timeout: number },
  answerWith: (answer: ListenerOptions["answer"]) => void,
): Promise<Answered> {
  return new Promise<Answered>((resolve, reject) => {
    const timer = setTimeout(
      () =>
        finish(() =>
          reject(new LoginError("timeout", `Nobody came back from the login within ${timeout / 1_000} s.`)),
        ),
      timeout,
    );
    const onAbort = (): void => finish(() => reject(cancelled(signal)));
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      settle();
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    answerWith((request, response, url) => {
      if (url.pathname !== "/callback" || request.method !== "GET") return page(response, 404, "Not found.");
      if (url.searchParams.get("state") !== state)
        return page(response, 400, "This answer belongs to another login, or to none. Begin again.");
      finish(() =>
        resolve({ query: url.searchParams, respond: (status, text) => page(response, status, text) }),
      );
    });
  });
}

function cancelled(signal: AbortSignal | undefined): LoginError {
  return new LoginError("cancelled", "The login was cancelled.", signal?.reason);
}

/** What a person sees last: it looks like the pages of `configc dev`. */
function page(response: ServerResponse, status: number, text: string): void {
  const title = status < 400 ? "Connected" : status === 404 ? "Nothing here" : "The login failed";
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; style-src '${styleHash}'`,
    "referrer-policy": "no-referrer",
    connection: "close",
  });
  response.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style><main class="${status < 400 ? "good" : "bad"}"><h1>${title}</h1><p>${escaped(text)}</p></main></html>\n`,
  );
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
