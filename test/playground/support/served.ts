import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildPlayground } from "../../../scripts/playground-build.mjs";
import { servePages } from "../../support/chromium.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/** The playground as it is built now, served on loopback. */
export async function servedPlayground(): ReturnType<typeof servePages> {
  const dist = mkdtempSync(join(tmpdir(), "playground-"));
  await buildPlayground({ root, dist });
  const files = readdirSync(dist).map((name) => [
    `/${name === "index.html" ? "" : name}`,
    { type: types[extname(name)] ?? "text/plain", body: readFileSync(join(dist, name), "utf8") },
  ]);
  rmSync(dist, { recursive: true });
  return servePages(Object.fromEntries(files));
}
