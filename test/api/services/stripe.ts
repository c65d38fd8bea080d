import { createHmac } from "node:crypto";
import { callBack } from "../call-back.ts";
import { byKey } from "../keys.ts";
import { OAuthServer } from "../oauth.ts";
import { bearerOf, loginRoute, tokenRoute } from "../oauth-routes.ts";
import type { Answer } from "../request.ts";
import { digits, matching, oneOf, optional, text, webAddress } from "../shape.ts";
import { type Call, type Guard, missing, ok, type ThirdParty } from "../third-party.ts";

interface Invoice {
  readonly id: string;
  readonly number: string;
  readonly amount_paid: number;
  readonly billing_reason: "manual" | "subscription_cycle";
}

interface Event {
  readonly id: string;
  readonly type: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly data: { readonly object: unknown };
}

type Customer = Readonly<Record<string, unknown>> & { readonly id: string };

/** What one connected account has. */
interface Account {
  readonly id: string;
  readonly links: {
    readonly id: string;
    readonly url: string;
    readonly metadata: { readonly name?: string };
  }[];
  readonly events: Event[];
  readonly customers: Customer[];
}

export const STRIPE_SECRET_KEY = "canary-stripe-secret-key";

const page = { limit: optional(matching(/^([1-9]\d?|100)$/)), starting_after: optional(text) };
const customer = {
  email: text,
  name: optional(text),
  phone: optional(text),
  description: optional(text),
  "address[line1]": optional(text),
  "address[city]": optional(text),
  "preferred_locales[0]": optional(oneOf("en", "fr", "de")),
  tax_exempt: optional(oneOf("none", "exempt", "reverse")),
};

/** Payments of many accounts: forms in, lists newest first by the id of the last one, one webhook of the platform for all accounts. */
export class Stripe implements ThirdParty {
  readonly oauth: OAuthServer;
  readonly guard: Guard;
  readonly hosts: ThirdParty["hosts"];
  readonly once = /token|^POST .*webhook_endpoints$/;
  readonly accounts = new Map<string, Account>();
  readonly endpoints = new Map<string, { readonly url: string; readonly secret: string }>();
  readonly #now: () => number;
  #last = 0;

