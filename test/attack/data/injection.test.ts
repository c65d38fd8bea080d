import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeHttp, sqliteStore } from "@configc/host";
import type { Json } from "@configc/jq";
import { expect, test } from "vitest";
import { runCommand } from "../../../packages/runtime/test/support/app.ts";
import { testEffects } from "../../../packages/runtime/test/support/effects.ts";
import { answer, HostileServer } from "../harness/index.ts";

/** Texts that mean something where they are put without care: in jq, SQL, forms, headers, paths. */
const texts: readonly string[] = [
  '"',
  '") | error("x") | ("',
  "\\(1+1)",
  "\\",
  '"; input; "',
  "$__prog_args",
  "${data.workflow.secret}",
  "${piped_content.0}",
  "'; DROP TABLE deliveries; --",
  "' OR 1=1 --",
  "%' ESCAPE '",
  "a=b&c=d",
  "a%26b=c+d",
  "a;b#c?d",
  "x\r\nInjected: yes",
  "x\r\n\r\nGET /other HTTP/1.1",
  "../../etc/passwd",
  "..%2f..%2f",
  "//other.example/",
  "\u0000",
  "\u2028\u2029\u202e",
  "__proto__",
  "constructor",
  "x".repeat(100_000),
];

test.each(texts)("a value in a hole of jq stays a value: %j", async (text) => {
  const run = (program: string) =>
    runCommand({ "!jq": program }, { context: { custom_data: { f: { value: text } } } });
  expect(await run("[${custom_data.f.value}, 1]")).toEqual([text, 1]);
  expect(await run('{a: ${custom_data.f.value}} | .a + "end"')).toBe(`${text}end`);
  expect(await run("${custom_data.f.value} as $v | [$v] | length")).toBe(1);
});

test.each(texts)("a value in a form, a query and a path stays one value: %j", async (text) => {
  const server = await HostileServer.start(() => answer("{}"));
  const http = nodeHttp({ allowPrivateNetwork: true });
  const send = (given: object): Promise<Json> =>
    runCommand(
      { "!http": { method: "POST", ...given } },
      {
        api: { base_url: server.origin },
        effects: { ...testEffects(), http },
        context: { custom_data: { f: { value: text } } },
      },
    );
  try {
    await send({
      path: "/form",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: { field: "${custom_data.f.value}", other: "1" },
    });
    await send({ path: "/query", params: { field: "${custom_data.f.value}" } }).catch(() => undefined);
    await send({ path: "/a/${custom_data.f.value}/end" }).catch(() => undefined);
    await send({ path: "/header", headers: { "x-field": "${custom_data.f.value}" } }).catch(() => undefined);
    for (const { line, headers, body } of server.heads) {
      const [method, target = "", version] = line.split(" ");
      expect([method, version]).toEqual(["POST", "HTTP/1.1"]);
      expect(headers.has("injected")).toBe(false);
      const { pathname, searchParams } = new URL(target, "http://here");
      if (pathname === "/form")
        expect([...new URLSearchParams(body)]).toEqual([
          ["field", text],
          ["other", "1"],
        ]);
      else if (pathname === "/query") expect([...searchParams]).toEqual([["field", text]]);
      else if (pathname !== "/header") {
        const [, first, middle = "", last, ...rest] = pathname.split("/");
        // D18 keeps what is encoded already; it stays within its segment.
        expect([first, decodeURIComponent(middle), last, rest]).toEqual(["a", decoded(text), "end", []]);
      }
    }
    expect(server.heads[0]?.line).toContain("/form");
  } finally {
    await http.close();
    await server.close();
  }
});

test.each(texts)("a value in a store is found again, and nothing else changes: %j", async (text) => {
  const directory = mkdtempSync(join(tmpdir(), "attack-"));
  try {
    const store = await sqliteStore(join(directory, "state.db"));
    const row = (id: string) => ({ id, app: text, auth: text, accountId: text });
    const found = await store.transaction(async (transaction) => {
      await transaction.put("connections", row("bystander"));
      await transaction.put("connections", row(text));
      await transaction.delete("connections", `${text}x`);
      return [
        await transaction.get("connections", text),
        await transaction.count("connections", { app: text, accountId: text }),
        await transaction.count("connections", { app: `${text}x`, accountId: text }),
      ];
    });
    expect(found).toEqual([row(text), 2, 0]);
    await store.close();
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});

function decoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (escapes) => decodeURIComponent(escapes));
}
