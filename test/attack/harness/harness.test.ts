import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answer, chunked, HostileServer, head, runChild, talk } from "./index.ts";

/** A table of attacks is worth what its tools can see. */
async function scriptOf(name: string, text: string): Promise<string> {
  const file = join(tmpdir(), `${name}.mjs`);
  writeFileSync(file, text);
  return file;
}

test("a server plays its script, and says what it was asked", async () => {
  const server = await HostileServer.start(({ line }) =>
    line.startsWith("GET /chunks") ? chunked("abcdef", 1) : answer("whole", { "x-one": "1" }),
  );
  try {
    expect(await (await fetch(`${server.origin}/chunks`)).text()).toBe("abcdef");
    const whole = await fetch(server.origin, { method: "POST", body: "given" });
    expect([await whole.text(), whole.headers.get("x-one")]).toEqual(["whole", "1"]);
    expect(server.heads.map(({ line, body }) => [line, body])).toEqual([
      ["GET /chunks HTTP/1.1", ""],
      ["POST / HTTP/1.1", "given"],
    ]);
  } finally {
    await server.close();
  }
});

test("a client tells an end in order from a reset, and from none", async () => {
  const server = await HostileServer.start(({ line }) => {
    if (line.includes("/reset")) return [{ pause: 20 }, { reset: true }];
    if (line.includes("/hold")) return [{ hold: true }];
    return [{ send: head({}) }, { repeat: "x", times: 3 }];
  });
  const ask = (path: string) => [{ send: `GET ${path} HTTP/1.1\r\n\r\n` }, { hold: true }] as const;
  try {
    const whole = await talk(server.port, ask("/"));
    expect([whole.end, whole.received.toString().slice(-5)]).toEqual(["closed", "\nxxx".padStart(5, "\r\n")]);
    expect((await talk(server.port, ask("/reset"))).end).toBe("reset");
    expect((await talk(server.port, ask("/hold"), 200)).end).toBe("open");
  } finally {
    await server.close();
  }
});

test("a child tells its peak; one that is out of memory shows that it was", async () => {
  const small = await runChild(await scriptOf("small", "process.stdout.write('done')"), []);
  expect([small.code, small.stdout]).toEqual([0, "done"]);
  const large = await runChild(await scriptOf("large", "Buffer.alloc(300 * 2 ** 20, 1)"), []);
  expect(large.peak - small.peak).toBeGreaterThan(250 * 2 ** 20);
  const all = "const all = []; for (;;) all.push(new Array(1e5).fill(all.length))";
  const dead = await runChild(await scriptOf("dead", all), [], { heap: 64 });
  expect([dead.code, dead.signal]).toEqual([null, "SIGABRT"]);
  expect(dead.stderr).toContain("out of memory");
  const held = "const all = []; for (;;) all.push(Buffer.alloc(2 ** 20, 1))";
  const greedy = await runChild(await scriptOf("greedy", held), [], { most: 300 * 2 ** 20 });
  expect([greedy.code, greedy.signal]).toEqual([null, "SIGKILL"]);
});
