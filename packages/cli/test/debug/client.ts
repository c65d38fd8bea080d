import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A message of the protocol, as far as a test looks at it. */
export interface Message {
  readonly type: "response" | "event" | "request";
  readonly command?: string;
  readonly event?: string;
  readonly request_seq?: number;
  readonly success?: boolean;
  readonly message?: string;
  readonly body?: Record<string, unknown>;
}

const command = fileURLToPath(new URL("../../bin/configc.js", import.meta.url));

/** A client of the built `configc debug --stdio`, which sends what it is told in the order in which it is told it. */
export class Client {
  readonly events: Message[] = [];
  readonly process: ChildProcess;
  private readonly responses = new Map<number, (message: Message) => void>();
  private readonly waiting: { name: string; resolve: (message: Message) => void }[] = [];
  private seen = 0;
  private sequence = 0;
  private rest = Buffer.alloc(0);

  constructor() {
    this.process = spawn(process.execPath, [command, "debug", "--stdio"], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.process.stdout?.on("data", (data: Buffer) => this.read(data));
  }

  /** The response, whether it succeeded or not. */
  async send(name: string, args: object = {}): Promise<Message> {
    const seq = ++this.sequence;
    const text = JSON.stringify({ seq, type: "request", command: name, arguments: args });
    const response = new Promise<Message>((resolve) => this.responses.set(seq, resolve));
    this.process.stdin?.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    return await response;
  }

  /** The body of a response that has to succeed. */
  async ask<Body = Record<string, never>>(name: string, args: object = {}): Promise<Body> {
    const { success, message, body } = await this.send(name, args);
    if (success !== true) throw new Error(`${name}: ${message}`);
    return body as Body;
  }

  /** The next event of that name that wasn't waited for before. */
  async event(name: string): Promise<Message> {
    for (; this.seen < this.events.length; this.seen++) {
      const event = this.events[this.seen];
      if (event?.event === name) {
        this.seen++;
        return event;
      }
    }
    return await new Promise((resolve) => this.waiting.push({ name, resolve }));
  }

  output(): string {
    return this.events.flatMap(({ event, body }) => (event === "output" ? [body?.["output"]] : [])).join("");
  }

  /** As an editor begins. */
  async begin(
    launch: object,
    breakpoints: Readonly<Record<string, readonly object[]>> = {},
    filters: readonly string[] = [],
  ) {
    await this.ask("initialize", { adapterID: "configc", linesStartAt1: true, columnsStartAt1: true });
    await this.event("initialized");
    const launched = this.ask("launch", launch);
    const set: unknown[] = [];
    for (const [path, each] of Object.entries(breakpoints))
      set.push(await this.ask("setBreakpoints", { source: { path }, breakpoints: each }));
    await this.ask("setExceptionBreakpoints", { filters });
    await this.ask("configurationDone");
    await launched;
    return set as {
      breakpoints: { verified: boolean; line?: number; column?: number; message?: string; id: number }[];
    }[];
  }

  async stopped(): Promise<Record<string, unknown>> {
    return (await this.event("stopped")).body ?? {};
  }

  /** Names of the frames, the innermost first. */
  async stack(): Promise<{ id: number; name: string; line: number; column: number }[]> {
    const { stackFrames } = await this.ask<{
      stackFrames: { id: number; name: string; line: number; column: number }[];
    }>("stackTrace", { threadId: 1 });
    return stackFrames;
  }

  /** The values of a scope of the innermost frame. */
  async scope(
    name: string,
    index = 0,
  ): Promise<{ name: string; value: string; variablesReference: number }[]> {
    const frame = (await this.stack())[index];
    const { scopes } = await this.ask<{ scopes: { name: string; variablesReference: number }[] }>("scopes", {
      frameId: frame?.id,
    });
    const { variablesReference } = scopes.find((each) => each.name === name) ?? {};
    if (variablesReference === undefined)
      throw new Error(`no scope ${name} among ${scopes.map((each) => each.name)}`);
    return await this.variables(variablesReference);
  }

  async reference(name: string, index = 0): Promise<number> {
    const frame = (await this.stack())[index];
    const { scopes } = await this.ask<{ scopes: { name: string; variablesReference: number }[] }>("scopes", {
      frameId: frame?.id,
    });
    return scopes.find((each) => each.name === name)?.variablesReference ?? 0;
  }

  async variables(variablesReference: number, page: object = {}) {
    const { variables } = await this.ask<{
      variables: { name: string; value: string; variablesReference: number }[];
    }>("variables", { variablesReference, ...page });
    return variables;
  }

  async evaluate(expression: string, context = "repl", frameId?: number): Promise<string> {
    const { success, message, body } = await this.send("evaluate", { expression, context, frameId });
    return success === true ? String(body?.["result"]) : `✗ ${message}`;
  }

  async end(): Promise<void> {
    if (this.process.exitCode !== null) return;
    const exit = once(this.process, "exit");
    await this.send("disconnect");
    await exit;
  }

  private read(data: Buffer): void {
    this.rest = Buffer.concat([this.rest, data]);
    for (;;) {
      const end = this.rest.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.rest.subarray(0, end).toString())?.[1]);
      if (this.rest.length < end + 4 + length) return;
      this.take(JSON.parse(this.rest.subarray(end + 4, end + 4 + length).toString()) as Message);
      this.rest = this.rest.subarray(end + 4 + length);
    }
  }

  private take(message: Message): void {
    if (message.type === "response") {
      this.responses.get(message.request_seq ?? 0)?.(message);
      return;
    }
    this.events.push(message);
    const at = this.waiting.findIndex(({ name }) => name === message.event);
    if (at < 0) return;
    this.seen = this.events.length;
    for (const { resolve } of this.waiting.splice(at, 1)) resolve(message);
  }
}
