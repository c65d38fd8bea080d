import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A third party on loopback, for steps that are run. */
export class Api {
  readonly requests: {
    readonly method: string;
    readonly url: string;
    readonly authorization: string;
    readonly body: string;
  }[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param answer status and body, a web page as text; a promise that never settles keeps the request waiting */
  static async start(
    answer: (request: IncomingMessage) => Promise<readonly [number, unknown]> | readonly [number, unknown],
  ): Promise<Api> {
    const server = createServer(async (request, response) => {
      const body = await text(request);
      api.requests.push({
        method: request.method ?? "",
        url: request.url ?? "",
        authorization: request.headers.authorization ?? "",
        body,
      });
      const [status, given] = await answer(request);
      const isPage = typeof given === "string" && given.startsWith("<");
      response
        .writeHead(status, { "content-type": isPage ? "text/html" : "application/json" })
        .end(isPage ? given : JSON.stringify(given));
    });
    const api = new Api(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return api;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
