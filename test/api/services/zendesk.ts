import { createHmac } from "node:crypto";
import { callBack } from "../call-back.ts";
import { OAuthServer } from "../oauth.ts";
import { bearerOf, loginRoute, tokenRoute } from "../oauth-routes.ts";
import { numbered } from "../paging.ts";
import {
  boolean,
  digits,
  isRecord,
  listOf,
  matching,
  number,
  object,
  oneOf,
  optional,
  text,
  webAddress,
} from "../shape.ts";
import { type Call, created, type Guard, missing, noContent, ok, type ThirdParty } from "../third-party.ts";

interface User {
  readonly id: number;
  readonly name: string;
  readonly email: string | null;
  readonly [more: string]: unknown;
}

interface Ticket {
  readonly id: number;
  readonly subject: string;
  readonly [more: string]: unknown;
}

interface Webhook {
  readonly endpoint: string;
  readonly secret: string;
}

const list = { page: optional(digits), per_page: optional(matching(/^([1-9]\d?|100)$/)) };
const user = object({
  name: text,
  email: text,
  phone: optional(text),
  details: optional(text),
  notes: optional(text),
  user_fields: { fits: isRecord },
  skip_verify_email: boolean,
});
const ticket = object({
  subject: text,
  comment: object({ body: text, public: boolean }),
  requester: object({ name: text, email: text }),
  group_id: number,
  assignee_id: optional(number),
  tags: optional(listOf(text)),
  priority: optional(oneOf("low", "normal", "high", "urgent")),
  type: optional(oneOf("question", "incident", "problem", "task")),
  external_id: optional(text),
});
const webhook = object({
  name: text,
  status: oneOf("active"),
  endpoint: webAddress,
  http_method: oneOf("POST"),
  request_format: oneOf("json"),
  subscriptions: listOf(oneOf("zen:event-type:ticket.created"), 1),
});

/** A help desk, one host for each: pages by number with a count, signed webhooks, tickets that a key makes one. */
export class Zendesk implements ThirdParty {
  readonly oauth: OAuthServer;
  readonly guard: Guard;
  readonly hosts: ThirdParty["hosts"];
  readonly once = /oauth|^POST .*webhooks$/;
  readonly users = new Map<number, User>();
  readonly tickets: Ticket[] = [];
  readonly webhooks = new Map<string, Webhook>();
  readonly tags = Array.from({ length: 230 }, (_, index) => ({ name: `tag-${index}`, count: index }));
  readonly #now: () => number;
  readonly #keys = new Map<string, Ticket>();
  #last = 1_000;

  constructor(now: () => number) {
    this.#now = now;
    this.oauth = new OAuthServer(now, {
      lifetime: 60,
      authorizePath: "/oauth/authorizations/new",
      tokenPath: "/oauth/tokens",
      client: "parameters",
      scopes: ["read", "write"],
    });
    this.guard = bearerOf(this.oauth);
    this.hosts = {
      "acme.zendesk.com": {
        "GET /oauth/authorizations/new": loginRoute(this.oauth),
        "POST /oauth/tokens": tokenRoute(this.oauth),
        ...this.#lists(),
        ...this.#people(),
        ...this.#subscriptions(),
      },
    };
  }

