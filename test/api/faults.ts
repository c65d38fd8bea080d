import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { type Answer, bodyOf, type Exchange, send } from "./request.ts";

/**
 * An answer that a service shouldn't give.
 *
 * @param answer does what the service was asked for, and gives what it would answer
 */
export type Fault = (
  exchange: Exchange,
  response: ServerResponse,
  answer: () => Promise<Answer>,
) => void | Promise<void>;

/** A path, or what tells whether it is one of several, such as a regular expression. */
export type Paths = string | { test(path: string, exchange: Exchange): boolean };

/** Faults that wait for their requests. */
export class Faults {
  #waiting: { readonly path: Paths; readonly fault: Fault }[] = [];

  add(path: Paths, faults: readonly Fault[]): void {
    for (const fault of faults) this.#waiting.push({ path, fault });
  }

  clear(): void {
    this.#waiting = [];
  }

  take(exchange: Exchange): Fault | undefined {
    const { path } = exchange;
    const at = this.#waiting.findIndex((each) =>
      typeof each.path === "string" ? each.path === path : each.path.test(path, exchange),
    );
    return at < 0 ? undefined : this.#waiting.splice(at, 1)[0]?.fault;
  }
}

const json = { "content-type": "application/json" };

/** Only a status, with a body if one is given. */
export function status(code: number, body = "", headers: Readonly<Record<string, string>> = {}): Fault {
  return (_, response) => void response.writeHead(code, headers).end(body);
}

/** Nothing for a while, then an answer. */
export function slow(milliseconds: number, body = "{}"): Fault {
  return async (_, response) => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    response.writeHead(200, json).end(body);
  };
}

/** No answer at all, ever. */
export const silent: Fault = () => undefined;

/** The connection is cut before an answer. */
export const reset: Fault = ({ socket }) => void socket.destroy();

/** The connection is cut in the middle of the body. */
export const truncated: Fault = (_, response) => {
  response.writeHead(200, { ...json, "content-length": "1000" }).write('{"items": [');
  setTimeout(() => response.destroy(), 10);
};

/** The service did it, and the connection is cut in the middle of its answer. */
export const cutShort: Fault = async (_, response, answer) => {
  const given = await answer();
  const body = bodyOf(given);
  response
    .writeHead(given.status ?? 200, { ...json, "content-length": `${body.length + 1}` })
    .write(body.slice(0, body.length / 2));
  setTimeout(() => response.destroy(), 5);
};

/** The service did it, and half of its answer arrives as if it were the whole. */
export const half: Fault = async (_, response, answer) => {
  const given = await answer();
  const body = bodyOf(given);
  response.writeHead(given.status ?? 200, json).end(body.slice(0, body.length / 2));
};

/** The right answer, late. */
export function late(milliseconds: number): Fault {
  return async (_, response, answer) => {
    const given = await answer();
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    send(response, given);
  };
}

/** The body says that it is JSON. */
export const notJson: Fault = (_, response) => void response.writeHead(200, json).end("<html>Oops</html>");

/** A few kilobytes that unfold to many megabytes. */
export const bomb: Fault = (_, response) =>
  void response
    .writeHead(200, { ...json, "content-encoding": "gzip" })
    .end(gzipSync(Buffer.alloc(64 * 1024 * 1024, " ")));

/** A body without an end. */
export const endless: Fault = (_, response) => {
  response.writeHead(200, json);
  const write = (): void => {
    while (!response.destroyed && response.write("[".repeat(65_536)));
  };
  response.on("drain", write);
  write();
};

/** JSON that is nested more deeply than a stack. */
export const deep: Fault = (_, response) =>
  void response.writeHead(200, json).end(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);

/** Names that reach prototypes where they are read carelessly. */
export const polluting: Fault = (_, response) =>
  void response
    .writeHead(200, json)
    .end('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}');

export function redirect(location: string, code = 302): Fault {
  return (_, response) => void response.writeHead(code, { location }).end();
}

/** Redirects to itself. */
export const circle: Fault = ({ path }, response) => void response.writeHead(302, { location: path }).end();

/** The answer repeats what it was sent, credentials too. */
export const echo: Fault = ({ headers, body, query }, response) =>
  void response.writeHead(400, json).end(
    JSON.stringify({
      headers,
      body,
      query: `${query}`,
      encoded: Buffer.from(`${headers.authorization}`).toString("base64"),
    }),
  );
