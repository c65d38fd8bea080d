import type { Member, Section, VariantValue } from "../schema.ts";
import { boolean, list, section, text, url } from "../values.ts";

const type: Member = {
  value: text({
    oneOf: ["oauth2", "basic", "token", "session"],
    ext: ["basic", "token", "session"],
    openEnded: true,
  }),
  required: true,
  doc: "How the app authorises: `oauth2`, or one of the extended types `basic`, `token` and `session`.",
  example: "oauth2",
};

/** A field that the customer fills in when connecting (D27). */
const definedField: Section = {
  name: "defined field",
  title: "A field of `defined_fields`",
  doc: "Something the customer types when connecting.",
  source: "D27",
  members: {
    label: { value: text(), tier: "ext", doc: "Label of the field.", example: "Subdomain" },
    placeholder: {
      value: text(),
      tier: "ext",
      doc: "Shown before a value is entered.",
      example: "your-company",
    },
    help_text: {
      value: text({ format: "markdown" }),
      tier: "ext",
      doc: "Guidance under the field.",
      example: "The first part of your address.",
    },
  },
};

const fieldDocs: Readonly<Record<string, string>> = {
  subdomain: "The customer's subdomain; readable everywhere as `${subdomain}`.",
  username: "The user name sent with every request.",
  password: "The password sent with every request.",
  token: "The token sent in `header_key`.",
};

function definedFields(authType: string, required: readonly string[], open: boolean): Section {
  const members: Record<string, Member> = {};
  for (const name of [...required, "subdomain"]) {
    members[name] = {
      value: section(() => definedField),
      tier: "ext",
      required: required.includes(name),
      doc: fieldDocs[name]!,
      example: { label: name },
    };
  }
  return {
    name: `${authType} defined fields`,
    title: `\`defined_fields\` of ${authType}`,
    doc: "What the customer types when connecting.",
    source: "D27",
    ...(open ? { open } : {}),
    members,
  };
}

function definedFieldsMember(authType: string, required: readonly string[], open = false): Member {
  const fields = definedFields(authType, required, open);
  return {
    value: section(() => fields),
    tier: "ext",
    required: required.length > 0,
    source: "D27",
    doc: "Fields that the customer fills in when connecting.",
    example: { subdomain: { label: "Subdomain" } },
  };
}

export const oauth2Configuration: Section = {
  name: "oauth2 configuration",
  title: "`configuration` of oauth2",
  doc: "The OAuth 2 endpoints and client.",
  source: "spec: auth entry (oauth2)",
  members: {
    authorization_base_url: {
      value: url(),
      required: true,
      forLogin: true,
      doc: "Where the customer is sent to grant access.",
      example: "https://auth.example.com/authorize",
      source: "D28",
    },
    client_id: {
      value: text(),
      required: true,
      forLogin: true,
      doc: "Your app's id with the service; a placeholder such as `<CLIENT_ID>` in the source.",
      example: "<CLIENT_ID>",
      source: "D28",
    },
    client_secret: {
      value: text({ format: "secret" }),
      required: true,
      forLogin: true,
      doc: "Your app's secret; never the real one in the source: the platform fills in the placeholder.",
      example: "<CLIENT_SECRET>",
      source: "D28",
    },
    scopes: {
      value: list(text({ nonEmpty: true })),
      required: true,
      tolerated: "hint",
      doc: "The permissions to ask for.",
      example: ["contacts:read"],
      source: "D28",
    },
    token_url: {
      value: url(),
      required: true,
      forLogin: true,
      doc: "Where a code is exchanged for a token.",
      example: "https://auth.example.com/token",
      source: "D28",
    },
    refresh_url: {
      value: url(),
      forLogin: true,
      doc: "Where a token is refreshed; by default `token_url`.",
      example: "https://auth.example.com/token",
      source: "D28",
    },
    token_request_body: {
      value: { kind: "either", of: [{ kind: "data", must: "object" }, text()] },
      tier: "ext",
      doc: "More members for the body of token requests.",
      example: { audience: "api.example.com" },
      source: "D28",
    },
    include_client_id: {
      value: boolean,
      default: false,
      tier: "ext",
      doc: "Sends the client's id and secret as parameters of the token request instead of by HTTP Basic.",
      example: true,
      source: "D28",
    },
  },
};

