import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A request that the service was sent. */
export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

/** A service on this machine that keeps what it is sent. */
export interface Service {
  readonly url: string;
  readonly sent: SentRequest[];
  close(): Promise<void>;
}

/** @param answer by method and path; what it has no answer for is answered with 404 */
export async function startService(answer: (request: SentRequest) => unknown): Promise<Service> {
  const sent: SentRequest[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const text = Buffer.concat(chunks).toString();
      const each = {
        method: request.method ?? "",
        url: request.url ?? "",
        body: text === "" ? null : JSON.parse(text),
      };
      sent.push(each);
      const body = await answer(each);
      response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(typeof body === "string" ? body : JSON.stringify(body ?? { error: "not found" }));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Writes a config into a folder of its own. Each command stands on a line. @returns its path */
export function configFile(source: readonly object[], more: object = {}): string {
  const path = join(mkdtempSync(join(tmpdir(), "configc-debug-")), "orders.app.json");
  const pipeline = { source: { "!pipe": source } };
  const config = {
    $version: "2",
    api: { base_url: "https://orders.example" },
    workflows: [{ name: "orders", label: "Orders", type: "generic", setup: {}, data_pipeline: pipeline }],
    ...more,
  };
  writeFileSync(path, JSON.stringify(config, undefined, 2));
  return path;
}

/** The line of a text, from 1, and the column at which a part of it begins. */
export function placeOf(text: string, part: string): { readonly line: number; readonly column: number } {
  const at = text.indexOf(part);
  if (at < 0) throw new Error(`${part} isn't there`);
  const before = text.slice(0, at).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}
