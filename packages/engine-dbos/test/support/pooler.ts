import { connect, createServer, type Socket } from "node:net";
import { type Message, Messages, message, renamed, statementOf } from "./wire.ts";

export interface PoolerOptions {
  /** Of Postgres itself, without a password. */
  readonly url: string;
  /** Connections to it. */
  readonly size: number;
  /** Whether statements that a client prepared by name are known on each connection, as with PgBouncer's `max_prepared_statements`. */
  readonly prepares: boolean;
}

/**
 * A pooler in transaction mode: each transaction of a client goes to another connection than the one before, if there is another. What
 * a session keeps isn't taken back in between, as PgBouncer doesn't either.
 */
export class Pooler {
  readonly #options: PoolerOptions;
  readonly #server = createServer((socket) => void new Client(socket, this, this.#options.prepares));
  readonly #backends: Backend[] = [];
  readonly #waiting: ((backend: Backend) => void)[] = [];
  /** Transactions that were begun. */
  turns = 0;

  private constructor(options: PoolerOptions) {
    this.#options = options;
  }

  static async start(options: PoolerOptions): Promise<Pooler> {
    const pooler = new Pooler(options);
    for (let n = 0; n < options.size; n++) pooler.#backends.push(await Backend.open(options.url));
    await new Promise<void>((resolve) => pooler.#server.listen(0, "127.0.0.1", resolve));
    return pooler;
  }

  get url(): string {
    const address = this.#server.address();
    return Object.assign(new URL(this.#options.url), {
      port: String(typeof address === "object" ? address?.port : 0),
    }).href;
  }

  async take(): Promise<Backend> {
    this.turns++;
    return this.#backends.shift() ?? (await new Promise((resolve) => this.#waiting.push(resolve)));
  }

  /** The one that was used last comes last. */
  give(backend: Backend): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#backends.push(backend);
    else next(backend);
  }

  close(): void {
    this.#server.close();
    for (const { socket } of this.#backends) socket.destroy();
  }
}

/** A connection to Postgres. */
class Backend {
  readonly socket: Socket;
  /** What is prepared on it. */
  readonly known = new Set<string>();
  receive: (message: Message) => void = () => undefined;

  private constructor(socket: Socket) {
    this.socket = socket;
    const messages = new Messages();
    socket.on("data", (chunk: Buffer) => {
      for (const one of messages.read(chunk)) this.receive(one);
    });
    socket.on("error", () => undefined);
  }

  static async open(url: string): Promise<Backend> {
    const { hostname, port, pathname, username } = new URL(url);
    const socket = connect(Number(port), hostname).setNoDelay(true);
    const backend = new Backend(socket);
    const body = Buffer.from(`user\0${username}\0database\0${pathname.slice(1)}\0\0`);
    const head = Buffer.alloc(8);
    head.writeInt32BE(8 + body.length);
    head.writeInt32BE(196_608, 4);
    socket.write(Buffer.concat([head, body]));
    await new Promise<void>((resolve) => {
      backend.receive = ({ type }) => type === "Z" && resolve();
    });
    return backend;
  }
}

/** What a message is answered by: that a statement is prepared, bound or closed, or "ready". */
interface Expected {
  /** Of the message. */
  readonly type: string;
  readonly name: string;
  /** The pooler has asked for it, not the client. */
  readonly isOurs: boolean;
}

const ready: Expected = { type: "S", name: "", isOurs: false };

/** Types of the answers to those that prepare, bind and close. */
const acknowledgements: ReadonlySet<string> = new Set(["1", "2", "3"]);

let clients = 0;

class Client {
  readonly #socket: Socket;
  readonly #pooler: Pooler;
  readonly #prepares: boolean;
  readonly #id = ++clients;
  /** Statements by the client's names for them. */
  readonly #prepared = new Map<string, Message>();
  #backend: Backend | undefined;
  /** Something was sent since the last message that is answered by "ready". */
  #open = false;
  #expected: Expected[] = [];
  #line: Promise<void> = Promise.resolve();

  constructor(socket: Socket, pooler: Pooler, prepares: boolean) {
    this.#socket = socket.setNoDelay(true);
    this.#pooler = pooler;
    this.#prepares = prepares;
    const messages = new Messages(true);
    socket.on("data", (chunk: Buffer) => {
      for (const one of messages.read(chunk)) this.#line = this.#line.then(() => this.#send(one));
    });
    socket.on("error", () => undefined);
    socket.on("close", () => void this.#line.then(() => this.#leave()));
  }

  async #send(given: Message): Promise<void> {
    const { type } = given;
    if (type === "") {
      // Nobody is asked for a password.
      const welcome = [
        message("R", Buffer.alloc(4)),
        message("S", "client_encoding\0UTF8\0"),
        message("Z", "I"),
      ];
      for (const { bytes } of welcome) this.#socket.write(bytes);
      return;
    }
    if (type === "X") return this.#leave();
    this.#backend ??= await this.#begin();
    this.#open = type !== "Q" && type !== "S";
    const { socket } = this.#backend;
    for (const { bytes } of this.#prepares ? this.#translated(given, this.#backend) : [given])
      socket.write(bytes);
    if (!this.#open) this.#expected.push(ready);
  }

  async #begin(): Promise<Backend> {
    const backend = await this.#pooler.take();
    backend.receive = (one) => this.#receive(one, backend);
    return backend;
  }

  /** Statements have the client's number in their names, and are prepared where they aren't known. */
  #translated(given: Message, { known }: Backend): readonly Message[] {
    const { type } = given;
    const own = statementOf(given) ?? "";
    const name = own === "" ? "" : `${this.#id} ${own}`;
    const sent: Message[] = [];
    const send = (one: Message, isOurs: boolean): void => {
      if ("PBC".includes(one.type)) this.#expected.push({ type: one.type, name, isOurs });
      sent.push(one);
    };
    if (name === "") send(given, false);
    else {
      if (type === "P") this.#prepared.set(own, given);
      const statement = this.#prepared.get(own);
      if (type === "P" && known.has(name)) send(message("C", `S${name}\0`), true);
      if (type !== "P" && statement !== undefined && !known.has(name)) send(renamed(statement, name), true);
      // It may be asked for again before the answer is there.
      if (type === "C") known.delete(name);
      else known.add(name);
      send(renamed(given, name), false);
    }
    return sent;
  }

  #receive({ type, bytes }: Message, backend: Backend): void {
    if (acknowledgements.has(type) && this.#prepares && this.#expected.shift()?.isOurs === true) return;
    this.#socket.write(bytes);
    // After an error nothing is answered up to "ready".
    if (type === "E")
      while (this.#expected.length > 0 && this.#expected[0] !== ready) {
        const skipped = this.#expected.shift();
        if (skipped?.type === "P") backend.known.delete(skipped.name);
      }
    if (type !== "Z") return;
    this.#expected.shift();
    if (this.#expected.length > 0 || this.#open || bytes.at(-1) !== "I".charCodeAt(0)) return;
    this.#backend = undefined;
    this.#pooler.give(backend);
  }

  /** The transaction of one who goes in its middle is taken back. */
  #leave(): void {
    const backend = this.#backend;
    if (backend === undefined) return;
    this.#backend = undefined;
    let left = this.#expected.filter((one) => one === ready).length + 1;
    backend.receive = ({ type }) => {
      if (type === "Z" && --left === 0) this.#pooler.give(backend);
    };
    backend.socket.write(message("Q", "ROLLBACK\0").bytes);
  }
}
