import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { answerEarly, text } from "../../src/incoming/answer.ts";
import { BodyRefused, IncomingBodies, SenderGone } from "../../src/incoming/bodies.ts";
import { addressOf } from "../../src/incoming/source.ts";

const MB = 1024 * 1024;

/** A server that reads bodies for the source in the header `x-source`, and says how long they are. */
async function serving(bodies: IncomingBodies): Promise<number> {
  const server = createServer(async (request, response) => {
    const source = String(request.headers["x-source"] ?? "one");
    const room = bodies.memory.open(source);
    try {
      response.end(String((await bodies.read(request, source, room)).length));
    } catch (error) {
      if (error instanceof BodyRefused) answerEarly(request, response, text(error.status, error.message));
      else if (!(error instanceof SenderGone)) throw error;
    } finally {
      room.close();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A sender that speaks to a bare socket. */
class Sender {
  readonly socket: Socket;
  answer = "";
  error: Error | undefined;
  ended = false;

  constructor(port: number, headers: readonly string[]) {
    this.socket = connect(port, "127.0.0.1");
    this.socket.on("data", (chunk: Buffer) => (this.answer += chunk));
    this.socket.on("end", () => (this.ended = true));
    this.socket.on("error", (error) => (this.error = error));
    this.socket.write(["POST / HTTP/1.1", "host: here", ...headers, "", ""].join("\r\n"));
    onTestFinished(() => void this.socket.destroy());
  }

  send(bytes: number): Promise<void> {
    return new Promise((resolve) => this.socket.write(Buffer.alloc(bytes, " "), () => resolve()));
  }

  async status(): Promise<string> {
    await expect.poll(() => this.answer, { timeout: 20_000 }).toContain("\r\n\r\n");
    return this.answer.slice(9, 12);
  }
}

test("a body comes whole, whatever its parts are", async () => {
  const port = await serving(new IncomingBodies({ memory: 0 }));
  const sender = new Sender(port, ["content-length: 300000"]);
  for (const size of [1, 99_999, 200_000]) await sender.send(size);
  expect(await sender.status()).toBe("200");
  expect(sender.answer).toMatch(/300000$/);
});

test("a length over the limit is refused before the body comes, and the answer is seen while it is sent", async () => {
  const bodies = new IncomingBodies({ memory: 0 });
  const port = await serving(bodies);
  const sender = new Sender(port, [`content-length: ${11 * MB}`]);
  expect(await sender.status()).toBe("413");
  expect(sender.answer).toContain("connection: close");
  expect(bodies.memory.held).toBe(0);
  await sender.send(11 * MB);
  await expect.poll(() => sender.ended, { timeout: 20_000 }).toBe(true);
  expect(sender.error).toBeUndefined();
});

test("one that sends all before it reads anything sees the answer, too, and no reset", async () => {
  const port = await serving(new IncomingBodies({ memory: 0 }));
  const sender = new Sender(port, ["transfer-encoding: chunked"]);
  sender.socket.pause();
  for (let sent = 0; sent < 16; sent++) {
    sender.socket.write(`${MB.toString(16)}\r\n`);
    await sender.send(MB);
    sender.socket.write("\r\n");
  }
  sender.socket.write("0\r\n\r\n");
  sender.socket.resume();
  expect(await sender.status()).toBe("413");
  await expect.poll(() => sender.ended, { timeout: 20_000 }).toBe(true);
  expect(sender.error).toBeUndefined();
});

test("undici sees the answer to a body that is too large", async () => {
  const port = await serving(new IncomingBodies({ memory: 0 }));
  const parts = async function* (): AsyncGenerator<Uint8Array> {
    for (let sent = 0; sent < 16; sent++) yield new Uint8Array(MB);
  };
  for (const body of [new Uint8Array(16 * MB), parts()]) {
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method: "POST",
      body,
      duplex: "half",
    } as object);
    expect(answer.status).toBe(413);
    expect(await answer.text()).toContain("at most");
  }
});

test("one that doesn't come in time is refused", async () => {
  const bodies = new IncomingBodies({ memory: 0, time: 100 });
  const sender = new Sender(await serving(bodies), ["content-length: 1000"]);
  await sender.send(10);
  expect(await sender.status()).toBe("408");
  expect(bodies.slow).toBe(0);
});

test("slow ones are so many of one source and of all, and others aren't kept out by them", async () => {
  const bodies = new IncomingBodies({ memory: 0, slow: [2, 3] });
  const port = await serving(bodies);
  const slow = async (source: string): Promise<Sender> => {
    const sender = new Sender(port, ["content-length: 10", `x-source: ${source}`]);
    await sender.send(1);
    return sender;
  };
  const [a, b] = [await slow("a"), await slow("a")];
  await expect.poll(() => bodies.slow, { timeout: 20_000 }).toBe(2);
  expect(await (await slow("a")).status()).toBe("503");
  const c = await slow("c");
  await expect.poll(() => bodies.slow, { timeout: 20_000 }).toBe(3);
  expect(await (await slow("d")).status()).toBe("503");
  const quick = new Sender(port, ["content-length: 10", "x-source: a"]);
  await quick.send(10);
  expect(await quick.status()).toBe("200");
  await a.send(9);
  expect(await a.status()).toBe("200");
  for (const { socket } of [b, c]) socket.destroy();
  await expect.poll(() => bodies.slow, { timeout: 20_000 }).toBe(0);
});

test("sixty strangers hold no more than all may have, a small body gets through, and all is given back", async () => {
  const bodies = new IncomingBodies({ memory: 0 });
  const port = await serving(bodies);
  const strangers = Array.from(
    { length: 60 },
    (_, at) => new Sender(port, [`content-length: ${10 * MB}`, `x-source: ${at % 7}`]),
  );
  for (const stranger of strangers) void stranger.send(9 * MB);
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, bodies.memory.held);
  }, 1);
  onTestFinished(() => clearInterval(watch));
  const refused = (): number => strangers.filter(({ answer }) => answer.includes(" 503 ")).length;
  await expect.poll(() => most, { timeout: 20_000 }).toBeGreaterThan(30 * MB);
  const small = new Sender(port, ["content-length: 1000", "x-source: small"]);
  await small.send(1_000);
  expect(await small.status()).toBe("200");
  await expect.poll(refused, { timeout: 20_000 }).toBeGreaterThan(40);
  expect(most).toBeLessThanOrEqual(bodies.memory.total);
  for (const { socket } of strangers) socket.destroy();
  await expect.poll(() => [bodies.memory.held, bodies.memory.owners, bodies.slow]).toEqual([0, 0, 0]);
});

test.each([
  ["203.0.113.9", undefined],
  ["127.0.0.1", undefined],
  ["10.1.2.3", undefined],
  ["93.184.215.14", "93.184.215.14"],
  ["::ffff:93.184.215.14", "93.184.215.14"],
  ["2606:2800:21f:cb07:6820:80da:af6b:8b2c", "2606:2800:21f:cb07::"],
])("a request from %s is of %s", (remoteAddress, source) => {
  expect(addressOf({ socket: { remoteAddress } } as IncomingMessage)).toBe(source);
});
