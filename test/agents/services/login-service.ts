import { OAuthServer } from "../../api/oauth.ts";
import { bearerOf, loginRoute, tokenRoute } from "../../api/oauth-routes.ts";
import { oneOf } from "../../api/shape.ts";
import type { Routes, ThirdParty } from "../../api/third-party.ts";
import { type ListOptions, ListService } from "./list-service.ts";

export type LoginOptions = Omit<ListOptions, "access">;

/** Seconds. */
const LIFETIME = 60;
const SCOPES = { "people.read": "Read people", offline: "A refresh token is given, too" };

/** A list behind OAuth 2: tokens that live for a minute, and refresh tokens that can be used once, at an address of their own. */
export class LoginService implements ThirdParty {
  readonly once = /^never$/;
  readonly guard;
  readonly hosts: Readonly<Record<string, Routes>>;
  readonly list: ListService;
  readonly oauth: OAuthServer;
  readonly #login: string;

  constructor(options: LoginOptions, now: () => number) {
    this.oauth = new OAuthServer(now, {
      lifetime: LIFETIME,
      client: "parameters",
      scopes: Object.keys(SCOPES),
    });
    this.guard = bearerOf(this.oauth);
    this.#login = `login.${options.host.replace(/^api\./, "")}`;
    this.list = new ListService({ ...options, access: this.#access }, now);
    const token = tokenRoute(this.oauth);
    this.hosts = {
      ...this.list.hosts,
      [this.#login]: {
        "GET /oauth/authorize": loginRoute(this.oauth),
        "POST /oauth/token": { ...token, form: { ...token.form, grant_type: oneOf("authorization_code") } },
        "POST /oauth/renew": {
          ...token,
          form: { ...token.form, grant_type: oneOf("refresh_token") },
          answer: (call) => this.oauth.answer({ ...call, path: "/oauth/token" }),
        },
      },
    };
  }

  get document(): object {
    return this.list.document;
  }

  get #access() {
    const url = (path: string) => `https://${this.#login}/oauth/${path}`;
    return {
      scheme: {
        type: "oauth2",
        description:
          "A client says who it is by the parameters `client_id` and `client_secret` of each token request; HTTP Basic is refused. Access tokens live for a minute, and a refresh token can be used once.",
        flows: {
          authorizationCode: {
            authorizationUrl: url("authorize"),
            tokenUrl: url("token"),
            refreshUrl: url("renew"),
            scopes: SCOPES,
          },
        },
      },
      guard: this.guard,
      credential: { token: "" },
    };
  }
}
