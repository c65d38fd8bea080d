import { SharedMemory } from "@configc/host";
import { expect, test } from "vitest";
import { ByteCollector, CoveredBody } from "../../src/http/byte-collector.ts";

const MB = 1024 * 1024;

test("parts of any size come out as one body", () => {
  const body = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));
  for (const expected of [undefined, 0, 1, 300_000, 299_999, 300_001, 10_000_000])
    for (const sizes of [[300_000], [0, 1, 0, 65_536, 7], [1_000]]) {
      const collector = new ByteCollector(1_000_000, expected);
      for (let at = 0, turn = 0; at < body.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1;
        expect(collector.add(body.subarray(at, at + size))).toBe(true);
        at += size;
      }
      expect(Buffer.compare(collector.bytes(), body)).toBe(0);
    }
});

test("what is too much isn't added", () => {
  const collector = new ByteCollector(3);
  expect(collector.add(Buffer.from("abc"))).toBe(true);
  expect(collector.add(Buffer.from("d"))).toBe(false);
  expect(collector.add(Buffer.alloc(0))).toBe(true);
  expect(Buffer.from(collector.bytes()).toString()).toBe("abc");
});

test("parts of one byte grow it a few times only, and a promised length sets nothing aside", () => {
  const collector = new ByteCollector(10 * 1024 * 1024, 10 * 1024 * 1024);
  const byte = Buffer.from("x");
  collector.add(byte);
  const first = collector.bytes().buffer.byteLength;
  expect(first).toBeLessThanOrEqual(64 * 1024);
  const seen = new Set<ArrayBufferLike>();
  for (let count = 1; count < 1024 * 1024; count++) {
    collector.add(byte);
    seen.add(collector.bytes().buffer);
  }
  expect(seen.size).toBeLessThanOrEqual(7);
  expect(collector.bytes().buffer.byteLength).toBeLessThanOrEqual(2 * 1024 * 1024);
});

test("a body goes on for a while where there is no room, and has all its bytes when there is", async () => {
  const memory = new SharedMemory({ total: 64 * MB, patience: 10_000 });
  const others = ["a", "b"].map((name) => memory.open(name));
  for (const other of others) other.take(memory.most);
  const part = Buffer.alloc(MB / 2, "x");
  const room = memory.open("c");
  const body = new CoveredBody({ maxBytes: 10 * MB, room });
  for (let parts = 0; parts < 3; parts++) expect(body.add(part)).toBe(true);
  expect(() => body.add(part)).toThrow(expect.objectContaining({ kind: "no-room" }));
  const whole = body.whole();
  for (const other of others) other.close();
  expect((await whole).length).toBe(2 * MB);
  // What was waited for is covered now, and more may come.
  const second = memory.open("d");
  second.take(memory.most - 2 * MB);
  const next = new CoveredBody({ maxBytes: 10 * MB, room: memory.open("d") });
  expect(next.add(part)).toBe(true);
  second.close();
  await new Promise((resolve) => setTimeout(resolve, 1));
  for (let parts = 0; parts < 18; parts++) expect(next.add(part)).toBe(true);
  expect((await next.whole()).length).toBe(9.5 * MB);
  room.close();
});
