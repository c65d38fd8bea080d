import { type IncomingMessage, request as send } from "node:http";
import { type Http, HttpFailure, type HttpResponse } from "@configc/runtime";

/** The smallest real transport: one exchange by Node's own client, no redirects. */
export const nodeHttp: Http = {
  request({ method, url, headers, body, signal, timeout, maxBytes }) {
    return new Promise<HttpResponse>((resolve, reject) => {
      const limit = AbortSignal.timeout(timeout);
      const request = send(
        url,
        { method, headers, agent: false, signal: AbortSignal.any([signal, limit]) },
        (response) => read(response, maxBytes, request).then(resolve, reject),
      );
      request.on("error", (error) => {
        if (signal.aborted) reject(signal.reason);
        else if (limit.aborted) reject(new HttpFailure("timeout", "no answer in time", error));
        else reject(new HttpFailure("network", error.message, error));
      });
      request.end(body);
    });
  },
};

async function read(
  response: IncomingMessage,
  maxBytes: number,
  request: { destroy(): void },
): Promise<HttpResponse> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        request.destroy();
        throw new HttpFailure("too-large", "the body is too large");
      }
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof HttpFailure) throw error;
    throw new HttpFailure("network", "the answer broke off", error);
  }
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(", ")]),
    ),
    body: Buffer.concat(chunks),
  };
}
