import { createHmac } from "node:crypto";
import { callBack } from "./call-back.ts";
import type { Answer, Exchange } from "./request.ts";

export interface Hook {
  readonly id: number;
  readonly url: string;
  readonly event: string;
}

export const HOOK_SECRET = "canary-hook-secret";

/** Webhooks: registered, changed and removed over HTTP; `emit` calls back. */
export class Hooks {
  readonly registered = new Map<number, Hook>();
  #last = 0;
  #emitted = 0;

  answer({ method, path, json }: Exchange): Answer | undefined {
    const body = (json ?? {}) as { readonly url?: string; readonly event?: string };
    if (path === "/hooks" && method === "GET") return { json: { hooks: [...this.registered.values()] } };
    if (path === "/hooks" && method === "POST") {
      if (body.url === undefined) return { status: 422, json: { error: "url is missing" } };
      const hook = { id: ++this.#last, url: body.url, event: body.event ?? "person.created" };
      this.registered.set(hook.id, hook);
      return { status: 201, json: { hook, secret: HOOK_SECRET } };
    }
    const id = Number(/^\/hooks\/(\d+)$/.exec(path)?.[1]);
    if (Number.isNaN(id)) return undefined;
    const known = this.registered.get(id);
    if (known === undefined) return { status: 404, json: { error: "no such hook" } };
    if (method === "DELETE") {
      this.registered.delete(id);
      return { status: 204 };
    }
    const changed = { ...known, ...body, id };
    this.registered.set(id, changed);
    return { json: { hook: changed } };
  }

  /**
   * Calls every hook of an event, signed as services do: over the time and the raw body.
   *
   * @returns the status of each answer; 0 if there was none
   */
  async emit(
    event: string,
    payload: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<number[]> {
    const hooks = [...this.registered.values()].filter((hook) => hook.event === event);
    const body = JSON.stringify(payload);
    const time = `${Math.floor(Date.now() / 1_000)}`;
    const number = `${++this.#emitted}`;
    const signature = createHmac("sha256", HOOK_SECRET).update(`${time}.${body}`).digest("hex");
    return await Promise.all(
      hooks.map(({ url }) =>
        callBack(url, body, {
          "content-type": "application/json",
          "x-time": time,
          "x-signature": signature,
          "x-people-delivery": number,
          ...headers,
        }),
      ),
    );
  }
}
