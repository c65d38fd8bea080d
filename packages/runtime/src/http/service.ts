import type { App, AppNode, AppQuota } from "@configc/compiler";
import { type Authentication, Authenticator } from "../auth/authenticator.ts";
import { abortError, RunError } from "../errors.ts";
import { base64, isSecretHeader, shownUrl } from "../redact/index.ts";
import type { Frame } from "../step.ts";
import { idOf } from "../store/id.ts";
import { readMethods } from "./body.ts";
import { exchange, failureError, statusError } from "./exchange.ts";
import { type RateLimits, type Release, TooLong } from "./rate-limit.ts";
import { type Hop, redirected } from "./redirect.ts";
import { type Answered, asksFor, type Outcome, retryWait } from "./retry.ts";
import { compileUrl, type UrlMaker } from "./url.ts";

/** Whose credentials a request carries (D17). */
export type Target = "connection" | "platform" | "external";

export interface OutgoingRequest extends Hop {
  readonly target: Target;
}

interface HttpServiceOptions {
  /** The host's name for the app: quotas of several apps are told apart by it. */
  readonly name: string;
  /** Origins that may have the credentials, besides that of `api.base_url` (D18). */
  readonly origins: readonly string[];
  readonly rateLimits: RateLimits;
}

/** A response, and the request that it came to: the last one, where there were redirects. */
interface Answer extends Answered {
  readonly hop: Hop;
  /** An earlier try did it, and its answer got lost (E21). */
  readonly done: boolean;
}

/**
 * Sends the requests of a runtime's commands: with credentials, within rate limits, following redirects, again where that is
 * right (D18, D21, D30). Rate limits and renewed tokens are shared by all runs.
 */
export class HttpService {
  readonly #app: App;
  readonly #limits: RateLimits;
  readonly #name: string;
  readonly #authenticator: Authenticator;
  readonly #base: UrlMaker | undefined;
  readonly #origins: ReadonlySet<string>;

  constructor(app: App, { name, origins, rateLimits }: HttpServiceOptions) {
    this.#app = app;
    this.#name = name;
    this.#limits = rateLimits;
    this.#authenticator = new Authenticator(app);
    const { baseUrl } = app.api;
    this.#base = baseUrl === undefined ? undefined : compileUrl(baseUrl, nowhere);
    this.#origins = new Set(origins.map((origin) => new URL(origin).origin));
  }

  /**
   * @returns a response with a status below 400, and its body as a value
   * @throws RunError
   */
  async send(request: OutgoingRequest, frame: Frame, place: AppNode): Promise<Answered> {
    const plain = withoutUserinfo(request, frame);
    const credentials = this.#authenticationFor(plain, frame, place);
    const authentication = credentials === undefined ? undefined : await credentials;
    let answer = await this.#attempt(authorized(plain, authentication), frame, place);
    if (refusesCredentials(answer) && authentication?.token !== undefined) {
      // D30: one refresh, one repetition.
      const renewed = await this.#authenticator.renew(frame, place, authentication.token);
      answer = await this.#attempt(authorized(plain, renewed), frame, place);
    }
    const { response, hop, done } = answer;
    if (response.status < 400 || done) return answer;
    const error = statusError(response, hop, frame, place);
    if (!refusesCredentials(answer)) throw error;
    throw new RunError(
      "AuthError",
      `The credentials of the connection aren't accepted: ${error.message}`,
      place,
      {
        status: 401,
      },
    );
  }

