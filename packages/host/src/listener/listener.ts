import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { after } from "./after.ts";
import { targetOf } from "./target.ts";

/** Milliseconds for a request's head, for all of it, and for the next one on the same connection. */
const TIMES = { headersTimeout: 20_000, requestTimeout: 60_000, keepAliveTimeout: 5_000 };

/** Milliseconds for which a connection stays open that was told what is wrong with it. */
const LINGER = 1_000;

/** What a `Listener` takes. */
export interface ListenerOptions {
  /**
   * Answers a request.
   *
   * @param url what it asks for, on an origin that means nothing
   */
  readonly answer: (request: IncomingMessage, response: ServerResponse, url: URL) => void | Promise<void>;
  /** Is told what `answer` threw, and what happened to the listener itself. */
  readonly failed: (error: unknown) => void;
}

/**
 * A server for HTTP that nothing a stranger sends can end (E26): what can't be read is refused in plain text, what `answer` throws is 500.
 * All of ours are made here.
 */
export class Listener {
  readonly #server: Server;
  readonly #options: ListenerOptions;
  readonly #sockets = new Set<Duplex>();
  /** Requests whose answer isn't over, by connection. */
  readonly #open = new Map<Duplex, Set<ServerResponse>>();
  #isClosing = false;

  constructor(options: ListenerOptions) {
    this.#options = options;
    const server = createServer(TIMES, (request, response) => void this.#take(request, response));
    server.on("connection", (socket: Duplex) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
    server.on("clientError", (error, socket) => this.#refuse(error, socket));
    // Nobody's tunnel.
    server.on("connect", (_, socket: Duplex) => end(socket, "405 Method Not Allowed"));
    this.#server = server;
  }

  /** @throws Error of the system if it can't listen there */
  async listen(port: number, host?: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host, () => {
        this.#server.off("error", reject);
        // Without places for further connections, for example: those that are there go on.
        this.#server.on("error", this.#options.failed);
        resolve();
      });
    });
  }

  /** Where it listens; 0: nowhere. */
  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? 0;
  }

  /** How many are open, idle ones too. */
  get connections(): number {
    return this.#sockets.size;
  }

  /**
   * Takes no further connection, closes those that are idle, and cuts what is open at the deadline: requests that don't come to their end,
   * answers that nobody reads.
   *
   * @param grace milliseconds
   */
  async close(grace: number): Promise<void> {
    this.#isClosing = true;
    for (const responses of this.#open.values())
      for (const response of responses) response.shouldKeepAlive = false;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const late = after(grace);
    await Promise.race([closed, late.passed]);
    late.end();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#watch(request.socket, response);
    const url = targetOf(request.url);
    if (url === undefined) return say(response, 400, "The address can't be read.");
    try {
      await this.#options.answer(request, response, url);
    } catch (error) {
      this.#options.failed(error);
      if (response.headersSent) response.destroy();
      else say(response, 500, "That went wrong.");
    }
  }

  #watch(socket: Duplex, response: ServerResponse): void {
    if (this.#isClosing) response.shouldKeepAlive = false;
    // One that is written to when it is over tells so, and nobody else would listen.
    response.on("error", this.#options.failed);
    const open = this.#open.get(socket) ?? new Set();
    this.#open.set(socket, open.add(response));
    response.once("close", () => {
      open.delete(response);
      if (open.size === 0) this.#open.delete(socket);
      if (this.#isClosing) setImmediate(() => this.#server.closeIdleConnections());
    });
  }

  /** What isn't HTTP. An answer that is under way isn't written into. */
  #refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
    if (this.#open.has(socket) || !socket.writable) socket.destroy();
    else end(socket, reasons[error.code ?? ""] ?? "400 Bad Request");
  }
}

const reasons: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** Ends a connection with an answer that no request of Node's stands for. */
function end(socket: Duplex, status: string): void {
  if (socket.writableEnded) return;
  // It may be cut at any time from here on.
  socket.on("error", () => undefined);
  const text = `${status.slice(4)}\n`;
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`,
  );
  const timer = setTimeout(() => socket.destroy(), LINGER);
  socket.once("close", () => clearTimeout(timer));
}

function say(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
    connection: "close",
  });
  response.end(`${text}\n`);
}
