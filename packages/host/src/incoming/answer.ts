import type { IncomingMessage, ServerResponse } from "node:http";

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What is still read, and thrown away, after an answer that doesn't want it: bytes, and milliseconds. */
const LINGER_BYTES = 32 * 1024 * 1024;
const LINGER_TIME = 5_000;

/** An answer in plain text. */
export function text(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { "content-type": "text/plain; charset=utf-8", ...headers }, body };
}

function answer(response: ServerResponse, { status, headers, body }: Answer): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, { ...headers, "x-content-type-options": "nosniff" });
  response.end(body);
}

/**
 * Answers before the body has come, and closes the connection. A connection that is closed while something comes in is reset, and its sender may
 * never see the answer: so what comes is read for a while, and nothing of it kept.
 */
export function answerEarly(request: IncomingMessage, response: ServerResponse, given: Answer): void {
  if (request.complete) return answer(response, given);
  if (response.headersSent || response.destroyed) return;
  const bytes = Buffer.from(given.body);
  response.writeHead(given.status, {
    ...given.headers,
    "x-content-type-options": "nosniff",
    "content-length": bytes.length,
    connection: "close",
  });
  // The answer is complete by its length; only the connection stays open.
  if (bytes.length > 0) response.write(bytes);
  else response.flushHeaders();
  void drained(request).then(() => response.end());
}

function drained(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let left = LINGER_BYTES;
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, LINGER_TIME);
    request.on("data", (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) done();
    });
    for (const event of ["end", "close", "error"]) request.once(event, done);
    if (request.destroyed || request.readableEnded) done();
    else request.resume();
  });
}
