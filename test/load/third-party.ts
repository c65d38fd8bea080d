import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What became of one installation's items. */
export interface Seen {
  /** When its items were fetched; by `performance.now`. */
  fetched: number;
  /** When its last one arrived. */
  last: number;
  items: number;
}

/** A simulated third party: it has items for every installation, takes them back, and needs its time for each answer. */
export interface ThirdParty {
  readonly url: string;
  /** By installation. */
  readonly seen: ReadonlyMap<string, Seen>;
  /** Items that arrived more than once. */
  doubles(): number;
  arrived(): number;
  close(): void;
}

export async function thirdParty(items: number, milliseconds: number): Promise<ThirdParty> {
  const seen = new Map<string, Seen>();
  const arrived = new Set<string>();
  let doubles = 0;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const now = performance.now();
    const answer = (value: object): void => {
      setTimeout(() => {
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
      }, milliseconds);
    };
    const [, kind, owner = ""] = (request.url ?? "").split("/");
    if (kind === "items") {
      seen.set(owner, { fetched: now, last: now, items: 0 });
      return answer({
        items: Array.from({ length: items }, (_, id) => ({
          id,
          owner,
          text: `item ${id} of ${owner}`.padEnd(200),
        })),
      });
    }
    const item = JSON.parse(body) as { readonly id: number; readonly owner: string };
    const key = `${item.owner}/${item.id}`;
    const of = seen.get(item.owner);
    if (arrived.has(key)) doubles++;
    else if (of !== undefined) {
      arrived.add(key);
      of.items++;
      of.last = now;
    }
    answer({});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    doubles: () => doubles,
    arrived: () => arrived.size,
    close: () => void server.close(),
  };
}
