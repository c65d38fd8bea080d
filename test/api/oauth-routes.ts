import type { OAuthServer } from "./oauth.ts";
import { anything, matching, oneOf, optional, text } from "./shape.ts";
import { anyone, type Guard, type Route } from "./third-party.ts";

/** The page that customers are sent to. */
export function loginRoute(oauth: OAuthServer): Route {
  return {
    guard: anyone,
    query: {
      response_type: oneOf("code"),
      client_id: text,
      redirect_uri: text,
      scope: text,
      state: text,
      code_challenge: matching(/^[\w-]{43}$/),
      code_challenge_method: oneOf("S256"),
    },
    answer: (call) => oauth.answer(call),
  };
}

/** Where codes and refresh tokens are exchanged. */
export function tokenRoute(oauth: OAuthServer): Route {
  return {
    guard: anyone,
    form: {
      grant_type: oneOf("authorization_code", "refresh_token"),
      code: optional(text),
      redirect_uri: optional(text),
      code_verifier: optional(text),
      refresh_token: optional(text),
      client_id: optional(text),
      client_secret: optional(text),
      scope: optional(anything),
    },
    answer: (call) => oauth.answer(call),
  };
}

export function bearerOf(oauth: OAuthServer): Guard {
  return ({ headers }) => oauth.accountOf(headers.authorization);
}
