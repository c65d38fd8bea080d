import { createHmac } from "node:crypto";
import { callBack } from "../../api/call-back.ts";
import { listOf, oneOf, type Shape, webAddress } from "../../api/shape.ts";
import {
  type Call,
  created,
  missing,
  noContent,
  ok,
  type Routes,
  type ThirdParty,
} from "../../api/third-party.ts";
import type { Access } from "./access.ts";
import { dateTime, list, object, openApi, operation, text } from "./document.ts";

export interface HookOptions {
  readonly host: string;
  readonly prefix?: string;
  readonly access: Access;
  /** How deliveries are signed, over the raw body; `none`: by a token in a header. */
  readonly signature: "hex" | "base64" | "none" | "stamped";
  /** Whether an address is asked to repeat a challenge when it is registered: by POST, or by GET as bare text. */
  readonly challenges?: boolean | "get";
  /** Whether one hook has several events, of which only one is wanted. */
  readonly events?: boolean;
}

const SECRET = "canary-agents-hook-secret";

/** A service that calls registered addresses when somebody signs up. */
export class HookService implements ThirdParty {
  readonly guard;
  readonly once = /^POST /;
  readonly hosts: Readonly<Record<string, Routes>>;
  readonly hooks = new Map<string, string>();
  readonly #options: Required<HookOptions>;
  #last = 0;
  #delivered = 0;

  readonly #now: () => number;

  constructor(options: HookOptions, now: () => number = () => 0) {
    this.#options = { prefix: "/api", challenges: false, events: false, ...options };
    this.#now = now;
    this.guard = options.access.guard;
    this.hosts = { [options.host]: this.#routes() };
  }

  get document(): object {
    const { host, prefix, access, events } = this.#options;
    const body = object({
      target: { type: "string", format: "uri" },
      ...(events ? { events: list(text) } : {}),
    });
    const hook = object({ id: text, target: text, secret: text });
    const delivery = object({
      event: text,
      at: dateTime,
      person: object({ email: text, given_name: text, family_name: text }),
    });
    const described = openApi({
      title: "Sign-ups",
      host,
      prefix,
      access,
      prose: this.#prose(),
      paths: {
        "/hooks": { post: operation("Register an address", [], hook, { body, status: 201 }) },
        "/hooks/{id}": {
          delete: operation("Remove an address", [{ name: "id", in: "path" }], undefined, { status: 204 }),
        },
      },
    });
    const sent = operation("What is sent to a registered address", [], undefined, { body: delivery });
    return { ...described, openapi: "3.1.0", webhooks: { "person.created": { post: sent } } };
  }

  #prose(): string {
    const { signature, challenges, events } = this.#options;
    const proof =
      signature === "none"
        ? "Each delivery has the hook's `secret` in the header `X-Hook-Token`."
        : signature === "stamped"
          ? "Each delivery has the header `X-Signature: t=SECONDS,v1=HEX`. SECONDS is when it was sent, in seconds since 1970; HEX is the HMAC-SHA256, in hex and with the hook's `secret`, of SECONDS, a full stop and the raw body. Refuse what doesn't fit, and what was sent more than five minutes ago: somebody may have kept it."
          : `Each delivery has the header \`X-Signature\`: the HMAC-SHA256 of the raw body with the hook's \`secret\`, in ${signature}.`;
    return [
      proof,
      challenges === "get"
        ? "Before an address is used it gets a GET with the parameter `challenge`, unsigned, and has to answer 200 with its value as bare text (`text/plain`)."
        : challenges
          ? 'Before an address is used it gets `{"challenge": TEXT}` by POST, unsigned, and has to answer 200 with the same JSON.'
          : "",
      events ? "Events are `person.created` and `person.deleted`; a hook gets those that it asked for." : "",
      "The header `X-Delivery` numbers deliveries; one that isn't answered by a status of 200 to 299 is sent again with the same number.",
    ]
      .filter((sentence) => sentence !== "")
      .join(" ");
  }

  #routes(): Routes {
    const { prefix, events } = this.#options;
    const json: Shape = {
      target: webAddress,
      ...(events ? { events: listOf(oneOf("person.created", "person.deleted"), 1) } : {}),
    };
    return {
      [`GET ${prefix}/me`]: { answer: () => ok({ id: "acc-3", name: "Ada's account" }) },
      [`POST ${prefix}/hooks`]: {
        json,
        answer: ({ given }: Call) => {
          const id = `h${++this.#last}`;
          this.hooks.set(id, String(given["target"]));
          return created({ id, target: given["target"], secret: SECRET });
        },
      },
      [`DELETE ${prefix}/hooks/:id`]: {
        answer: ({ at }: Call) => (this.hooks.delete(at["id"] ?? "") ? noContent : missing),
      },
    };
  }

  /** Asks each address for its challenge. @returns whether all repeated it */
  async challenged(): Promise<boolean> {
    if (!this.#options.challenges) return true;
    const { challenges } = this.#options;
    const answers = await Promise.all(
      [...this.hooks.values()].map(async (target) => {
        if (challenges === "get") {
          const answer = await fetch(`${target}?challenge=canary-challenge`);
          return answer.status === 200 && (await answer.text()) === "canary-challenge";
        }
        const body = JSON.stringify({ challenge: "canary-challenge" });
        const answer = await fetch(target, {
          method: "POST",
          body,
          headers: { "content-type": "application/json" },
        });
        return answer.status === 200 && (await answer.text()).includes("canary-challenge");
      }),
    );
    return answers.every(Boolean);
  }

  /** @returns the statuses of the answers */
  async signUp(
    email: string,
    { event = "person.created", forged = false, age = 0 } = {},
  ): Promise<readonly number[]> {
    const person = { email, given_name: "Given", family_name: "Family" };
    const body = JSON.stringify({ event, at: "2025-03-04T10:00:00.5Z", person });
    const { signature } = this.#options;
    const secret = forged ? "somebody else's" : SECRET;
    const hex = (text: string) => createHmac("sha256", secret).update(text).digest("hex");
    const stamp = Math.floor(this.#now() / 1_000) - age;
    const proof: Record<string, string> =
      signature === "none"
        ? { "x-hook-token": secret }
        : signature === "stamped"
          ? { "x-signature": `t=${stamp},v1=${hex(`${stamp}.${body}`)}` }
          : { "x-signature": createHmac("sha256", secret).update(body).digest(signature) };
    const headers = { "content-type": "application/json", "x-delivery": `${++this.#delivered}`, ...proof };
    return await Promise.all([...this.hooks.values()].map((target) => callBack(target, body, headers)));
  }
}
