import type { App } from "@configc/compiler";
import { escapedPattern } from "@configc/jq/internal";

/** Whether a URL is the service's: below the API's origin, or one that the app logs in at. Undefined: the app has no API of its own. */
export function ownUrls({ api, auth }: App): ((url: string) => boolean) | undefined {
  const isApi = apiUrls(api);
  if (isApi === undefined) return undefined;
  const others = new Set(
    (JSON.stringify(auth).match(/https?:\/\/[^"/]+/g) ?? []).map((url) =>
      URL.canParse(url) ? new URL(url).origin : "",
    ),
  );
  return (url) => isApi(url) || others.has(new URL(url).origin);
}

/** Whether a URL is below the origin of the API. */
export function apiUrls({ baseUrl }: App["api"]): ((url: string) => boolean) | undefined {
  const base = baseUrl?.map((part) => (typeof part === "string" ? part : HOLE)).join("") ?? "";
  const origin = /^https?:\/\/[^/]*/.exec(base)?.[0];
  if (origin === undefined) return undefined;
  const pattern = new RegExp(`^${origin.split(HOLE).map(escapedPattern).join("[^/]*")}(?:[/?#]|$)`);
  return (url) => pattern.test(url);
}

/** Stands for what an expansion gives. */
const HOLE = "\u0000";
