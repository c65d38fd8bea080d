import { connect } from "node:net";
import { compile } from "@configc/compiler";
import { createHost, Listener, type ListenerOptions } from "@configc/host";
import { expect, onTestFinished, test, vi } from "vitest";
import { statusOf, talk } from "../../../../test/attack/harness/index.ts";

/** What strangers hold open doesn't hold up the end, and what they send doesn't bring it about (E26). */
async function listening(answer: ListenerOptions["answer"]) {
  const failed = vi.fn();
  const listener = new Listener({ answer, failed });
  await listener.listen(0, "127.0.0.1");
  onTestFinished(() => listener.close(0));
  return { listener, failed, port: listener.port };
}

const echo: ListenerOptions["answer"] = async (request, response) => {
  for await (const _ of request);
  response.end("read");
};

const held: readonly (readonly [string, string])[] = [
  ["silence", ""],
  ["half a head", "POST / HTTP/1.1\r\nHost: x\r\n"],
  ["half a body", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc"],
  ["half a chunk", "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nabc"],
  ["half a body of HTTP/1.0", "POST / HTTP/1.0\r\nContent-Length: 100\r\n\r\nabc"],
  [
    "a request, and half of the next",
    "GET / HTTP/1.1\r\nHost: x\r\n\r\nPOST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc",
  ],
];

test.each(held)("%s is cut at the deadline", async (_, sent) => {
  const { listener, port } = await listening(echo);
  const talked = talk(port, [{ send: sent }, { hold: true }]);
  await vi.waitFor(() => expect(listener.connections).toBe(1));
  await listener.close(100);
  expect((await talked).end).not.toBe("open");
  await vi.waitFor(() => expect(listener.connections).toBe(0));
});

test("an answer that nobody reads is cut at the deadline", async () => {
  const { listener, port } = await listening((_, response) => void response.end(Buffer.alloc(64 * 2 ** 20)));
  const socket = connect(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
  socket.pause();
  socket.on("error", () => undefined);
  await vi.waitFor(() => expect(listener.connections).toBe(1));
  await listener.close(100);
  await vi.waitFor(() => expect(listener.connections).toBe(0));
  socket.destroy();
});

test("a connection that waits for its next request is closed at once, however long the deadline", async () => {
  let over = false;
  const { listener, port } = await listening((_, response) => {
    response.once("finish", () => {
      over = true;
    });
    response.end();
  });
  const talked = talk(port, [{ send: "GET / HTTP/1.1\r\nHost: x\r\n\r\n" }, { hold: true }]);
  await vi.waitFor(() => expect(over).toBe(true));
  await listener.close(600_000);
  expect(statusOf(await talked)).toBe(200);
});

test("a request that is under way gets its answer, and its connection no other", async () => {
  const waiting: (() => void)[] = [];
  const { listener, port } = await listening(async (_, response) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    response.end("done");
  });
  const one = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  const talked = talk(port, [{ send: one + one }, { hold: true }]);
  await vi.waitFor(() => expect(waiting).toHaveLength(2));
  const closed = listener.close(600_000);
  for (const go of waiting) go();
  await closed;
  const { received, end } = await talked;
  expect(end).toBe("closed");
  expect(received.toString().match(/HTTP\/1\.1 200/g)).toHaveLength(1);
  expect(received.toString()).toMatch(/connection: close/i);
});

test.each([
  ["thrown at once", () => fail()],
  ["thrown later", () => Promise.resolve().then(fail)],
])("what is %s is 500 and is told", async (_, answer) => {
  const { failed, port } = await listening(answer);
  const talked = await talk(port, [{ send: "GET / HTTP/1.0\r\n\r\n" }, { hold: true }]);
  expect(statusOf(talked)).toBe(500);
  expect(talked.received.toString()).not.toContain("mistake");
  expect(failed).toHaveBeenCalledWith(new Error("a mistake"));
});

function fail(): never {
  throw new Error("a mistake");
}

test("a host of its own ends at the deadline, whatever webhooks are half sent, and takes none afterwards", async () => {
  const { app } = compile(
    JSON.stringify({
      $version: "2",
      data_intake: [{ type: "webhook", name: "created", scope: "workflow", create: { "!jq": "." } }],
      workflows: [
        {
          name: "created",
          label: "Created",
          type: "generic",
          data_intake: "created",
          setup: {},
          data_pipeline: { source: { "!jq": "." }, target: { "!jq": "." } },
        },
      ],
    }),
  );
  const host = await createHost({ apps: { acme: app }, publicUrl: "http://127.0.0.1/in" });
  await host.store.transaction((t) =>
    t.put("installations", {
      id: "one",
      app: "acme",
      workflow: "created",
      status: "paused",
      settings: { customData: {} },
      createdAt: 1,
      changedAt: 1,
    }),
  );
  await host.runtime("acme")?.activate("one");
  const [hook] = await host.store.transaction((t) => t.list("hooks", {}));
  const path = `/in/acme/${hook?.id}`;
  let asked = 0;
  const { port } = await listening(async (request, response) => {
    asked++;
    await host.handle(request, response);
  });
  const post = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc`;
  const talked = talk(port, [{ send: post }, { hold: true }]);
  await vi.waitFor(() => expect(asked).toBe(1));
  await host.close(100);
  expect((await talked).end).not.toBe("open");
  expect(statusOf(await talk(port, [{ send: `POST ${path} HTTP/1.0\r\n\r\n` }, { hold: true }]))).toBe(503);
});
