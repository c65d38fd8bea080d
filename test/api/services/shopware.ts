import { randomBytes } from "node:crypto";
import type { Answer } from "../request.ts";
import {
  anything,
  digits,
  isRecord,
  listOf,
  matching,
  number,
  object,
  oneOf,
  optional,
  text,
} from "../shape.ts";
import { anyone, type Call, missing, noContent, ok, type ThirdParty } from "../third-party.ts";

type Entity = Readonly<Record<string, unknown>> & { readonly id: string };

interface Filter {
  readonly type: "equals" | "equalsAny" | "range" | "not";
  readonly field?: string;
  readonly value?: unknown;
  readonly parameters?: Readonly<Record<"gte" | "gt", string | number>>;
  readonly queries?: readonly Filter[];
}

export const SHOP_USER = { username: "integration", password: "canary-shop-password" };

/** Seconds. */
const LIFETIME = 60;

const list = { page: digits, limit: digits, "total-count-mode": oneOf("1"), term: optional(text) };
const search = {
  limit: optional(number),
  filter: optional(listOf(anything)),
  sort: optional(listOf(object({ field: text, order: oneOf("ASC", "DESC") }))),
  associations: optional(anything),
  includes: optional(anything),
  ids: optional(listOf(matching(/^[0-9a-f]{32}$/))),
};

