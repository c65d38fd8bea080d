import { object as objectOf, optional, text as someText } from "../../api/shape.ts";
import { type Call, ok, type Routes, type ThirdParty } from "../../api/third-party.ts";
import type { Access } from "./access.ts";
import { object, openApi, operation, text } from "./document.ts";

export interface GroupOptions {
  readonly host: string;
  readonly access: Access;
}

const PREFIX = "/crm";

/** A service that takes a person and, as an object of its own, the company. */
export class GroupService implements ThirdParty {
  readonly guard;
  readonly once = /^never$/;
  readonly hosts: Readonly<Record<string, Routes>>;
  /** Bodies, by address. */
  readonly people = new Map<string, Readonly<Record<string, unknown>>>();
  readonly #options: GroupOptions;

  constructor(options: GroupOptions) {
    this.#options = options;
    this.guard = options.access.guard;
    this.hosts = { [options.host]: this.#routes() };
  }

  get document(): object {
    const { host, access } = this.#options;
    const body = object(
      {
        person: object({ first_name: text }, ["first_name"]),
        company: object({ name: text, phone: text }, ["phone"]),
      },
      ["company"],
    );
    return openApi({
      title: "People and companies",
      host,
      prefix: PREFIX,
      access,
      prose:
        "PUT creates or replaces a person. The address stands in the path, percent-encoded. `company` may be left out, and then it may not be there at all: neither null nor empty. A company needs a `name`.",
      paths: {
        "/people/{email}": {
          put: operation("Create or replace a person", [{ name: "email", in: "path" }], undefined, { body }),
        },
      },
    });
  }

  #routes(): Routes {
    return {
      [`GET ${PREFIX}/me`]: { answer: () => ok({ id: "acc-5", name: "Ada's account" }) },
      [`PUT ${PREFIX}/people/:email`]: {
        json: {
          person: objectOf({ first_name: optional(someText) }),
          company: optional(objectOf({ name: someText, phone: optional(someText) })),
        },
        answer: ({ at, given }: Call) => {
          this.people.set(at["email"] ?? "", given);
          return ok({});
        },
      },
    };
  }
}
