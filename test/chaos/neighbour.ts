import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type App, compile } from "@configc/compiler";
import { PERIOD } from "./app.ts";

/** Milliseconds for each answer while it is slow: longer than a cycle of the others takes, shorter than anybody waits. */
const SLOW = 5_000;

/** The service of another app beside: it never answers, or takes long for each answer. Its app takes places, and fails; nothing of the others may be lost by that. */
export class Neighbour {
  readonly #server: Server;
  mood: "dead" | "slow" = "dead";
  /** Requests that it got. */
  readonly asked = { dead: 0, slow: 0 };

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<Neighbour> {
    const server = createServer();
    const neighbour = new Neighbour(server);
    server.on("request", (_request, response) => {
      neighbour.asked[neighbour.mood]++;
      if (neighbour.mood === "dead") return;
      setTimeout(
        () => void response.setHeader("content-type", "application/json").end('{"items": []}'),
        SLOW,
      );
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return neighbour;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Asks its service, and finds nothing. */
export function neighbourApp(origin: string): App {
  return compile(
    JSON.stringify({
      $version: "2",
      api: { base_url: origin },
      data_intake: [
        {
          type: "polling",
          name: "items",
          request: {
            "!pipe": [{ "!http": { path: "/" } }, { "!jq": "{results: .items, iterate: false}" }],
          },
        },
      ],
      workflows: [
        {
          name: "import",
          label: "Import",
          type: "generic",
          data_intake: "items",
          setup: { schedule: { label: "S", description: "D", import_options: [], frequency: PERIOD } },
          data_pipeline: { source: { "!jq": "." }, target: { "!resource": "PlatformContact" } },
        },
      ],
    }),
  ).app;
}
