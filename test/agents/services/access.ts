import { byKey, byPassword } from "../../api/keys.ts";
import type { Guard } from "../../api/third-party.ts";

/** How a service wants to know who asks: the scheme of its OpenAPI document, the check, and what a customer types. */
export interface Access {
  readonly scheme: object;
  readonly guard: Guard;
  readonly credential: { readonly token: string } | { readonly username: string; readonly password: string };
}

const KEY = "canary-agents-key";
const accounts = { [KEY]: "ada" };

export const bearer: Access = {
  scheme: {
    type: "http",
    scheme: "bearer",
    description: "A personal token, as `Authorization: Bearer TOKEN`.",
  },
  guard: byKey("authorization", "Bearer ", accounts),
  credential: { token: KEY },
};

export const header = (name: string): Access => ({
  scheme: { type: "apiKey", in: "header", name },
  guard: byKey(name.toLowerCase(), "", accounts),
  credential: { token: KEY },
});

export const basic: Access = {
  scheme: { type: "http", scheme: "basic", description: "User name and password of the account." },
  guard: byPassword({ ada: KEY }),
  credential: { username: "ada", password: KEY },
};