const oauth2: Section = {
  name: "oauth2 auth",
  title: "An auth entry of type `oauth2`",
  doc: "The OAuth 2 authorization-code flow.",
  source: "spec: auth entry (oauth2)",
  members: {
    type,
    configuration: {
      value: section(() => oauth2Configuration),
      required: true,
      doc: "The OAuth 2 endpoints and client.",
      example: { token_url: "https://auth.example.com/token" },
    },
    defined_fields: definedFieldsMember("oauth2", []),
  },
};

const verifyUrl: Member = {
  value: url(),
  tier: "ext",
  source: "D27",
  doc: "A URL that answers 2xx when the credentials are right.",
  example: "https://api.example.com/me",
};

const settings = {
  basic: { verify_url: verifyUrl },
  token: {
    header_key: {
      value: text({ nonEmpty: true }),
      tier: "ext",
      source: "D27",
      doc: "The header that carries the token.",
      example: "X-Api-Key",
    },
    verify_url: verifyUrl,
    token_prefix: {
      value: text(),
      tier: "ext",
      source: "D27",
      doc: "Text before the token in the header, for example `Bearer`.",
      example: "Bearer",
    },
  },
  session: {
    verify_url: verifyUrl,
    request_body: {
      value: { kind: "data", must: "object" },
      tier: "ext",
      source: "D27",
      doc: "Body of the login request; its answer carries `access_token` and `expires_in`.",
      example: { grant_type: "password" },
    },
  },
} satisfies Record<string, Record<string, Member>>;

/**
 * D27 names the settings of the extended types without saying whether they stand in `configuration`, as for oauth2, or
 * beside `type`. Both are accepted (E1 in `docs/decisions.md`); `auth/missing-setting` finds one that stands in neither.
 */
function extendedAuth(name: keyof typeof settings, doc: string, fields: readonly string[]): Section {
  const members: Record<string, Member> = settings[name];
  const configuration: Section = {
    name: `${name} configuration`,
    title: `\`configuration\` of ${name}`,
    doc: `The settings of ${name} authorisation.`,
    source: "D27",
    members,
  };
  return {
    name: `${name} auth`,
    title: `An auth entry of type \`${name}\``,
    doc,
    source: "D27",
    members: {
      type,
      configuration: {
        value: section(() => configuration),
        tier: "ext",
        doc: `The settings of ${name} authorisation.`,
        example: { verify_url: "https://api.example.com/me" },
      },
      ...members,
      defined_fields: definedFieldsMember(name, fields),
    },
  };
}

const basic = extendedAuth("basic", "User name and password with every request.", ["username", "password"]);
const token = extendedAuth("token", "A token in a header of every request.", ["token"]);
const session = extendedAuth("session", "A login that gives a token for a while.", ["username", "password"]);

/** What must stand in `configuration` or beside `type` of the extended types (D27). */
export const requiredAuthSettings: Readonly<Record<string, readonly string[]>> = {
  basic: ["verify_url"],
  token: ["header_key", "verify_url"],
  session: ["verify_url"],
};

const unknownAuth: Section = {
  name: "auth entry",
  title: "An auth entry",
  doc: "A way to authorise with the service.",
  source: "D27",
  open: true,
  members: { type, defined_fields: definedFieldsMember("another type", [], true) },
};

export const authEntry: VariantValue = {
  kind: "variant",
  by: "type",
  openEnded: true,
  variants: { oauth2: () => oauth2, basic: () => basic, token: () => token, session: () => session },
  otherwise: () => unknownAuth,
};
