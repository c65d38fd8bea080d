import type { App } from "@configc/compiler";
import type { JsonObject } from "@configc/jq";
import type { Exchange } from "../exchange.ts";
import { knownSecrets, sentIn } from "./known-secrets.ts";
import type { Law } from "./law.ts";

/** What is looked at: all that was sent, and what nobody else may see. */
interface SentAndSecret {
  readonly exchanges: readonly Exchange[];
  readonly secrets: readonly string[];
}

/** The runtime sends credentials to the API alone (D18); a secret that an app reads in an answer or a form it can send anywhere. */
export const secretsStay: Law<SentAndSecret, { readonly app: App; readonly form: JsonObject }> = {
  name: "secrets-stay",
  summary: "No secret of a customer or of a webhook is sent to anybody but the service.",
  broken({ exchanges, secrets }, { app, form }) {
    const isOwn = ownUrls(app);
    if (isOwn === undefined) return undefined;
    const others = exchanges.filter(({ url }) => !isOwn(url));
    if (others.length === 0) return undefined;
    const all = [...secrets, ...knownSecrets({ exchanges, form }, isOwn)];
    for (const exchange of others) {
      const sent = sentIn(exchange);
      if (!all.some((secret) => sent.includes(secret))) continue;
      return { message: `A secret was sent to ${new URL(exchange.url).origin}.`, records: [], cycles: [] };
    }
    return undefined;
  },
};

/** Whether a URL is the service's: below the API's origin, or one that the app logs in at. */
function ownUrls({ api, auth }: App): ((url: string) => boolean) | undefined {
  if (api.baseUrl === undefined) return undefined;
  const base = api.baseUrl.map((part) => (typeof part === "string" ? part : HOLE)).join("");
  const origin = /^https?:\/\/[^/]*/.exec(base)?.[0];
  if (origin === undefined) return undefined;
  const pattern = new RegExp(`^${origin.split(HOLE).map(escaped).join("[^/]*")}(?:[/?#]|$)`);
  const others = new Set(
    (JSON.stringify(auth).match(/https?:\/\/[^"/]+/g) ?? []).map((url) =>
      URL.canParse(url) ? new URL(url).origin : "",
    ),
  );
  return (url) => pattern.test(url) || others.has(new URL(url).origin);
}

/** Stands for what an expansion gives. */
const HOLE = "\u0000";

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
