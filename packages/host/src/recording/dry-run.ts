import type { Http, HttpRequest } from "@configc/runtime";

/**
 * Sends nothing: each request is shown, and answered by an empty object, so that a run shows as many of its requests as can be
 * made without real answers.
 */
export function dryRunHttp(show: (request: HttpRequest) => void): Http {
  return {
    async request(request) {
      request.signal.throwIfAborted();
      show(request);
      return {
        status: 200,
        headers: { "content-type": "application/json" },
        body: new TextEncoder().encode("{}"),
      };
    },
  };
}
