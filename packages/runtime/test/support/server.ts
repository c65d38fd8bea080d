import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface Received {
  readonly method: string;
  /** Path and query as they arrived. */
  readonly url: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
}

/** What a handler answers: JSON, or with `raw` anything else; undefined is an empty 204. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly raw?: string | Buffer;
  /** Takes over the response. */
  readonly by?: (response: ServerResponse) => void;
}

export interface TestServer {
  readonly origin: string;
  readonly received: Received[];
}

/** A real HTTP server on loopback, closed when the test ends. */
export async function serve(
  handle: (request: Received, count: number) => Answer | undefined | Promise<Answer | undefined>,
): Promise<TestServer> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const at = performance.now();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const url = new URL(request.url ?? "/", "http://loopback");
    const got: Received = {
      method: request.method ?? "",
      url: request.url ?? "",
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
      at,
    };
    received.push(got);
    const answer = await handle(got, received.length);
    if (answer?.by !== undefined) return answer.by(response);
    const { status, headers = {}, json, raw } = answer ?? {};
    const body = raw ?? (json === undefined ? "" : JSON.stringify(json));
    response.writeHead(status ?? (answer === undefined ? 204 : 200), {
      ...(json === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}
