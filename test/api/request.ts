import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";

/** A request as it arrived. */
export interface Exchange {
  readonly method: string;
  /** The server's name, as the client wrote it. */
  readonly host: string;
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

/** The text that an answer is sent as. */
export function bodyOf({ json }: Answer): string {
  return json === undefined ? "" : JSON.stringify(json);
}

export async function readRequest(incoming: IncomingMessage): Promise<Exchange> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  const { pathname, searchParams } = new URL(incoming.url ?? "/", "http://loopback");
  return {
    method: incoming.method ?? "",
    host: incoming.headers.host ?? "",
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

export function send(response: ServerResponse, answer: Answer): void {
  if (response.headersSent || response.destroyed) return;
  const { status = 200, headers = {}, json } = answer;
  response.writeHead(status, {
    ...(json === undefined ? {} : { "content-type": "application/json" }),
    ...headers,
  });
  response.end(bodyOf(answer));
}
