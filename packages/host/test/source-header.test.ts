import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { sourceFromHeader } from "@configc/host/internal";
import { expect, onTestFinished, test } from "vitest";

/** What a request from this machine with these values of `X-Forwarded-For` is told by. */
async function sourceOf(values: readonly string[]): Promise<string | undefined> {
  const tell = sourceFromHeader("X-Forwarded-For");
  let source: string | undefined;
  const server = createServer((incoming, response) => {
    source = tell(incoming);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve, reject) => {
    const headers = values.length === 0 ? {} : { "x-forwarded-for": [...values] };
    const sent = request({ port, host: "127.0.0.1", headers }, (response) => {
      response.resume().on("end", resolve);
    });
    sent.on("error", reject).end();
  });
  return source;
}

test.each<[readonly string[], string | undefined]>([
  [["93.184.216.34"], "93.184.216.34"],
  [["1.1.1.1, 93.184.216.34"], "93.184.216.34"],
  [["1.1.1.1", "93.184.216.34"], "93.184.216.34"],
  [["93.184.216.34:4711"], "93.184.216.34"],
  [["2606:2800:220:1:248:1893:25c8:1946"], "2606:2800:220:1::"],
  [["[2606:2800:220:1:248:1893:25c8:1946]:443"], "2606:2800:220:1::"],
  [["93.184.216.34, 10.0.0.1"], undefined],
  [["unknown"], undefined],
  [["93.184.216.34, "], undefined],
  [[], undefined],
])("%j is the source %j", async (values, source) => {
  expect(await sourceOf(values)).toBe(source);
});
