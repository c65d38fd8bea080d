import type { Json, JsonObject } from "@configc/jq";
import type { Runtime } from "@configc/runtime";
import { put } from "../service/json.ts";
import { type Stage, WEBHOOKS } from "../stage/stage.ts";
import type { ServiceHook } from "./hooks.ts";
import { asWebhook, type Proof, prove, withText } from "./proof.ts";
import { savedOf } from "./saved.ts";
import type { Challenge, WebhookSubject } from "./subject.ts";
import { type Call, Verifier } from "./verifier.ts";
import type { WebhookWorld } from "./world.ts";

/** The part of a service that calls webhooks. */
export class Sender {
  readonly #subject: WebhookSubject;
  readonly #stage: Stage;
  readonly #runtime: () => Runtime;
  /** Proofs are made as the first version of the app takes them: the service doesn't change with the app. */
  readonly #signing: Runtime;
  readonly #secretsOf: (hook: ServiceHook) => readonly string[];

  /** @param secretsOf what the service gave for a webhook */
  constructor(
    subject: WebhookSubject,
    stage: Stage,
    runtime: () => Runtime,
    secretsOf: (hook: ServiceHook) => readonly string[],
  ) {
    this.#subject = subject;
    this.#stage = stage;
    this.#runtime = runtime;
    this.#signing = runtime();
    this.#secretsOf = secretsOf;
  }

  /** A delivery as its sender writes it, without a proof. */
  call(
    payload: Json,
    { isSpaced, isNumbered }: Pick<WebhookWorld, "isSpaced" | "isNumbered">,
    { event, tries }: { readonly event: number; readonly tries: number },
  ): Call {
    const { number } = this.#subject.protocol;
    let body = payload;
    const headers: Record<string, string> = { "content-type": "application/json" };
    const query: Record<string, string> = {};
    if (number !== undefined) {
      const text =
        number.names === "try" ? `${tries}` : number.names === "event" ? `event-${event + 1}` : undefined;
      if (number.part === "body") body = text === undefined ? body : put(body, number.path, text);
      else if (isNumbered)
        (number.part === "headers" ? headers : query)[number.path[0]!.toLowerCase()] = text ?? "";
    } else if (isNumbered) headers["webhook-id"] = `event-${event + 1}`;
    return { method: "POST", headers, query, body: isSpaced ? spaced(body) : JSON.stringify(body) };
  }

  /** A call with its proof, where the app wants one. */
  async prove(call: Call, hook: ServiceHook): Promise<Call> {
    const { proof } = this.#subject;
    const own: Call = { ...call, query: { ...hook.query, ...call.query } };
    if (proof === undefined) return own;
    const verifier = await this.#verifier(hook);
    return (await prove(asWebhook(proof, this.#secretsOf(hook)), verifier, own, hook.url, this.#stage.now))
      .call;
  }

  /** A proof that somebody made up. */
  wrong(proof: Proof): Proof {
    if (proof.kind === "signature") return proof;
    return withText(proof, "a-guess");
  }

  async deliver(
    hook: ServiceHook,
    { method, headers, query, body }: Call,
  ): Promise<{ readonly status: number; readonly body: string }> {
    this.#stage.now += 230;
    const answer = await this.#runtime().receive({
      hook: hook.url.slice(WEBHOOKS.length),
      method,
      headers,
      query: new URLSearchParams(query).toString(),
      body: encoder.encode(body),
    });
    return { status: answer.status, body: `${answer.body}${JSON.stringify(answer.headers)}` };
  }

  /** Asks whether a URL is the app's. */
  async challenge(
    hook: ServiceHook,
    challenge: Challenge,
  ): Promise<{ readonly status: number; readonly isAnswered: boolean }> {
    const asked = challengeOf(challenge);
    const call: Call = { ...asked, query: { ...hook.query, ...asked.query } };
    const { status, body } = await this.deliver(hook, call);
    return { status, isAnswered: status < 300 && body.includes(TOKEN) };
  }

  async #verifier(hook: ServiceHook): Promise<Verifier> {
    const { protocol, installations } = this.#subject;
    const id = hook.url.slice(WEBHOOKS.length);
    const row = await this.#stage.kept.transaction((transaction) => transaction.get("hooks", id));
    const own = installations.find((each) => each.id === row?.installation) ?? installations[0]!;
    const data = await savedOf(this.#stage, own);
    return new Verifier(this.#signing, protocol, {
      data,
      custom_data: protocol.intake.scope === "workflow" ? own.form : ({} as JsonObject),
    });
  }
}

/** What has to come back of a challenge. */
export const TOKEN = "challenge-token";

/** A challenge as a call. */
export function challengeOf({ method, place, literals }: Challenge): Call {
  const all = [...literals, { ...place, text: TOKEN }];
  const texts = (part: "headers" | "query"): Record<string, string> =>
    Object.fromEntries(
      all.filter((each) => each.part === part).map(({ path, text }) => [path[0]!.toLowerCase(), text]),
    );
  const body = all
    .filter(({ part }) => part === "body")
    .reduce<Json>((json, { path, text }) => put(json, path, text), {});
  return {
    method,
    headers: { "content-type": "application/json", ...texts("headers") },
    query: Object.fromEntries(Object.entries(texts("query"))),
    body: method === "GET" ? "" : JSON.stringify(body),
  };
}

/** JSON with blanks and escapes that nobody needs, as some services write it. */
function spaced(body: Json): string {
  const text = JSON.stringify(body, null, 1).replaceAll("\n", "");
  return text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const encoder = new TextEncoder();
