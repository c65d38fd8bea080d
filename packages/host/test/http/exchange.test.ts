import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { exchangeWith, failureOf, get, open, serve } from "./support.ts";

/** One exchange with a real server on loopback (design.md: `Http` of the host). */
const json = Buffer.from('{"ok":true}');
const text = (body: Uint8Array) => new TextDecoder().decode(body);

test("method, headers and body go out; status, headers and body come back", async () => {
  let seen = "";
  const origin = await serve((request, response) => {
    request.on("data", (chunk: Buffer) => (seen += chunk));
    request.on("end", () => {
      seen += ` ${request.method} ${request.url} ${request.headers["x-a"]}`;
      response.writeHead(201, { "X-B": "1", "Set-Cookie": ["a=1", "b=2"] }).end(json);
    });
  });
  const { status, headers, body } = await open.request(
    get(`${origin}/p?q=1`, { method: "POST", headers: { "x-a": "2" }, body: "{}" }),
  );
  expect(seen).toBe("{} POST /p?q=1 2");
  expect([status, headers["x-b"], headers["set-cookie"]]).toEqual([201, "1", "a=1, b=2"]);
  expect(text(body)).toBe('{"ok":true}');
});

test.each([
  [{}, "configc"],
  [{ "user-agent": "mine" }, "mine"],
])("says what it is, unless the config does: %j", async (headers, expected) => {
  const origin = await serve((request, response) => response.end(request.headers["user-agent"]));
  expect(text((await open.request(get(origin, { headers }))).body)).toBe(expected);
});

test("a redirect is an answer like any other", async () => {
  const answer = await exchangeWith((_, response) => response.writeHead(302, { location: "/other" }).end());
  expect(answer).toMatchObject({ status: 302, headers: { location: "/other" } });
});

test.each([
  ["gzip", gzipSync(json)],
  ["x-gzip", gzipSync(json)],
  ["GZIP", gzipSync(json)],
  ["br", brotliCompressSync(json)],
  ["deflate", deflateSync(json)],
  ["deflate", deflateRawSync(json)],
  ["gzip, br", brotliCompressSync(gzipSync(json))],
  ["identity", json],
  ["utf-8", json],
])("a body encoded as %s is decoded", async (encoding, sent) => {
  const { body } = await exchangeWith((request, response) => {
    expect(request.headers["accept-encoding"]).toBe("gzip, deflate, br");
    response.writeHead(200, { "content-encoding": encoding }).end(sent);
  });
  expect(text(body)).toBe('{"ok":true}');
});

test.each([
  ["an empty body", "GET", 200],
  ["HEAD", "HEAD", 200],
  ["204", "GET", 204],
])("nothing to decode: %s", async (_name, method, status) => {
  const { body } = await exchangeWith(
    (_, response) => response.writeHead(status, { "content-encoding": "gzip" }).end(),
    { method },
  );
  expect(body).toHaveLength(0);
});

test.each([204, 304])("a %i has no body, whatever length it names", async (status) => {
  const { body } = await exchangeWith((request) =>
    request.socket.end(`HTTP/1.1 ${status} X\r\ncontent-length: 100\r\n\r\n`),
  );
  expect(body).toHaveLength(0);
});

test("no time is too long for a timer", async () => {
  const { status } = await exchangeWith((_, response) => setTimeout(() => response.end(), 20), {
    timeout: Number.POSITIVE_INFINITY,
  });
  expect(status).toBe(200);
});

test("names of headers reach no prototype", async () => {
  const { headers } = await exchangeWith((request) =>
    request.socket.end("HTTP/1.1 200 OK\r\n__proto__: x\r\nconstructor: y\r\ncontent-length: 0\r\n\r\n"),
  );
  expect(Object.getPrototypeOf(headers)).toBeNull();
  expect(Object.entries(headers)).toEqual([
    ["__proto__", "x"],
    ["constructor", "y"],
    ["content-length", "0"],
  ]);
});

