import type { App } from "@configc/compiler";

/**
 * A digest of a compiled config: SHA-256, in hex. Layout and comments don't count, and neither does where its requests go.
 */
export function digestOf(app: App): Promise<string> {
  let digest = known.get(app);
  if (digest === undefined) {
    digest = made(app);
    known.set(app, digest);
  }
  return digest;
}

const known = new WeakMap<App, Promise<string>>();

async function made({ source: _, ...app }: App): Promise<string> {
  const { baseUrl: __, ...api } = app.api;
  const text = JSON.stringify({ ...app, api }, (name, value: unknown) =>
    name === "span" && isSpan(value) ? undefined : value,
  );
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function isSpan(value: unknown): boolean {
  return typeof value === "object" && value !== null && "start" in value && "end" in value;
}
