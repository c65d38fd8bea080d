import { get, textAt } from "../config.ts";
import { missing } from "../edits.ts";
import { type Kind, replacing } from "../kind.ts";

/** What each type requires (D27, D28), in the entry itself or in its `configuration`. */
const required: Readonly<Record<string, readonly string[]>> = {
  oauth2: ["authorization_base_url", "client_id", "client_secret", "token_url"],
  basic: ["verify_url"],
  token: ["header_key", "verify_url"],
  session: ["verify_url"],
};

const fields: Readonly<Record<string, readonly string[]>> = {
  basic: ["username", "password"],
  token: ["token"],
  session: ["username", "password"],
};

const urls = ["authorization_base_url", "token_url", "refresh_url", "verify_url"];

function urlKind(
  name: string,
  expects: Kind["expects"],
  what: string,
  change: (url: string) => readonly string[],
): Kind {
  return replacing(name, expects, what, function* (config) {
    for (const member of urls) {
      for (const node of config.strings(`auth.*.configuration.${member}`))
        for (const text of change(node.value)) yield [node, JSON.stringify(text)];
    }
  });
}

export const authKinds: readonly Kind[] = [
  {
    name: "auth/missing-type",
    what: "An auth entry without `type`.",
    expects: "error",
    *mutants(config) {
      for (const entry of config.objects("auth.*")) yield* missing(config, entry, "type");
    },
  },
  {
    name: "auth/missing-configuration",
    what: "An oauth2 entry without `configuration`.",
    expects: "error",
    *mutants(config) {
      for (const entry of config.objects("auth.*"))
        if (textAt(entry, "type") === "oauth2") yield* missing(config, entry, "configuration");
    },
  },
  {
    name: "auth/missing-setting",
    what: "A setting that the type requires: its owner is the configuration, or the entry, where it may stand too.",
    expects: "error",
    *mutants(config) {
      for (const entry of config.objects("auth.*")) {
        const configuration = get(entry, "configuration");
        const own = entry.parent?.kind === "member" ? [entry.parent.key] : [];
        if (configuration?.kind !== "object") continue;
        for (const name of required[textAt(entry, "type") ?? ""] ?? []) {
          for (const mutant of missing(config, configuration, name))
            yield { ...mutant, at: [...mutant.at, ...own] };
        }
      }
    },
  },
  {
    name: "auth/missing-field",
    what: "A field that the customer must fill in for the type (D27).",
    expects: "error",
    *mutants(config) {
      for (const entry of config.objects("auth.*")) {
        const defined = get(entry, "defined_fields");
        const names = fields[textAt(entry, "type") ?? ""] ?? [];
        if (defined?.kind !== "object" || names.length === 0) continue;
        yield* missing(config, entry, "defined_fields");
        for (const name of names) yield* missing(config, defined, name);
      }
    },
  },
  {
    name: "auth/missing-scopes",
    what: "No `scopes` (D28).",
    expects: "hint",
    *mutants(config) {
      for (const node of config.objects("auth.*.configuration")) yield* missing(config, node, "scopes");
    },
  },
  replacing(
    "auth/plain-secret",
    "warning",
    "The real client secret in the source (D29).",
    function* (config) {
      for (const node of config.strings("auth.*.configuration.client_secret"))
        yield [node, '"8f14e45fceea167a5a36dedd4bea2543"'];
    },
  ),
  replacing("auth/scopes-in-one-text", "error", "All scopes in one string.", function* (config) {
    for (const node of config.select("auth.*.configuration.scopes")) yield [node, '"read write"'];
  }),
  urlKind("auth/relative-url", "error", "A URL that isn't absolute (D28).", (url) => {
    const rest = url.replace(/^https:\/\//, "");
    return [rest, `/${rest}`, `https//${rest}`, `htps://${rest}`, ""];
  }),
  urlKind("auth/insecure-url", "warning", "`http:` (D28).", (url) => [url.replace(/^https:/, "http:")]),
  urlKind("auth/userinfo", "warning", "Credentials in a URL (D29).", (url) => [
    url.replace("https://", "https://app:hunter2secret@"),
  ]),
];