test.each([
  ["larger than the limit", {}, Buffer.alloc(20_000)],
  ["unfolds to more than the limit", { "content-encoding": "gzip" }, gzipSync(Buffer.alloc(50_000_000))],
  ["twice folded", { "content-encoding": "gzip, gzip" }, gzipSync(gzipSync(Buffer.alloc(50_000_000)))],
])("too large: %s", async (_name, headers, sent) => {
  const pending = exchangeWith((_, response) => response.writeHead(200, headers).end(sent));
  expect((await failureOf(pending)).kind).toBe("too-large");
});

test.each<[string, Parameters<typeof serve>[0], RegExp]>([
  [
    "it breaks off",
    (_, response) => {
      response.writeHead(200, { "content-length": "100" }).write("abc");
      setTimeout(() => response.destroy(), 10);
    },
    /broke/,
  ],
  ["it hangs up", (request) => request.socket.destroy(), /broke/],
  [
    "the compressed body breaks off",
    (_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(json).subarray(0, 15)),
    /compressed body breaks off/,
  ],
  [
    "it isn't compressed",
    (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end("plain"),
    /isn't what its content-encoding says/,
  ],
  [
    "an encoding that wasn't asked for",
    (_, response) => response.writeHead(200, { "content-encoding": "zstd" }).end("x"),
    /zstd, which wasn't asked for/,
  ],
  [
    "many layers",
    (_, response) => response.writeHead(200, { "content-encoding": "gzip,gzip,gzip,gzip" }).end("x"),
    /4 times/,
  ],
  ["not HTTP", (request) => request.socket.end("SSH-2.0-OpenSSH\r\n"), /isn't HTTP: expected HTTP/],
  [
    "lines that end with LF alone",
    (request) => request.socket.end("HTTP/1.1 200 OK\ncontent-length: 2\n\n{}"),
    /lines end with LF instead of CR and LF/,
  ],
  [
    "a status that is none",
    (request) => request.socket.end("HTTP/1.1 099 X\r\ncontent-length: 0\r\n\r\n"),
    /^the answer isn't HTTP$/,
  ],
  [
    "100 Continue that wasn't asked for",
    (request) =>
      request.socket.end("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"),
    /sent “100 Continue”/,
  ],
  [
    "another protocol",
    (request) =>
      request.socket.end("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
    /changed to another protocol/,
  ],
  [
    "endless headers",
    (request) => request.socket.end(`HTTP/1.1 200 OK\r\n${`x: ${"y".repeat(1_000)}\r\n`.repeat(100)}\r\n`),
    /headers of the answer are larger/,
  ],
  [
    "two lengths",
    (request) => request.socket.end("HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"),
    /isn't as long as/,
  ],
])("no whole answer: %s", async (_name, handle, message) => {
  const { kind, message: said } = await failureOf(exchangeWith(handle));
  expect(kind).toBe("network");
  expect(said).toMatch(message);
});

test("nobody listens, no such name, no such protocol", async () => {
  expect((await failureOf(open.request(get("http://127.0.0.1:1")))).message).toMatch(/connection refused/);
  expect((await failureOf(open.request(get("http://nowhere.invalid")))).kind).toBe("network");
  expect((await failureOf(open.request(get("file:///etc/passwd")))).message).toMatch(/isn't a URL of HTTP/);
});

test.each<[string, Parameters<typeof serve>[0]]>([
  ["no answer", () => undefined],
  ["a body that never ends", (_, response) => void response.writeHead(200).write("a")],
])("out of time: %s", async (_name, handle) => {
  expect((await failureOf(exchangeWith(handle, { timeout: 60 }))).kind).toBe("timeout");
});

test("a cancelled exchange ends with the signal's reason", async () => {
  const controller = new AbortController();
  const pending = exchangeWith(() => controller.abort(new Error("enough")), { signal: controller.signal });
  await expect(pending).rejects.toThrow("enough");
  await expect(open.request(get("http://127.0.0.1:1", { signal: controller.signal }))).rejects.toThrow(
    "enough",
  );
});
