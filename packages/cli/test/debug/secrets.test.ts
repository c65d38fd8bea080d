import { beforeAll, expect, onTestFinished, test } from "vitest";
import { ensureBuilt } from "../build.ts";
import { Client } from "./client.ts";
import { configFile, startService } from "./service.ts";

// D29 in the debugger: whatever is looked at, typed or logged, a credential doesn't leave the adapter.

const TOKEN = "canary-0f3a-77c1-e9d2";
/** What a service may make of it. */
const ECHOES = [TOKEN, Buffer.from(TOKEN).toString("base64"), encodeURIComponent(`Bearer ${TOKEN}`)];

beforeAll(() => ensureBuilt());

test("a token that the service echoes is masked in values, hovers, the console, log points and output", async () => {
  const source = [{ "!http": { method: "GET", path: "/me" } }, { "!jq": "{seen: .echo, known: .plain}" }];
  const path = configFile(source, {
    auth: {
      orders: {
        type: "token",
        header_key: "Authorization",
        token_prefix: "Bearer",
        verify_url: "https://orders.example/me",
        defined_fields: { token: { label: "Token" } },
      },
    },
    workflows: [
      {
        name: "orders",
        label: "Orders",
        type: "generic",
        auth: "orders",
        setup: {},
        data_pipeline: { source: { "!pipe": source } },
      },
    ],
  });
  const service = await startService(() => ({ echo: ECHOES.join(" "), plain: "plain" }));
  const client = new Client();
  onTestFinished(async () => {
    await client.end();
    await service.close();
  });
  const received: string[] = [];
  client.process.stdout?.on("data", (data: Buffer) => received.push(data.toString()));
  await client.begin(
    {
      program: path,
      node: "workflows.orders.data_pipeline.source",
      credentials: { orders: { token: TOKEN } },
      baseUrl: service.url,
      allowPrivateNetwork: true,
      stopOnEntry: true,
      stopAtEnd: true,
    },
    {},
    ["failure"],
  );
  await client.stopped();
  for (let stop = 0; stop < 6; stop++) {
    for (const [index] of (await client.stack()).entries()) {
      const { scopes } = await client.ask<{ scopes: { variablesReference: number }[] }>("scopes", {
        frameId: (await client.stack())[index]?.id,
      });
      for (const { variablesReference } of scopes) await looked(client, variablesReference, 3);
    }
    for (const expression of [".", "$answer", "$request", ".echo", '(.echo // "") + "!"', "tojson"])
      for (const context of ["repl", "hover", "watch", "clipboard"])
        await client.send("evaluate", { expression, context, frameId: (await client.stack())[0]?.id });
    await client.ask("stepIn", { threadId: 1 });
    await client.stopped();
  }
  await client.ask("continue", { threadId: 1 });
  expect(service.sent.length).toBeGreaterThan(0);
  const all = received.join("");
  expect(all).toContain("plain");
  for (const echo of ECHOES) expect(all).not.toContain(echo);
});

async function looked(client: Client, reference: number, depth: number): Promise<void> {
  if (reference === 0 || depth === 0) return;
  const { success, body } = await client.send("variables", { variablesReference: reference });
  if (success !== true) return;
  const { variables } = body as unknown as { variables: { variablesReference: number }[] };
  for (const { variablesReference } of variables) await looked(client, variablesReference, depth - 1);
}