  /** @returns undefined where the request goes without them */
  #authenticationFor(
    { target, url, headers }: OutgoingRequest,
    frame: Frame,
    place: AppNode,
  ): Promise<Authentication | undefined> | undefined {
    for (const name of Object.keys(headers)) {
      if (!isSecretHeader(name)) continue;
      const value = headers[name] as string;
      frame.tracer.secret(value);
      // A service may echo a token without the scheme before it.
      frame.tracer.secret(value.replace(/^\S+\s+/, ""));
    }
    if (target !== "connection" || frame.connection === undefined || frame.auth === undefined)
      return undefined;
    if (!this.#isOwn(new URL(url).origin, frame)) {
      frame.tracer.event(frame.span, place.pointer, "note", {
        credentials: `not sent to ${new URL(url).origin}: it isn't the origin of api.base_url, nor one that is allowed`,
      });
      return undefined;
    }
    return this.#authenticator.authenticate(frame, place);
  }

  /** Whether an origin is that of `api.base_url`, or one that the host declares (D18). */
  #isOwn(origin: string, frame: Frame): boolean {
    if (this.#origins.has(origin)) return true;
    try {
      return this.#base !== undefined && new URL(this.#base(frame)).origin === origin;
    } catch {
      // Without the customer's subdomain there is no origin to compare with.
      return false;
    }
  }

  /** Sends a request as often as is right, and gives the last answer, whatever its status. */
  async #attempt(request: OutgoingRequest, frame: Frame, place: AppNode): Promise<Answer> {
    const { clock, random } = frame.effects;
    const keyed = "idempotency-key" in request.headers;
    const { putOff } = frame;
    // What the run would repeat if it is put off is this request alone, and that is to be repeated anyway.
    const isFirst = putOff?.sent === false;
    let mayBeDone = false;
    let last: { readonly outcome: Outcome; readonly hop: Hop } | undefined;
    for (let tries = 1; ; tries++) {
      let sent = await this.#follow(request, frame, place);
      const until = "failure" in sent.outcome ? sent.outcome.failure.until : undefined;
      if (until !== undefined && isFirst && last === undefined)
        throw putOffError("is left alone", until, place);
      // How a service answered says more than that it is left alone for that (E175).
      if (until !== undefined && last !== undefined) sent = last;
      last = sent;
      const { outcome, hop } = sent;
      const now = clock.now();
      const wait =
        until === undefined && tries < frame.limits.tries
          ? retryWait({ method: request.method, outcome, keyed, tries, now, random: random.next() })
          : undefined;
      const isTooLong = wait !== undefined && now + wait > frame.usage.deadline;
      if (isTooLong)
        frame.tracer.event(frame.span, place.pointer, "note", {
          retry: `not sent again: the wait of ${Math.ceil(wait / 1_000)} s is longer than the run may take`,
        });
      if (wait === undefined || isTooLong) {
        if ("failure" in outcome) throw failureError(outcome.failure, hop, frame, place);
        const done = mayBeDone && request.method === "DELETE" && isGone(outcome);
        if (done) frame.tracer.event(frame.span, place.pointer, "note", { deleted: "by an earlier try" });
        return { ...outcome, hop, done };
      }
      const reason = `retry after ${"failure" in outcome ? outcome.failure.kind : `status ${outcome.response.status}`}`;
      if (isFirst && asksFor(outcome, now) !== undefined && wait > (putOff?.patience ?? wait)) {
        frame.tracer.event(frame.span, place.pointer, "wait", { reason, milliseconds: wait });
        throw putOffError(`wants it to come again in ${Math.ceil(wait / 1_000)} s`, now + wait, place);
      }
      mayBeDone ||= "failure" in outcome || outcome.response.status >= 500;
      await this.#pause(wait, reason, frame, place);
    }
  }

  async #pause(milliseconds: number, reason: string, frame: Frame, place: AppNode): Promise<void> {
    frame.tracer.event(frame.span, place.pointer, "wait", { reason, milliseconds });
    try {
      await frame.effects.clock.sleep(milliseconds, frame.signal);
    } catch (error) {
      if (frame.signal.aborted) throw abortError(frame.signal, place);
      throw error;
    }
  }

  /** One try: the exchanges up to an answer that isn't a redirect. */
  async #follow(
    request: OutgoingRequest,
    frame: Frame,
    place: AppNode,
  ): Promise<{ outcome: Outcome; hop: Hop }> {
    let hop: Hop = request;
    for (let redirects = 0; ; redirects++) {
      const outcome = await this.#limited(hop, request.target, frame, place);
      if ("failure" in outcome) return { outcome, hop };
      const { status, headers } = outcome.response;
      const next = redirected(hop, status, headers["location"], (origin) => this.#isOwn(origin, frame));
      if (next === undefined) return { outcome, hop };
      if (next === "refused")
        throw new RunError(
          "HttpError",
          `${hop.method} ${shownUrl(hop.url)} redirects to \`${frame.tracer.redact(shownUrl(headers["location"] ?? ""), 200)}\`, which isn't an HTTP URL.`,
          place,
          { status },
        );
      if (redirects === frame.limits.redirects)
        throw new RunError(
          "LimitError",
          `${request.method} ${shownUrl(request.url)} was redirected more than ${frame.limits.redirects} times.`,
          place,
        );
      hop = next;
    }
  }

  /** One exchange, when the app's rate limit allows it. Other targets don't count (D21). */
  async #limited(hop: Hop, target: Target, frame: Frame, place: AppNode): Promise<Outcome> {
    const slot = target === "connection" ? this.#slot(hop, frame, place) : undefined;
    const release = slot === undefined ? undefined : await slot;
    if (frame.putOff !== undefined) frame.putOff.sent = true;
    try {
      return await exchange(hop, frame, place);
    } finally {
      release?.();
    }
  }

  /** @returns undefined without a limit */
  #slot({ method }: Hop, frame: Frame, place: AppNode): Promise<Release> | undefined {
    const { rateLimit } = this.#app.api;
    const kind = readMethods.has(method) ? "read" : "write";
    const quota = rateLimit?.[kind];
    if (rateLimit === undefined || quota === undefined) return undefined;
    const owner = rateLimit.scope === "app" ? [] : [frame.connection ?? ""];
    return this.#acquire(idOf(this.#name, kind, ...owner), quota, frame, place);
  }

  async #acquire(key: string, quota: AppQuota, frame: Frame, place: AppNode): Promise<Release> {
    const { putOff } = frame;
    const onWait = (milliseconds: number): void =>
      void frame.tracer.event(frame.span, place.pointer, "wait", { reason: "rate limit", milliseconds });
    try {
      return await this.#limits.acquire(key, quota, {
        signal: frame.signal,
        longest: frame.limits.requestTime,
        onWait,
        patience: putOff === undefined || putOff.sent ? undefined : putOff.patience,
      });
    } catch (error) {
      if (error instanceof TooLong) {
        onWait(error.wait);
        const until = frame.effects.clock.now() + error.wait;
        throw new RunError("Cancelled", `The run was put off: ${error.message}`, place, { until });
      }
      if (frame.signal.aborted) throw abortError(frame.signal, place);
      throw error;
    }
  }
}

