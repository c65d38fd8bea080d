import { callBack } from "../call-back.ts";
import { OAuthServer } from "../oauth.ts";
import { bearerOf, loginRoute, tokenRoute } from "../oauth-routes.ts";
import { fromToken, ordered } from "../paging.ts";
import {
  anyText,
  boolean,
  digits,
  listOf,
  matching,
  number,
  object,
  oneOf,
  optional,
  text,
  time,
  webAddress,
} from "../shape.ts";
import { type Call, created, type Guard, missing, ok, type ThirdParty } from "../third-party.ts";

interface Person {
  readonly id: number;
  readonly name: string;
  readonly first_name: string;
  readonly last_name: string | null;
  readonly emails: readonly { readonly value: string; readonly primary: boolean }[];
  readonly phones?: readonly { readonly value: string; readonly primary: boolean }[];
}

export interface Deal {
  readonly id: number;
  readonly title: string;
  readonly status: "open" | "won" | "lost";
  readonly value: number;
  readonly currency: string;
  readonly person_id: number | null;
  readonly pipeline_id: number;
  readonly stage_id: number;
  readonly update_time: string;
  readonly won_time: string | null;
}

interface Webhook {
  readonly id: number;
  readonly subscription_url: string;
}

const COMPANY = 22_701_301;
const page = {
  limit: optional(digits),
  cursor: optional(text),
  sort_by: optional(oneOf("id", "update_time")),
};
const list = { ...page, sort_direction: optional(oneOf("asc")) };
const contactList = listOf(object({ value: text, label: optional(text), primary: optional(boolean) }));
const person = { name: text, emails: optional(contactList), phones: optional(contactList) };

const success = (data: unknown, more: object = {}) => ok({ success: true, data, ...more });

/** A CRM: pages by a cursor, changes by time, webhooks that can't be edited. */
export class Pipedrive implements ThirdParty {
  readonly oauth: OAuthServer;
  readonly guard: Guard;
  readonly hosts: ThirdParty["hosts"];
  readonly once = /token|^POST /;
  readonly persons = new Map<number, Person>();
  readonly deals = new Map<number, Deal>();
  readonly notes: { readonly deal_id: number; readonly content: string }[] = [];
  readonly webhooks = new Map<number, Webhook>();
  readonly #now: () => number;
  #last = 0;

  constructor(now: () => number) {
    this.#now = now;
    this.oauth = new OAuthServer(now, {
      lifetime: 60,
      client: "basic",
      scopes: ["base", "deals:full", "contacts:full", "users:read", "webhooks:full"],
    });
    this.guard = bearerOf(this.oauth);
    this.hosts = this.#routes();
  }

