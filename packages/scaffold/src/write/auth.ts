import type { ApiDescription, AuthScheme } from "../description.ts";
import type { ConfigObject, Told } from "../proposal.ts";

/** @param scopes those that the chosen requests need @param verify the URL of a request that only the authorised may send */
export function authEntry(
  { auth, title }: ApiDescription,
  scopes: readonly string[],
  verify: string,
): { readonly entry: ConfigObject; readonly told: Told } {
  const scheme = auth.find((each) => each.kind !== "query");
  if (scheme === undefined)
    return {
      entry: token(title, "Authorization", "Bearer", verify),
      told: {
        what: "authorisation",
        taken: "a token in the header `Authorization`",
        because:
          auth.length > 0
            ? "a key in the URL is all that is described, and configs can't send one there"
            : "nothing is told of it",
        isOpen: true,
      },
    };
  const words = wordsFor(scheme);
  const named = scheme.kind === "oauth2" ? scopesNamed(scheme, scopes) : [];
  const isUntold = scheme.kind === "oauth2" && named.length === 0 && scheme.scopes.length > 0;
  const taken = isUntold && scheme.scopes.length <= FEW ? scheme.scopes : named;
  const about = taken.length > 0 ? "so all of them are asked for" : "so none is asked for";
  return {
    entry: entryOf(scheme, title, taken, verify),
    told: {
      what: "authorisation",
      isOpen: (scheme.kind === "header" && scheme.from !== undefined) || isUntold,
      ...words,
      ...(isUntold ? { because: `${words.because}; no request says which scopes it needs, ${about}` } : {}),
    },
  };
}

/** So many scopes are asked for together where no request says which it needs. */
const FEW = 5;

type OAuth2 = Extract<AuthScheme, { kind: "oauth2" }>;

function scopesNamed(scheme: OAuth2, scopes: readonly string[]): readonly string[] {
  const known = scheme.scopes.length === 0 ? scopes : scopes.filter((scope) => scheme.scopes.includes(scope));
  return [...new Set(known)];
}

function entryOf(
  scheme: Exclude<AuthScheme, { kind: "query" }>,
  title: string,
  scopes: readonly string[],
  verify: string,
): ConfigObject {
  switch (scheme.kind) {
    case "oauth2":
      return {
        type: "oauth2",
        configuration: {
          authorization_base_url: scheme.authorizationUrl,
          token_url: scheme.tokenUrl,
          ...(scheme.refreshUrl === undefined ? {} : { refresh_url: scheme.refreshUrl }),
          client_id: "<CLIENT_ID>",
          client_secret: "<CLIENT_SECRET>",
          scopes,
        },
      };
    case "basic":
      return {
        type: "basic",
        verify_url: verify,
        defined_fields: {
          username: { label: "User name", placeholder: "", help_text: `Your user name or key of ${title}.` },
          password: { label: "Password", placeholder: "", help_text: `Your password or token of ${title}.` },
        },
      };
    case "header":
      return token(title, scheme.name, scheme.prefix, verify);
  }
}

function token(title: string, header: string, prefix: string, verify: string): ConfigObject {
  return {
    type: "token",
    header_key: header,
    ...(prefix === "" ? {} : { token_prefix: prefix }),
    verify_url: verify,
    defined_fields: {
      token: { label: "API token", placeholder: "", help_text: `You find it in the settings of ${title}.` },
    },
  };
}

function wordsFor(scheme: Exclude<AuthScheme, { kind: "query" }>): Pick<Told, "taken" | "because"> {
  switch (scheme.kind) {
    case "oauth2":
      return { taken: "OAuth 2", because: `the security scheme with ${scheme.authorizationUrl}` };
    case "basic":
      return { taken: "user name and password", because: "HTTP Basic is described" };
    case "header":
      return {
        taken: `a token in the header \`${scheme.name}\``,
        because:
          scheme.from === "another grant"
            ? "OAuth 2 is described, with no page where customers log in; its tokens are sent this way, and expire: look for keys that last"
            : scheme.from === "a parameter"
              ? "operations take it as a parameter"
              : "this is how requests are authorised",
      };
  }
}