/** @param does what the service does */
function putOffError(does: string, until: number, place: AppNode): RunError {
  return new RunError("Cancelled", `The run was put off: the service ${does}.`, place, { until });
}

/** Of what belongs to no command. */
const nowhere: AppNode = { pointer: "/api/base_url", span: { start: 0, end: 0 } };

/** A header that the config itself gives wins: it was written on purpose. */
function authorized(request: OutgoingRequest, authentication: Authentication | undefined): OutgoingRequest {
  if (authentication === undefined) return request;
  const credentials = Object.keys(authentication.headers).filter(
    (name) => !Object.hasOwn(request.headers, name),
  );
  return { ...request, headers: { ...authentication.headers, ...request.headers }, credentials };
}

/** A 401 to the connection's credentials. Where they weren't sent, by a redirect or for the config's own, it says nothing of them. */
function refusesCredentials({ response, hop: { credentials = [] } }: Answer): boolean {
  return response.status === 401 && credentials.length > 0;
}

function isGone({ response: { status } }: Answered): boolean {
  return status === 404 || status === 410;
}

/** User and password in a URL are sent as what they mean, and stay out of logs. */
function withoutUserinfo(request: OutgoingRequest, { tracer }: Frame): OutgoingRequest {
  if (!/^https?:\/\/[^/?#]*@/.test(request.url)) return request;
  const url = new URL(request.url);
  const [user, password] = [decoded(url.username), decoded(url.password)];
  url.username = "";
  url.password = "";
  // A user without a password is a key (E32).
  tracer.secret(password === "" ? user : password);
  const authorization = `Basic ${base64(new TextEncoder().encode(`${user}:${password}`))}`;
  return { ...request, url: url.href, headers: { authorization, ...request.headers } };
}

/** What isn't percent-encoded properly is meant as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