  #routes(): ThirdParty["hosts"] {
    return {
      "oauth.pipedrive.com": {
        "GET /oauth/authorize": loginRoute(this.oauth),
        "POST /oauth/token": tokenRoute(this.oauth),
      },
      "api.pipedrive.com": {
        "GET /v1/users/me": {
          answer: () =>
            success({
              id: 1,
              name: "Ada",
              email: "ada@example.com",
              company_id: COMPANY,
              company_name: "Acme",
            }),
        },
        "GET /v1/users": {
          answer: () =>
            success([
              { id: 1, name: "Ada", active_flag: true },
              { id: 2, name: "Gone", active_flag: false },
            ]),
        },
        "GET /api/v2/pipelines": {
          query: list,
          answer: (call: Call) =>
            paged(call, [
              { id: 1, name: "Sales" },
              { id: 2, name: "Renewals" },
            ]),
        },
        "GET /api/v2/stages": {
          query: { ...list, pipeline_id: digits },
          answer: (call: Call) =>
            paged(
              call,
              [
                { id: 3, name: "Contacted", pipeline_id: 1 },
                { id: 4, name: "Offered", pipeline_id: 2 },
              ].filter(({ pipeline_id }) => `${pipeline_id}` === call.query.get("pipeline_id")),
            ),
        },
        "GET /api/v2/persons/search": {
          query: { term: text, fields: oneOf("email"), exact_match: oneOf("true"), limit: optional(digits) },
          answer: ({ query }: Call) => {
            const found = [...this.persons.values()].filter(({ emails }) =>
              emails.some(({ value }) => value === query.get("term")),
            );
            return success({ items: found.map((item) => ({ result_score: 1, item: { id: item.id } })) });
          },
        },
        "GET /api/v2/persons/:id": {
          answer: ({ at }: Call) => {
            const found = this.persons.get(Number(at["id"]));
            return found === undefined ? missing : success(found);
          },
        },
        "POST /api/v2/persons": {
          json: person,
          answer: ({ given }: Call) => created({ success: true, data: this.addPerson(given as never) }),
        },
        "PATCH /api/v2/persons/:id": {
          json: person,
          answer: ({ at, given }: Call) => {
            const found = this.persons.get(Number(at["id"]));
            if (found === undefined) return missing;
            this.persons.set(found.id, { ...found, ...given });
            return success({ id: found.id });
          },
        },
        "GET /api/v2/deals": {
          query: { ...list, pipeline_id: digits, updated_since: time },
          answer: (call: Call) => {
            const { query } = call;
            const since = Date.parse(query.get("updated_since") ?? "");
            const found = [...this.deals.values()].filter(
              (deal) =>
                `${deal.pipeline_id}` === query.get("pipeline_id") && Date.parse(deal.update_time) >= since,
            );
            return paged(call, found, (deal) => `${deal.update_time} ${ordered(deal.id)}`);
          },
        },
        "POST /api/v2/deals": {
          json: {
            title: text,
            value: optional(number),
            currency: optional(oneOf("EUR", "GBP", "USD")),
            probability: optional(number),
            expected_close_date: optional(matching(/^\d{4}-\d\d-\d\d$/)),
            pipeline_id: oneOf(1, 2),
            stage_id: oneOf(3, 4),
            owner_id: optional(oneOf(1)),
            person_id: number,
          },
          answer: ({ given }: Call) => {
            const made = this.addDeal(given as Partial<Deal>);
            return created({ success: true, data: made });
          },
        },
        "POST /v1/notes": {
          json: { deal_id: number, content: anyText },
          answer: ({ given }: Call) => {
            this.notes.push(given as never);
            return created({ success: true, data: { id: this.notes.length } });
          },
        },
        "POST /v1/webhooks": {
          json: {
            subscription_url: webAddress,
            event_action: oneOf("change"),
            event_object: oneOf("deal"),
            version: oneOf("2.0"),
            name: text,
          },
          answer: ({ given }: Call) => {
            const made = { id: ++this.#last, subscription_url: `${given["subscription_url"]}` };
            this.webhooks.set(made.id, made);
            return created({ status: "ok", success: true, data: { id: made.id, is_active: 1 } });
          },
        },
        "DELETE /v1/webhooks/:id": {
          answer: ({ at }: Call) =>
            this.webhooks.delete(Number(at["id"])) ? ok({ status: "ok", success: true }) : missing,
        },
      },
    };
  }

  addPerson(given: Pick<Person, "name" | "emails">): Person {
    const [first_name = "", ...rest] = given.name.split(" ");
    const made = { ...given, id: ++this.#last, first_name, last_name: rest.join(" ") || null };
    this.persons.set(made.id, made);
    return made;
  }

  addDeal(given: Partial<Deal>): Deal {
    const made: Deal = {
      title: "Deal",
      status: "open",
      value: 100,
      currency: "EUR",
      person_id: null,
      pipeline_id: 1,
      stage_id: 3,
      won_time: null,
      ...given,
      id: ++this.#last,
      update_time: this.#time(),
    };
    this.deals.set(made.id, made);
    return made;
  }

  /** Somebody changes a deal: those who follow it are told. */
  async change(id: number, change: Partial<Deal>): Promise<number[]> {
    const before = this.deals.get(id);
    if (before === undefined) throw new Error(`There is no deal ${id}.`);
    const won = change.status === "won" ? { won_time: this.#time() } : {};
    const deal = { ...before, ...change, ...won, update_time: this.#time() };
    this.deals.set(id, deal);
    const previous = Object.fromEntries(
      Object.keys(change).map((name) => [name, before[name as keyof Deal]]),
    );
    const meta = { action: "change", entity: "deal", company_id: COMPANY, version: "2.0" };
    const body = JSON.stringify({ data: deal, previous, meta });
    return await Promise.all(
      [...this.webhooks.values()].map(({ subscription_url }) =>
        callBack(subscription_url, body, { "content-type": "application/json" }),
      ),
    );
  }

  #time(): string {
    return `${new Date(this.#now()).toISOString().slice(0, 19)}Z`;
  }
}

function paged<T extends { readonly id: number }>(
  { query }: Call,
  all: readonly T[],
  placeOf: (item: T) => string = ({ id }) => ordered(id),
) {
  const sorted = all.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  const { page, next } = fromToken(sorted, placeOf, Number(query.get("limit") ?? 100), query.get("cursor"));
  return success(page, { additional_data: { next_cursor: next } });
}
