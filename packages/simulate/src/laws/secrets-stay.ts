import type { App } from "@configc/compiler";
import type { JsonObject } from "@configc/jq";
import type { Exchange } from "../exchange.ts";
import { knownSecrets, sentIn } from "./known-secrets.ts";
import type { Law } from "./law.ts";
import { ownUrls } from "./own-urls.ts";

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
