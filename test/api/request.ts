import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";

/** A request as it arrived. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The body as JSON; undefined if it is none. */
  readonly json: unknown;
  /** The connection, for answers that aren't HTTP. */
  readonly socket: IncomingMessage["socket"];
}

/** JSON, or nothing. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

export async function readRequest(incoming: IncomingMessage): Promise<Exchange> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  const { pathname, searchParams } = new URL(incoming.url ?? "/", "http://loopback");
  return {
    method: incoming.method ?? "",
    path: pathname,
    query: searchParams,
    headers: incoming.headers,
    body,
    json: jsonOf(body),
    socket: incoming.socket,
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function send(response: ServerResponse, { status = 200, headers = {}, json }: Answer): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, {
    ...(json === undefined ? {} : { "content-type": "application/json" }),
    ...headers,
  });
  response.end(json === undefined ? undefined : JSON.stringify(json));
}
