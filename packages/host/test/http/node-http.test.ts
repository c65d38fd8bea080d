import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { isPublicAddress, nodeHttp, type Resolve } from "@configc/host";
import { HttpFailure, type HttpRequest } from "@configc/runtime";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";

/** One exchange with a real server on loopback, and what is refused. */
let server: Server;
let origin: string;
let port: number;
let answer: RequestListener = (_, response) => response.end();
beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
  origin = `http://127.0.0.1:${port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const open = nodeHttp({ allowPrivateNetwork: true });
const guarded = nodeHttp();
const made = [open, guarded];
afterAll(() => Promise.all(made.map((each) => each.close())));
afterEach(() => {
  answer = (_, response) => response.end();
});

const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: "GET",
  url,
  headers: {},
  signal: new AbortController().signal,
  timeout: 5_000,
  maxBytes: 10_000,
  ...more,
});

async function failure(promise: Promise<unknown>): Promise<HttpFailure> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(HttpFailure);
  return error as HttpFailure;
}

describe("an exchange", () => {
  test("sends method, headers and body, and gives status, headers and body", async () => {
    let seen = "";
    answer = (request, response) => {
      request.on("data", (chunk: Buffer) => (seen += chunk));
      request.on("end", () => {
        seen += ` ${request.method} ${request.headers["x-a"]}`;
        response.writeHead(201, { "X-B": "1", "Set-Cookie": ["a=1", "b=2"] }).end('{"ok":true}');
      });
    };
    const { status, headers, body } = await open.request(
      get(origin, { method: "POST", headers: { "x-a": "2" }, body: "{}" }),
    );
    expect(seen).toBe("{} POST 2");
    expect([status, headers["x-b"], headers["set-cookie"]]).toEqual([201, "1", "a=1, b=2"]);
    expect(new TextDecoder().decode(body)).toBe('{"ok":true}');
  });

  test("a redirect is an answer like any other", async () => {
    answer = (_, response) => response.writeHead(302, { location: "/other" }).end();
    expect(await open.request(get(origin))).toMatchObject({ status: 302, headers: { location: "/other" } });
  });

  test("an encoded body is decoded", async () => {
    answer = (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("text"));
    expect(new TextDecoder().decode((await open.request(get(origin))).body)).toBe("text");
  });
});

describe("an exchange that gives no answer", () => {
  test("the limit counts decoded bytes", async () => {
    answer = (_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(1_000_000)));
    expect(await failure(open.request(get(origin)))).toMatchObject({ kind: "too-large" });
  });

  test("no answer in time", async () => {
    answer = () => {};
    expect(await failure(open.request(get(origin, { timeout: 50 })))).toMatchObject({ kind: "timeout" });
  });

  test("a body that never ends", async () => {
    answer = (_, response) => void response.writeHead(200).write("a");
    expect(await failure(open.request(get(origin, { timeout: 50 })))).toMatchObject({ kind: "timeout" });
  });

  test("an answer that breaks off", async () => {
    answer = (_, response) => {
      response.writeHead(200, { "content-length": "100" }).write("abc");
      setTimeout(() => response.destroy(), 10);
    };
    expect(await failure(open.request(get(origin)))).toMatchObject({ kind: "network" });
  });

  test("nobody listens", async () => {
    expect(await failure(open.request(get("http://127.0.0.1:1")))).toMatchObject({ kind: "network" });
  });

  test("a run that is cancelled ends with its reason", async () => {
    answer = () => {};
    const controller = new AbortController();
    const pending = open.request(get(origin, { signal: controller.signal }));
    setTimeout(() => controller.abort(new Error("enough")), 20);
    await expect(pending).rejects.toThrow("enough");
  });
});

describe("addresses that aren't public are refused", () => {
  test.each([
    "127.0.0.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "127.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "10.0.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "[fd00::1]",
    "[fe80::1]",
    "0.0.0.0",
    "localhost",
  ])("%s", async (host) => {
    expect(await failure(guarded.request(get(`http://${host}:${port}`)))).toMatchObject({
      kind: "refused-address",
    });
  });

  test("public ones aren't", () => {
    expect(["93.184.215.14", "2606:2800:21f::1"].map(isPublicAddress)).toEqual([true, true]);
  });

  test("a name is looked up for each connection, so an answer that changes is refused", async () => {
    const answers = [origin.slice(7).split(":")[0]!, "127.0.0.1"];
    const asked: string[] = [];
    const resolve: Resolve = async (hostname) => {
      asked.push(hostname);
      return [{ address: answers.shift()!, family: 4 }];
    };
    const http = nodeHttp({ resolve });
    made.push(http);
    for (let i = 0; i < 2; i++) {
      expect(await failure(http.request(get(`http://rebind.example:${port}`)))).toMatchObject({
        kind: "refused-address",
      });
    }
    expect(asked).toEqual(["rebind.example", "rebind.example"]);
  });

  test("only private answers are refused", async () => {
    const resolve: Resolve = async () => [{ address: "10.0.0.1", family: 4 }];
    const http = nodeHttp({ resolve });
    made.push(http);
    expect(await failure(http.request(get("http://inside.example")))).toMatchObject({
      kind: "refused-address",
    });
  });
});
