import type { Answer } from "../../api/request.ts";
import { anyText, listOf, matching, optional, type Shape, text as someText } from "../../api/shape.ts";
import { type Call, created, missing, ok, type Routes, type ThirdParty } from "../../api/third-party.ts";
import type { Access } from "./access.ts";
import { integer, list, nullable, object, openApi, operation, type Parameter, text } from "./document.ts";

/**
 * How somebody is added: by creating, which refuses who is there and has to be looked for before (`create`), by an address that is the key (`put`), by a search and then either
 * (`search`), or with a key of the request (`keyed`).
 */
export type Writing = "create" | "put" | "search" | "keyed";

export interface ContactOptions {
  readonly host: string;
  readonly prefix?: string;
  readonly access: Access;
  readonly writing: Writing;
  /** Whether people are added to a list that a customer chooses. */
  readonly inLists?: boolean;
  /** Whether a customer may choose a tag, or none. */
  readonly tags?: boolean;
}

export interface Member {
  readonly id: number;
  readonly email: string;
  readonly firstName?: string;
  readonly list?: string;
  readonly tags: readonly string[];
}

/** A service that takes people. */
export class ContactService implements ThirdParty {
  readonly guard;
  readonly once = /^POST /;
  readonly hosts: Readonly<Record<string, Routes>>;
  readonly members: Member[] = [];
  /** Requests that were sent twice under one key. */
  repeated = 0;
  readonly #options: Required<ContactOptions>;
  readonly #keys = new Set<string>();

  constructor(options: ContactOptions) {
    this.#options = { prefix: "/v2", inLists: false, tags: false, ...options };
    this.guard = options.access.guard;
    this.hosts = { [options.host]: this.#routes() };
  }

  get document(): object {
    const { host, prefix, access, inLists, tags } = this.#options;
    return openApi({
      title: "Members",
      host,
      prefix,
      access,
      prose: this.#prose(),
      paths: {
        ...this.#paths(),
        ...(inLists
          ? {
              "/lists": {
                get: operation("All lists", [], object({ lists: list(object({ id: text, title: text })) })),
              },
            }
          : {}),
        ...(tags
          ? {
              "/tags": {
                get: operation("All tags", [], object({ tags: list(object({ key: text, label: text })) })),
              },
            }
          : {}),
      },
    });
  }

  #prose(): string {
    switch (this.#options.writing) {
      case "create":
        return "An address can be there once: to create a member who is there already gives 409, which is a failure like any other: look for it first, then POST or PATCH.";
      case "put":
        return "PUT creates who isn't there, and replaces who is. The address stands in the path, percent-encoded.";
      case "search":
        return "Nothing keeps one address from being there twice: look for it first.";
      case "keyed":
        return "Send a header `Idempotency-Key` with each POST: a second request with the same key does nothing, and gives the same answer.";
    }
  }

  #paths(): Readonly<Record<string, object>> {
    const { inLists, tags, writing } = this.#options;
    const wanted = {
      email: { type: "string", format: "email" },
      first_name: text,
      ...(inLists ? { list_id: text } : {}),
      ...(tags ? { tags: list(text) } : {}),
    };
    const body = object(wanted, ["first_name", "tags"]);
    const member = object({ id: integer, ...wanted, first_name: nullable(text) });
    const key: readonly Parameter[] =
      writing === "keyed" ? [{ name: "Idempotency-Key", in: "header", required: true }] : [];
    const post = { post: operation("Create a member", key, member, { body, status: 201 }) };
    const byId: Parameter = { name: "id", in: "path", schema: integer };
    switch (writing) {
      case "put": {
        const { email: _inPath, ...rest } = wanted;
        const byEmail: Parameter = { name: "email", in: "path" };
        const put = operation("Create or replace a member", [byEmail], member, {
          body: object(rest, ["first_name", "tags"]),
        });
        return { "/members/{email}": { put } };
      }
      case "create":
      case "search": {
        const search = operation(
          "Members of an address",
          [{ name: "email", required: true }],
          object({ members: list(member) }),
        );
        return {
          "/members": { ...post, get: search },
          "/members/{id}": { patch: operation("Change a member", [byId], member, { body }) },
        };
      }
      case "keyed":
        return { "/members": post };
    }
  }

  #routes(): Routes {
    const { prefix, writing, inLists, tags } = this.#options;
    const email = matching(/^\S+@\S+$/);
    const rest: Shape = {
      first_name: optional(someText),
      ...(inLists ? { list_id: matching(/^l[12]$/) } : {}),
      ...(tags ? { tags: optional(listOf(matching(/^t\d$/))) } : {}),
    };
    const whole: Shape = { email, ...rest };
    const routes: Record<string, Routes[string]> = {
      [`GET ${prefix}/me`]: { answer: () => ok({ id: "acc-9", name: "Ada's account" }) },
    };
    if (inLists)
      routes[`GET ${prefix}/lists`] = {
        answer: () =>
          ok({
            lists: [
              { id: "l1", title: "Letters" },
              { id: "l2", title: "Offers" },
            ],
          }),
      };
    if (tags)
      routes[`GET ${prefix}/tags`] = {
        answer: () =>
          ok({
            tags: [
              { key: "t1", label: "New" },
              { key: "t2", label: "Old" },
            ],
          }),
      };
    if (writing === "put")
      routes[`PUT ${prefix}/members/:email`] = {
        json: rest,
        answer: ({ at, given }: Call) =>
          ok(this.#write({ ...given, email: at["email"] }, this.#find(at["email"]))),
      };
    else {
      routes[`POST ${prefix}/members`] = { json: whole, answer: (call: Call) => this.#post(call) };
      if (writing !== "keyed")
        routes[`PATCH ${prefix}/members/:id`] = {
          json: whole,
          answer: ({ at, given }: Call) => {
            const known = this.members.find(({ id }) => `${id}` === at["id"]);
            return known === undefined ? missing : ok(this.#write(given, known));
          },
        };
      if (writing !== "keyed")
        routes[`GET ${prefix}/members`] = {
          query: { email: anyText },
          answer: ({ query }: Call) =>
            ok({ members: this.members.filter(({ email: own }) => own === query.get("email")) }),
        };
    }
    return routes;
  }

  #post({ given, headers }: Call): Answer {
    const known = this.#find(given["email"]);
    const { writing } = this.#options;
    if (writing === "create" && known !== undefined)
      return { status: 409, json: { error: "exists", id: known.id } };
    if (writing === "keyed") {
      const key = headers["idempotency-key"];
      if (typeof key !== "string" || key === "")
        return { status: 400, json: { error: "Idempotency-Key is missing" } };
      if (this.#keys.has(key)) {
        this.repeated += 1;
        return created(known);
      }
      this.#keys.add(key);
    }
    return created(this.#write(given, undefined));
  }

  #find(email: unknown): Member | undefined {
    return this.members.find((member) => member.email === email);
  }

  #write(given: Readonly<Record<string, unknown>>, known: Member | undefined): object {
    const {
      first_name: firstName,
      list_id: chosen,
      tags = [],
    } = given as {
      readonly first_name?: string;
      readonly list_id?: string;
      readonly tags?: readonly string[];
    };
    const member: Member = {
      id: known?.id ?? this.members.length + 1,
      email: String(given["email"]),
      ...(firstName === undefined ? {} : { firstName }),
      ...(chosen === undefined ? {} : { list: chosen }),
      tags,
    };
    if (known === undefined) this.members.push(member);
    else this.members[this.members.indexOf(known)] = member;
    return { id: member.id, email: member.email, first_name: firstName ?? null };
  }
}
