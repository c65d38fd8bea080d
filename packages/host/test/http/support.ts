import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { nodeHttp } from "@configc/host";
import { HttpFailure, type HttpRequest, type HttpResponse } from "@configc/runtime";
import { onTestFinished } from "vitest";

/** A transport that may reach loopback. Files share it, so none closes it: its connections end with the servers. */
export const open = nodeHttp({ allowPrivateNetwork: true });

/** A real server on loopback for one test. @returns its origin */
export async function serve(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export function get(url: string, more: Partial<HttpRequest> = {}): HttpRequest {
  return {
    method: "GET",
    url,
    headers: {},
    signal: new AbortController().signal,
    timeout: 60_000,
    maxBytes: 10_000,
    ...more,
  };
}

/** One exchange with a server that answers so. */
export async function exchangeWith(
  handle: RequestListener,
  more: Partial<HttpRequest> = {},
): Promise<HttpResponse> {
  return await open.request(get(await serve(handle), more));
}

export async function failureOf(promise: Promise<unknown>): Promise<HttpFailure> {
  const error = await promise.then(
    (value) => new Error(`There was an answer: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof HttpFailure)) throw error;
  return error;
}
