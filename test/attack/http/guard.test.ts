import { nodeHttp } from "@configc/host";
import { expect, test } from "vitest";
import { guardedLookup } from "../../../packages/host/src/http/lookup.ts";
import { answer, HostileServer } from "../harness/index.ts";

/** Each an answer of a name server, one after the other. */
const rebindings: readonly (readonly [
  string,
  readonly (readonly string[])[],
  readonly (readonly string[] | "refused")[],
])[] = [
  ["public, then this machine", [["93.184.215.14"], ["127.0.0.1"]], [["93.184.215.14"], "refused"]],
  ["public and private at once", [["10.0.0.1", "93.184.215.14"]], [["93.184.215.14"]]],
  ["only private ones", [["192.168.0.1", "::1", "::ffff:10.0.0.1"]], ["refused"]],
  [
    "a cloud's own service, then public",
    [["169.254.169.254"], ["93.184.215.14"]],
    ["refused", ["93.184.215.14"]],
  ],
  ["nothing", [[]], ["refused"]],
];

/** The guard's own function is asked; nothing is connected to. */
test.each(rebindings)("names that lead elsewhere each time: %s", async (_, answers, held) => {
  let asked = 0;
  const resolve = async () =>
    (answers[asked++] ?? []).map((address) => ({
      address,
      family: address.includes(":") ? (6 as const) : (4 as const),
    }));
  const lookup = guardedLookup(resolve, false);
  for (const expected of held) {
    const given = await new Promise((done) =>
      lookup("name.example", { all: true }, (error, found) =>
        done(error ? "refused" : (found as { address: string }[]).map(({ address }) => address)),
      ),
    );
    expect(given).toEqual(expected);
  }
  // What was looked at is what is connected to: there is no second question in between.
  expect(asked).toBe(held.length);
});

const request = (url: string) => ({
  method: "GET",
  url,
  headers: {},
  signal: new AbortController().signal,
  timeout: 10_000,
  maxBytes: 1_000,
});

/** A proxy would look names up itself, behind the guard: variables that name one are ignored (E33). */
test.each(["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy", "NODE_USE_ENV_PROXY"])(
  "%s leads no request around the guard",
  async (name) => {
    const proxy = await HostileServer.start(() => answer("through the proxy"));
    const target = await HostileServer.start(() => answer("direct"));
    const before = process.env[name];
    process.env[name] = name === "NODE_USE_ENV_PROXY" ? "1" : proxy.origin;
    const [open, guarded] = [nodeHttp({ allowPrivateNetwork: true }), nodeHttp()];
    try {
      const { body } = await open.request(request(target.origin));
      expect(new TextDecoder().decode(body)).toBe("direct");
      await expect(guarded.request(request("http://localhost:1/"))).rejects.toMatchObject({
        kind: "refused-address",
      });
      expect(proxy.heads).toEqual([]);
    } finally {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
      await Promise.all([open.close(), guarded.close(), proxy.close(), target.close()]);
    }
  },
);