  constructor(now: () => number) {
    this.#now = now;
    this.oauth = new OAuthServer(now, { lifetime: 60, client: "parameters", scopes: ["read_write"] });
    this.guard = bearerOf(this.oauth);
    this.hosts = {
      "connect.stripe.com": {
        "GET /oauth/authorize": loginRoute(this.oauth),
        "POST /oauth/token": tokenRoute(this.oauth),
      },
      "api.stripe.com": { ...this.#ofAccounts(), ...this.#ofPlatform() },
    };
  }

  #ofAccounts(): ThirdParty["hosts"][string] {
    return {
      "GET /v1/account": {
        answer: ({ account }) =>
          ok({
            id: account,
            object: "account",
            settings: { dashboard: { display_name: `Shop ${account}` } },
          }),
      },
      "GET /v1/payment_links": {
        query: { ...page, active: optional(oneOf("true", "false")) },
        answer: this.#of(({ links }, call) => paged(call, links)),
      },
      "GET /v1/checkout/sessions/:id/line_items": {
        query: page,
        answer: (call) =>
          paged(call, [
            { id: "li_1", description: "Course" },
            { id: "li_2", description: "Book" },
            { id: "li_3", description: "Course" },
          ]),
      },
      "GET /v1/events": {
        query: { ...page, type: text, "created[gte]": optional(digits), "created[lt]": optional(digits) },
        answer: this.#of(({ events }, call) => {
          const [from, to] = ["created[gte]", "created[lt]"].map((name) => Number(call.query.get(name)));
          const found = events.filter(
            ({ type, created: at }) =>
              type === call.query.get("type") && at >= (from ?? 0) && at < (to ?? Number.POSITIVE_INFINITY),
          );
          return paged(call, found.toReversed());
        }),
      },
      "GET /v1/customers": {
        query: { ...page, email: optional(text) },
        answer: this.#of(({ customers }, call) => {
          const email = call.query.get("email");
          return paged(
            call,
            customers.filter((each) => email === null || each["email"] === email),
          );
        }),
      },
      "POST /v1/customers": {
        form: customer,
        answer: this.#of(({ customers }, { given }) => {
          const made = { ...given, id: `cus_${++this.#last}` };
          customers.push(made);
          return ok({ ...made, object: "customer" });
        }),
      },
      "POST /v1/customers/:id": {
        form: customer,
        answer: this.#of(({ customers }, { at, given }) => {
          const index = customers.findIndex(({ id }) => id === at["id"]);
          const known = customers[index];
          if (known === undefined) return missing;
          customers[index] = { ...known, ...given };
          return ok({ id: known.id, object: "customer" });
        }),
      },
    };
  }

  #ofPlatform(): ThirdParty["hosts"][string] {
    const guard = byKey("authorization", "Bearer ", { [STRIPE_SECRET_KEY]: "platform" });
    return {
      "POST /v1/webhook_endpoints": {
        guard,
        form: {
          url: webAddress,
          connect: oneOf("true"),
          "enabled_events[0]": oneOf("checkout.session.completed"),
          description: text,
        },
        answer: ({ given }) => {
          const [id, secret] = [`we_${++this.#last}`, `canary-signing-${this.#last}`];
          this.endpoints.set(id, { url: `${given["url"]}`, secret });
          return ok({ id, object: "webhook_endpoint", secret, status: "enabled" });
        },
      },
      "POST /v1/webhook_endpoints/:id": {
        guard,
        form: { url: webAddress },
        answer: ({ at, given }) => {
          const known = this.endpoints.get(at["id"] ?? "");
          if (known === undefined) return missing;
          this.endpoints.set(at["id"] ?? "", { ...known, url: `${given["url"]}` });
          return ok({ id: at["id"], object: "webhook_endpoint" });
        },
      },
      "DELETE /v1/webhook_endpoints/:id": {
        guard,
        answer: ({ at }) =>
          this.endpoints.delete(at["id"] ?? "") ? ok({ id: at["id"], deleted: true }) : missing,
      },
    };
  }

  open(id: string): Account {
    const links = Array.from({ length: 130 }, (_, index) => ({
      id: `plink_${id}_${index}`,
      url: `https://buy.stripe.com/${id}/${index}`,
      metadata: index === 125 ? { name: "Spring course" } : {},
    }));
    const account = { id, links, events: [], customers: [] };
    this.accounts.set(id, account);
    return account;
  }

  /** An invoice is paid now. */
  pay({ events }: Account, given: Partial<Invoice> = {}): Invoice {
    const number = ++this.#last;
    const invoice = {
      id: `in_${number}`,
      number: `N-${number}`,
      amount_paid: 4_900,
      currency: "eur",
      billing_reason: "manual" as const,
      customer_email: `p${number}@example.com`,
      customer_name: `P ${number}`,
      created: this.#seconds(),
      status_transitions: { paid_at: this.#seconds() },
      hosted_invoice_url: `https://invoice.stripe.com/i/${number}`,
      ...given,
    };
    const created = this.#seconds();
    events.push({ id: `evt_${number}`, type: "invoice.paid", created, data: { object: invoice } });
    return invoice;
  }

  /** Somebody has paid through a link: the platform is told. @param forged signs with another secret */
  async buy(account: Account, session: object, { forged = false, age = 0 } = {}): Promise<number[]> {
    const body = JSON.stringify({
      id: `evt_${++this.#last}`,
      type: "checkout.session.completed",
      account: account.id,
      created: this.#seconds(),
      data: { object: session },
    });
    const at = this.#seconds() - age;
    return await Promise.all(
      [...this.endpoints.values()].map(({ url, secret }) => {
        const key = forged ? "guessed" : secret;
        const signature = createHmac("sha256", key).update(`${at}.${body}`).digest("hex");
        return callBack(url, body, {
          "content-type": "application/json; charset=utf-8",
          "stripe-signature": `t=${at},v1=${"0".repeat(64)},v1=${signature},v0=none`,
        });
      }),
    );
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1_000);
  }

  #of(answer: (account: Account, call: Call) => Answer) {
    return (call: Call) => {
      const account = this.accounts.get(call.account);
      return account === undefined ? missing : answer(account, call);
    };
  }
}

function paged<T extends { readonly id: string }>({ query }: Call, all: readonly T[]): Answer {
  const after = query.get("starting_after");
  const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
  if (after !== null && start === 0)
    return {
      status: 400,
      json: { error: { type: "invalid_request_error", message: `No such object: ${after}` } },
    };
  const data = all.slice(start, start + Number(query.get("limit") ?? 10));
  return ok({ object: "list", data, has_more: start + data.length < all.length });
}