  #lists(): ThirdParty["hosts"][string] {
    const groups = Array.from({ length: 120 }, (_, index) => ({ id: 500 + index, name: `Group ${index}` }));
    const brands = [
      { id: 31, name: "Acme", active: true },
      { id: 32, name: "Emca", active: true },
      { id: 33, name: "Old", active: false },
    ];
    const fields = [
      { key: "plan", title: "Plan", active: true },
      { key: "gone", title: "Gone", active: false },
    ];
    return {
      "GET /api/v2/groups": { query: list, answer: (call) => paged(call, "groups", groups) },
      "GET /api/v2/groups/:id/users": {
        query: list,
        answer: (call) =>
          paged(call, "users", [
            { id: 71, name: `Agent of ${call.at["id"]}`, active: true },
            { id: 72, name: "Gone", active: false },
          ]),
      },
      "GET /api/v2/tags": { query: list, answer: (call) => paged(call, "tags", this.tags) },
      "GET /api/v2/brands": { query: list, answer: (call) => paged(call, "brands", brands) },
      "GET /api/v2/user_fields": { query: list, answer: (call) => paged(call, "user_fields", fields) },
    };
  }

  #people(): ThirdParty["hosts"][string] {
    return {
      "GET /api/v2/users/me": {
        answer: () => ok({ user: { id: 1, name: "Ada", email: "ada@example.com" } }),
      },
      "GET /api/v2/users/:id": {
        answer: ({ at }) => {
          const found = this.users.get(Number(at["id"]));
          return found === undefined ? missing : ok({ user: found });
        },
      },
      "POST /api/v2/users/create_or_update": {
        json: { user },
        answer: ({ given }) => {
          const { skip_verify_email: _, ...fields } = given["user"] as User;
          const known = [...this.users.values()].find(({ email }) => email === fields.email);
          const made = { ...known, ...fields, id: known?.id ?? ++this.#last };
          this.users.set(made.id, made);
          return { status: known === undefined ? 201 : 200, json: { user: made } };
        },
      },
      "POST /api/v2/tickets": {
        json: { ticket },
        answer: ({ given, headers }) => {
          const key = `${headers["idempotency-key"]}`;
          const known = this.#keys.get(key);
          if (known !== undefined) return ok({ ticket: known });
          const made = { ...(given["ticket"] as Ticket), id: ++this.#last };
          this.#keys.set(key, made);
          this.tickets.push(made);
          return created({ ticket: made });
        },
      },
    };
  }

  #subscriptions(): ThirdParty["hosts"][string] {
    return {
      "POST /api/v2/webhooks": {
        json: { webhook },
        answer: ({ given }) => {
          const id = `01GDX${++this.#last}`;
          const { endpoint } = given["webhook"] as Webhook;
          this.webhooks.set(id, { endpoint, secret: `canary-signing-${id}` });
          return created({ webhook: { id, status: "active" } });
        },
      },
      "GET /api/v2/webhooks/:id/signing_secret": {
        answer: ({ at }) => {
          const found = this.webhooks.get(at["id"] ?? "");
          if (found === undefined) return missing;
          return ok({ signing_secret: { algorithm: "SHA256", secret: found.secret } });
        },
      },
      "PUT /api/v2/webhooks/:id": {
        json: { webhook },
        answer: ({ at, given }) => {
          const found = this.webhooks.get(at["id"] ?? "");
          if (found === undefined) return missing;
          const { endpoint } = given["webhook"] as Webhook;
          this.webhooks.set(at["id"] ?? "", { ...found, endpoint });
          return noContent;
        },
      },
      "DELETE /api/v2/webhooks/:id": {
        answer: ({ at }) => (this.webhooks.delete(at["id"] ?? "") ? noContent : missing),
      },
    };
  }

  addUser(given: Omit<User, "id">): User {
    const made = { ...given, id: ++this.#last } as User;
    this.users.set(made.id, made);
    return made;
  }

  /** Somebody opens a ticket: those who follow tickets are told. @param forged signs with another secret */
  async open(requester: User, brand: number, { forged = false } = {}): Promise<number[]> {
    const id = ++this.#last;
    const detail = { id: `${id}`, brand_id: `${brand}`, requester_id: `${requester.id}`, subject: "Help" };
    const body = JSON.stringify({
      type: "zen:event-type:ticket.created",
      detail: { ...detail, priority: "NORMAL", tags: ["web"] },
      event: {},
    });
    const at = new Date(this.#now()).toISOString();
    return await Promise.all(
      [...this.webhooks.values()].map(({ endpoint, secret }) => {
        const hash = createHmac("sha256", forged ? "guessed" : secret).update(at + body);
        return callBack(endpoint, body, {
          "content-type": "application/json",
          "X-Zendesk-Webhook-Signature": hash.digest("base64"),
          "X-Zendesk-Webhook-Signature-Timestamp": at,
          "X-Zendesk-Webhook-Invocation-Id": `invocation-${id}`,
        });
      }),
    );
  }
}

function paged({ query }: Call, name: string, all: readonly unknown[]) {
  const [page, size] = [Number(query.get("page") ?? 1), Number(query.get("per_page") ?? 100)];
  return ok({ [name]: numbered(all, page - 1, size), count: all.length, next_page: null });
}
