import { isPublicAddress, nodeHttp, type ResolvedAddress } from "@configc/host";
import { afterAll, describe, expect, test } from "vitest";
import { guardedLookup } from "../../src/http/lookup.ts";
import { failureOf, get, serve } from "./support.ts";

/** Only public addresses are reached (design.md, "Reliability and security"). */
const guarded = nodeHttp();
afterAll(() => guarded.close());

describe("an address in the URL is refused, however it is spelled", () => {
  test.each([
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "%31%32%37.0.0.1",
    "１２７.0.0.1",
    "0.0.0.0",
    "0",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "[::1]",
    "[::]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:0a00:0001]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[fd00::1]",
    "[fe80::1]",
    "[ff02::1]",
  ])("%s", async (host) => {
    const { kind, message } = await failureOf(guarded.request(get(`http://${host}:8080/`)));
    expect(kind).toBe("refused-address");
    expect(message).toContain("allow-private-network");
  });
});

test.each([
  ["93.184.215.14", true],
  ["::ffff:93.184.215.14", true],
  ["2606:2800:21f::1", true],
  ["3fff::1", false],
  ["4000::1", false],
  ["not an address", false],
])("%s is public: %s", (address, isPublic) => expect(isPublicAddress(address)).toBe(isPublic));

/** A transport whose names have these addresses, one answer after the other. */
function resolving(...answers: readonly (readonly string[])[]) {
  const left = [...answers];
  const http = nodeHttp({
    resolve: async () =>
      (left.length > 1 ? left.shift()! : left[0]!).map(
        (address): ResolvedAddress => ({ address, family: address.includes(":") ? 6 : 4 }),
      ),
  });
  afterAll(() => http.close());
  return http;
}

test("localhost, by the machine's own resolver", async () => {
  const { kind, message } = await failureOf(guarded.request(get("http://localhost:8080")));
  expect(kind).toBe("refused-address");
  expect(message).toMatch(/^localhost is at (?:127\.0\.0\.1|::1)/);
});

test("a name that leads to a private address, and nothing is sent there", async () => {
  let requests = 0;
  const origin = await serve((_, response) => {
    requests++;
    response.end();
  });
  const { port } = new URL(origin);
  const http = resolving(["127.0.0.1"]);
  const { kind, message } = await failureOf(http.request(get(`http://rebind.example:${port}`)));
  expect(kind).toBe("refused-address");
  expect(message).toContain("rebind.example is at 127.0.0.1");
  expect(requests).toBe(0);
});

/** What a connection is given to connect to; nothing is sent to addresses that aren't ours. */
function lookedUp(all: boolean, ...answers: readonly (readonly string[])[]) {
  const left = [...answers];
  const lookup = guardedLookup(async () => left.shift()!.map((address) => ({ address, family: 4 })), false);
  return () =>
    new Promise((resolve, reject) =>
      lookup("rebind.example", { all }, (error, found) => (error === null ? resolve(found) : reject(error))),
    );
}

test("answers that change: each new connection is judged", async () => {
  const connect = lookedUp(false, ["93.184.215.14"], ["127.0.0.1"]);
  expect(await connect()).toBe("93.184.215.14");
  expect((await failureOf(connect())).kind).toBe("refused-address");
});

test("only the public ones of several addresses are connected to", async () => {
  const mixed = ["127.0.0.1", "93.184.215.14", "10.0.0.1"];
  expect(await lookedUp(true, mixed)()).toEqual([{ address: "93.184.215.14", family: 4 }]);
  expect(await lookedUp(false, mixed)()).toBe("93.184.215.14");
});

test("with permission, a private network is reached by address and by name", async () => {
  const http = nodeHttp({
    allowPrivateNetwork: true,
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
  });
  afterAll(() => http.close());
  const origin = await serve((_, response) => response.end("here"));
  for (const url of [origin, `http://any.example:${new URL(origin).port}`])
    expect(new TextDecoder().decode((await http.request(get(url))).body)).toBe("here");
});

test("a name without an address", async () => {
  expect((await failureOf(resolving([]).request(get("http://empty.example")))).kind).toBe("network");
});