/** A shop: sessions by user name and password, searches by filters in the body, one host for each shop. */
export class Shopware implements ThirdParty {
  #last = 0;
  readonly once = /^$/;
  readonly orders: Entity[] = [];
  readonly customers: Entity[] = [];
  readonly channels = Array.from({ length: 120 }, (_, index) => this.#named(`Channel ${index}`));
  readonly groups = ["Retail", "Wholesale", "Partners"].map((name) => this.#named(name));
  readonly tags = ["Newsletter", "VIP", "Blocked"].map((name) => this.#named(name));
  /** How often somebody logged in. */
  logIns = 0;
  readonly #now: () => number;
  readonly #tokens = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  readonly guard = ({ headers: { authorization = "", accept } }: Call | { headers: Call["headers"] }) => {
    const until = this.#tokens.get(authorization.replace("Bearer ", "")) ?? 0;
    return until > this.#now() && accept === "application/json" ? "integration" : undefined;
  };

  readonly hosts = {
    "acme.shopware.store": {
      "POST /api/oauth/token": {
        guard: anyone,
        json: {
          client_id: oneOf("administration"),
          grant_type: oneOf("password"),
          scopes: oneOf("write"),
          username: text,
          password: text,
        },
        answer: ({ given }: Call) => {
          if (given["username"] !== SHOP_USER.username || given["password"] !== SHOP_USER.password)
            return { status: 401, json: { errors: [{ title: "The user credentials were incorrect." }] } };
          this.logIns++;
          const access_token = `canary-session-${randomBytes(8).toString("hex")}`;
          this.#tokens.set(access_token, this.#now() + LIFETIME * 1_000);
          return ok({ token_type: "Bearer", expires_in: LIFETIME, access_token });
        },
      },
      "GET /api/_info/version": { answer: () => ok({ version: "6.6.1.0" }) },
      "GET /api/sales-channel": { query: list, answer: (call: Call) => listed(call, this.channels) },
      "GET /api/customer-group": { query: list, answer: (call: Call) => listed(call, this.groups) },
      "GET /api/tag": { query: list, answer: (call: Call) => listed(call, this.tags) },
      "POST /api/search/order": { json: search, answer: (call: Call) => found(call, this.orders) },
      "POST /api/search/customer": { json: search, answer: (call: Call) => found(call, this.customers) },
      "PATCH /api/customer/:id": {
        json: { tags: listOf(object({ id: text })) },
        answer: ({ at, given }: Call) => {
          const index = this.customers.findIndex(({ id }) => id === at["id"]);
          const known = this.customers[index];
          if (known === undefined) return missing;
          // Associations are added to, not replaced.
          const tags = [...((known["tags"] as object[] | undefined) ?? []), ...(given["tags"] as object[])];
          const unique = [...new Map(tags.map((tag) => [JSON.stringify(tag), tag])).values()];
          this.customers[index] = { ...known, tags: unique };
          return noContent;
        },
      },
    },
  };

  addOrder(channel: Entity, given: object): Entity {
    const autoIncrement = this.orders.length + 1;
    const orderCustomer = {
      email: `p${autoIncrement}@example.com`,
      firstName: "P",
      lastName: `${autoIncrement}`,
    };
    const order = {
      id: this.#id(),
      autoIncrement,
      salesChannelId: channel.id,
      createdAt: new Date(this.#now()).toISOString(),
      orderNumber: `${10_000 + autoIncrement}`,
      amountTotal: 49.9,
      orderCustomer,
      currency: { isoCode: "EUR" },
      lineItems: [
        { type: "product", label: "Tea" },
        { type: "promotion", label: "10 %" },
      ],
      ...given,
    };
    this.orders.push(order);
    return order;
  }

  addCustomer(given: object): Entity {
    const autoIncrement = this.customers.length + 1;
    const [id, groupId] = [this.#id(), this.groups[0]?.id];
    const customer = { id, autoIncrement, groupId, guest: false, company: null, ...given };
    this.customers.push(customer);
    return customer;
  }

  #named(name: string): Entity & { readonly name: string } {
    return { id: this.#id(), name, translated: { name } };
  }

  #id(): string {
    return `${++this.#last}`.padStart(32, "0");
  }
}

function listed({ query }: Call, all: readonly Entity[]): Answer {
  const term = (query.get("term") ?? "").toLowerCase();
  const named = all.filter(({ name }) => `${name}`.toLowerCase().includes(term));
  const [page, limit] = [Number(query.get("page")), Number(query.get("limit"))];
  return ok({ total: named.length, data: named.slice((page - 1) * limit, page * limit) });
}

function found({ given }: Call, all: readonly Entity[]): Answer {
  const {
    filter = [],
    sort,
    limit = 500,
    ids,
    includes,
  } = given as {
    readonly filter?: readonly Filter[];
    readonly sort?: readonly { readonly field: string }[];
    readonly limit?: number;
    readonly ids?: readonly string[];
    readonly includes?: Readonly<Record<string, readonly string[]>>;
  };
  const fields = [...new Set(all.flatMap((entity) => Object.keys(entity)))];
  const unknown = [...filter, ...filter.flatMap(({ queries = [] }) => queries)].find(
    ({ field }) => all.length > 0 && field !== undefined && !fields.includes(field),
  );
  if (unknown !== undefined)
    return { status: 400, json: { errors: [{ code: "FRAMEWORK__UNMAPPED_FIELD" }] } };
  const hits = all.filter(
    (entity) => (ids === undefined || ids.includes(entity.id)) && filter.every((each) => holds(each, entity)),
  );
  const order = sort?.[0]?.field ?? "id";
  hits.sort((a, b) => ((a[order] as number) < (b[order] as number) ? -1 : 1));
  const [only] = Object.values(includes ?? {});
  const shown = hits
    .slice(0, limit)
    .map((entity) =>
      only === undefined ? entity : Object.fromEntries(only.map((name) => [name, entity[name]])),
    );
  return ok({ total: shown.length, data: shown });
}

function holds({ type, field = "", value, parameters, queries = [] }: Filter, entity: Entity): boolean {
  const given = entity[field];
  switch (type) {
    case "equals":
      return given === value;
    case "equalsAny":
      return (Array.isArray(value) ? value : `${value}`.split("|")).includes(given);
    case "range":
      if (!isRecord(parameters)) return false;
      if (typeof given === "string")
        return Date.parse(given) >= Date.parse(`${parameters["gte"] ?? parameters["gt"]}`);
      return typeof given === "number" && given > Number(parameters["gt"] ?? Number(parameters["gte"]) - 1);
    case "not":
      return !queries.every((each) => holds(each, entity));
    default:
      return false;
  }
}
