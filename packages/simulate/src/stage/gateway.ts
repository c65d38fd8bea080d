import { HttpFailure, type HttpRequest, type HttpResponse } from "@configc/runtime";
import type { Exchange } from "../exchange.ts";
import type { Fault, FaultKind } from "../world/fault.ts";

/** What stands behind a door. */
interface Upstream {
  /** The service itself. */
  readonly serve: (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;
  /** A request for a token; undefined where it is another. */
  readonly issue: (request: HttpRequest) => HttpResponse | undefined;
  /** Whether the token of a request isn't taken any more. */
  readonly isExpired: (request: HttpRequest) => boolean;
  readonly expire: () => void;
  readonly now: () => number;
  readonly pass: (milliseconds: number) => void;
  /** What the service says with status 200 where it failed. */
  readonly errorBody: string;
}

/** How long a service takes to answer, in milliseconds. */
const ANSWER_TIME = 230;
/** Within the limit of a request (30 s). */
const SLOW = 25_000;

/** Stands between an app and its service: notes each exchange, and lets some of them go wrong. */
export class Gateway {
  readonly exchanges: Exchange[] = [];
  readonly #behind: Upstream;
  readonly #faults: readonly Fault[];
  #step = 1;
  #requests = 0;

  constructor(behind: Upstream, faults: readonly Fault[]) {
    this.#behind = behind;
    this.#faults = faults.filter(({ what }) => what !== "death");
  }

  /** Begins to count requests anew. */
  begin(step: number): void {
    this.#step = step;
    this.#requests = 0;
  }

  /** @throws HttpFailure where no answer comes */
  async request(request: HttpRequest): Promise<HttpResponse> {
    const at = this.#behind.now();
    this.#behind.pass(ANSWER_TIME);
    const issued = this.#behind.issue(request);
    if (issued !== undefined) return this.#note(request, at, issued, undefined);
    this.#requests++;
    const fault = this.#faults.find(
      ({ step, at: first, times }) =>
        step === this.#step && this.#requests >= first && this.#requests < first + times,
    )?.what;
    if (fault === "expiry") this.#behind.expire();
    if (this.#behind.isExpired(request))
      return this.#note(request, at, response(401, '{"error":"token expired"}'), "expiry");
    if (fault === "timeout") {
      this.#behind.pass(request.timeout);
      return this.#fail(request, at, "timeout", fault);
    }
    const said = fault === undefined ? undefined : this.#instead(fault);
    if (said !== undefined) return this.#note(request, at, said, fault);
    if (fault === "slow") this.#behind.pass(SLOW);
    const answer = await this.#behind.serve(request);
    if (fault === "lost") return this.#fail(request, at, "network", fault);
    if (fault === "cut") {
      const body = answer.body.slice(0, Math.max(1, answer.body.length >> 1));
      return this.#note(request, at, { ...answer, body }, fault);
    }
    return this.#note(request, at, answer, fault);
  }

  /** What a service that does nothing answers. */
  #instead(fault: FaultKind): HttpResponse | undefined {
    if (typeof fault === "number") return response(fault, `{"error":"status ${fault}"}`);
    switch (fault) {
      case "wait":
        return response(429, '{"error":"too many requests"}', { "retry-after": "7" });
      case "html":
        return response(200, "<!doctype html><title>Back soon</title>", { "content-type": "text/html" });
      case "error-body":
        return response(200, this.#behind.errorBody);
      default:
        return undefined;
    }
  }

  #note(
    { method, url, headers, body }: HttpRequest,
    at: number,
    answer: HttpResponse,
    fault: FaultKind | undefined,
  ): HttpResponse {
    this.exchanges.push({
      at,
      answeredAt: this.#behind.now(),
      sender: "app",
      method,
      url,
      headers,
      body,
      status: answer.status,
      responseHeaders: answer.headers,
      responseBody: decoder.decode(answer.body),
      failure: undefined,
      fault,
    });
    return answer;
  }

  #fail(
    { method, url, headers, body }: HttpRequest,
    at: number,
    failure: "network" | "timeout",
    fault: FaultKind,
  ): never {
    this.exchanges.push({
      at,
      answeredAt: this.#behind.now(),
      sender: "app",
      method,
      url,
      headers,
      body,
      status: undefined,
      responseHeaders: {},
      responseBody: "",
      failure,
      fault,
    });
    throw new HttpFailure(failure, failure === "timeout" ? "no answer in time" : "the connection broke");
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function response(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    body: encoder.encode(body),
  };
}
