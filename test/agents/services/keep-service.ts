import type { Answer } from "../../api/request.ts";
import {
  anyText,
  listOf,
  matching,
  number,
  optional,
  type Shape,
  text as someText,
} from "../../api/shape.ts";
import { type Call, created, missing, ok, type Routes, type ThirdParty } from "../../api/third-party.ts";
import type { Access } from "./access.ts";
import { integer, list, nullable, object, openApi, operation, type Parameter, text } from "./document.ts";

export interface KeepOptions {
  readonly host: string;
  readonly access: Access;
}

export interface KeptMember {
  readonly id: number;
  readonly email: string;
  readonly first_name: string | null;
  readonly notes: string | null;
  readonly tags: readonly string[];
  readonly version: number;
}

const PREFIX = "/v3";

/** A service in which a change replaces the whole member, with what others have written about them. */
export class KeepService implements ThirdParty {
  readonly guard;
  readonly once = /^POST /;
  readonly hosts: Readonly<Record<string, Routes>>;
  readonly members: KeptMember[] = [
    {
      id: 1,
      email: "ada@example.com",
      first_name: "Ada",
      notes: "Knows the boss",
      tags: ["vip", "2019"],
      version: 7,
    },
    { id: 2, email: "eve@example.com", first_name: "Eve", notes: null, tags: [], version: 1 },
  ];
  readonly #options: KeepOptions;

  constructor(options: KeepOptions) {
    this.#options = options;
    this.guard = options.access.guard;
    this.hosts = { [options.host]: this.#routes() };
  }

  get document(): object {
    const { host, access } = this.#options;
    const wanted = {
      email: { type: "string", format: "email" },
      first_name: nullable(text),
      notes: nullable(text),
      tags: list(text),
    };
    const member = object({ id: integer, ...wanted, version: integer });
    const rest = ["first_name", "notes", "tags"];
    const byId: Parameter = { name: "id", in: "path", schema: integer };
    return openApi({
      title: "Members",
      host,
      prefix: PREFIX,
      access,
      prose:
        "Nothing keeps one address from being there twice: look for it first. Addresses are kept in lower case, and a search for one with capitals finds nobody. PUT replaces the whole member: a member that the body leaves out is emptied. Other people write `notes` and `tags`. `version` has to be the one that was read last; else PUT answers 409.",
      paths: {
        "/members": {
          get: operation(
            "Members of an address",
            [{ name: "email", required: true }],
            object({ members: list(member) }),
          ),
          post: operation("Create a member", [], member, { body: object(wanted, rest), status: 201 }),
        },
        "/members/{id}": {
          put: operation("Replace a member", [byId], member, {
            body: object({ ...wanted, version: integer }, rest),
          }),
        },
      },
    });
  }

  #routes(): Routes {
    const own: Shape = {
      email: matching(/^[^\sA-Z]+@[^\sA-Z]+$/),
      first_name: optional({ fits: (value) => value === null || someText.fits(value) }),
      notes: optional({ fits: (value) => value === null || someText.fits(value) }),
      tags: optional(listOf(someText)),
    };
    return {
      [`GET ${PREFIX}/me`]: { answer: () => ok({ id: "acc-4", name: "Ada's account" }) },
      [`GET ${PREFIX}/members`]: {
        query: { email: anyText },
        answer: ({ query }: Call) =>
          ok({ members: this.members.filter(({ email }) => email === query.get("email")) }),
      },
      [`POST ${PREFIX}/members`]: {
        json: own,
        answer: ({ given }: Call) => {
          const member = this.#member(given, this.members.length + 1, 1);
          this.members.push(member);
          return created(member);
        },
      },
      [`PUT ${PREFIX}/members/:id`]: {
        json: { ...own, version: number },
        answer: ({ at, given }: Call) => this.#replace(Number(at["id"]), given),
      },
    };
  }

  #replace(id: number, given: Readonly<Record<string, unknown>>): Answer {
    const place = this.members.findIndex((member) => member.id === id);
    const known = this.members[place];
    if (known === undefined) return missing;
    if (given["version"] !== known.version) return { status: 409, json: { error: "version" } };
    const member = this.#member(given, id, known.version + 1);
    this.members[place] = member;
    return ok(member);
  }

  #member(given: Readonly<Record<string, unknown>>, id: number, version: number): KeptMember {
    return {
      id,
      email: String(given["email"]),
      first_name: (given["first_name"] as string | undefined) ?? null,
      notes: (given["notes"] as string | undefined) ?? null,
      tags: (given["tags"] as string[] | undefined) ?? [],
      version,
    };
  }
}
