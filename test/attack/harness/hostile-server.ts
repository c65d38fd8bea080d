import type { AddressInfo, Server, Socket } from "node:net";
import { createServer } from "node:net";
import { type Move, play } from "./moves.ts";

/** A request as it arrived: its line, and its headers by lower-case name. */
export interface Head {
  readonly line: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** What is done with the n-th request, from 0. */
export type Script = (head: Head, number: number) => readonly Move[];

/** A server on loopback that answers each request with bytes and pauses of a script, valid HTTP or not. */
export class HostileServer {
  readonly heads: Head[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(script: Script) {
    this.#server = createServer({ allowHalfOpen: true }, (socket) => {
      this.#sockets.add(socket);
      // A client that has enough cuts the connection: that is its right.
      socket.on("error", () => undefined);
      socket.on("close", () => this.#sockets.delete(socket));
      void headOf(socket).then(async (head) => {
        if (head === undefined) return void socket.destroy();
        this.heads.push(head);
        await play(socket, script(head, this.heads.length - 1));
      });
    });
  }

  static async start(script: Script): Promise<HostileServer> {
    const server = new HostileServer(script);
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/** A whole answer of HTTP that is in order; the connection ends with it. */
export function answer(
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = { "content-type": "application/json" },
  status = "200 OK",
): readonly Move[] {
  const bytes = Buffer.from(body);
  return [{ send: head({ ...headers, "content-length": `${bytes.length}` }, status) }, { send: bytes }];
}

/** The same in chunks of `size` bytes. */
export function chunked(
  body: string | Uint8Array,
  size: number,
  headers: Readonly<Record<string, string>> = { "content-type": "application/json" },
): readonly Move[] {
  return [{ send: head({ ...headers, "transfer-encoding": "chunked" }) }, { chunked: body, size }];
}

/** The text of a head, with `connection: close`. */
export function head(headers: Readonly<Record<string, string>>, status = "200 OK"): string {
  const lines = Object.entries({ connection: "close", ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [`HTTP/1.1 ${status}`, ...lines, "", ""].join("\r\n");
}

/** The request that a connection begins with; undefined if it ends before. */
async function headOf(socket: Socket): Promise<Head | undefined> {
  let text = "";
  return await new Promise((resolve) => {
    socket.on("close", () => resolve(undefined));
    socket.on("data", (bytes: Buffer) => {
      text += bytes.toString("latin1");
      const end = text.indexOf("\r\n\r\n");
      if (end < 0) return;
      const [line = "", ...lines] = text.slice(0, end).split("\r\n");
      const headers = new Map(
        lines.map((each): [string, string] => {
          const colon = each.indexOf(":");
          return [each.slice(0, colon).toLowerCase(), each.slice(colon + 1).trim()];
        }),
      );
      const body = text.slice(end + 4);
      if (body.length >= Number(headers.get("content-length") ?? 0)) resolve({ line, headers, body });
    });
  });
}
