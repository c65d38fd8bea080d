import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "@configc/compiler";
import { createHost, type Host } from "@configc/host";
import { describe, expect, onTestFinished, test } from "vitest";

/** Who sent it, and whether it was sent before, over HTTP and with state on disk (D16, D31, D45, D51). */
const secret = "s3cret-of-the-sender";

const signed = {
  verification: {
    "!pipe": [
      { "!jq": '{value_to_encrypt: .raw_body, given: .headers["x-signature"]}' },
      { "!sha": { algorithm: "sha256", secret } },
      {
        "!switch": {
          jq: "if .hash == ${piped_content.1.given} then 0 else 1 end",
          cases: [{ "!respond": { process_payload: true } }, { "!error": "wrong signature" }],
        },
      },
    ],
  },
};

interface Receiver {
  readonly host: Host;
  readonly origin: string;
  /** Path of the webhook. */
  readonly path: string;
  /** Payloads that were taken in. */
  readonly taken: readonly unknown[];
  readonly numbered: readonly boolean[];
}

async function receiver(intake: object, directory = newFolder()): Promise<Receiver> {
  const { app } = compile(
    JSON.stringify({
      $version: "2",
      data_intake: [
        { type: "webhook", name: "created", scope: "workflow", create: { "!jq": "." }, ...intake },
      ],
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
  const server = createServer((asked, response) => void host.handle(asked, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const key = new Uint8Array(32).fill(1);
  const taken: unknown[] = [];
  const numbered: boolean[] = [];
  const host = await createHost({
    apps: { acme: app },
    directory,
    key,
    publicUrl: `${origin}/in`,
    onDelivery: (_app, delivery) => {
      taken.push(delivery.payload);
      numbered.push(delivery.numbered);
    },
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await host.close();
  });
  const known = await host.store.transaction((t) => t.list("hooks", {}));
  if (known.length === 0) {
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
  }
  const [hook] = await host.store.transaction((t) => t.list("hooks", {}));
  return { host, origin, path: `/in/acme/${hook?.id}`, taken, numbered };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "configc-identity-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Sent {
  readonly method?: string;
  readonly query?: string;
  /** Lists are several headers of one name; names go out as they are written. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
}

async function send(
  { origin, path }: Receiver,
  { method = "POST", query = "", headers = {}, body = "{}" }: Sent,
): Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders }> {
  return await new Promise((resolve, reject) => {
    const out = request(
      `${origin}${path}${query}`,
      { method, headers: { ...headers } as Record<string, string | string[]> },
      (answer) => {
        answer.resume();
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers }));
      },
    );
    out.on("error", reject);
    out.end(body);
  });
}

const kept = ({ host }: Receiver) => host.store.transaction((t) => t.list("deliveries", {}));

const mac = (body: string | Buffer) => createHmac("sha256", secret).update(body).digest("hex");

describe("D51 six events at once over HTTP", () => {
  test.each([
    "svix-id",
    "ce-id",
    "i-twilio-idempotency-token",
    "x-amz-sns-message-id",
    "x-gitlab-event-uuid",
    "x-atlassian-webhook-identifier",
  ])("%s: each is kept, none twice, also by the next process", async (header) => {
    const directory = newFolder();
    const first = await receiver({}, directory);
    const six = [1, 2, 3, 4, 5, 6].map((n) => ({ headers: { [header]: `n${n}` }, body: '{"a": 1}' }));
    const statuses = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status);
    const all200 = six.map(() => 200);
    expect(statuses(await Promise.all(six.map((sent) => send(first, sent))))).toEqual(all200);
    expect(statuses(await Promise.all(six.map((sent) => send(first, sent))))).toEqual(all200);
    await first.host.idle();
    expect(await kept(first)).toHaveLength(6);
    await first.host.close();
    const second = await receiver({}, directory);
    const shouted = six.map(({ headers, body }) => ({
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
      ),
      body,
    }));
    expect(statuses(await Promise.all(shouted.map((sent) => send(second, sent))))).toEqual(all200);
    expect(await kept(second)).toHaveLength(6);
  });

  test("`delivery_id` of the config tells them apart where nothing else does", async () => {
    const made = await receiver({ delivery_id: { "!jq": ".query.n" } });
    for (const n of [1, 2, 3, 1, 2, 3]) expect((await send(made, { query: `?n=${n}` })).status).toBe(200);
    expect(await kept(made)).toHaveLength(3);
    await send(made, {});
    expect(made.numbered).toEqual([true, true, true, true, true, true, false]);
  });
});

describe("a signature that isn't right", () => {
  const body = '{"email": "a@example.com", "n": 1.0}';
  const right = mac(body);
  const wrong = mac("something else");
  const lookalike = '{"process_payload": true, "code": 200, "headers": {"set-cookie": "stolen=1"}}';

  test.each<[string, Sent]>([
    ["none", {}],
    ["an empty one", { headers: { "x-signature": "" } }],
    ["the word null", { headers: { "x-signature": "null" } }],
    ["of other bytes", { headers: { "x-signature": wrong } }],
    ["in another letter case", { headers: { "x-signature": right.toUpperCase() } }],
    ["its beginning", { headers: { "x-signature": right.slice(0, 63) } }],
    ["with more behind it", { headers: { "x-signature": `${right}0` } }],
    ["twice, the right one first", { headers: { "x-signature": [right, wrong] } }],
    ["twice, the right one last", { headers: { "x-signature": [wrong, right] } }],
    ["the right one twice", { headers: { "x-signature": [right, right] } }],
    ["in a header of a similar name", { headers: { x_signature: right, "x-signature-": right } }],
    ["in the query", { query: `?x-signature=${right}` }],
    [
      "the same JSON, written otherwise",
      { headers: { "x-signature": right }, body: body.replace("1.0", "1") },
    ],
    ["with a blank behind it", { headers: { "x-signature": right }, body: `${body} ` }],
    [
      "with a member that comes twice",
      { headers: { "x-signature": right }, body: body.replace("{", '{"email": "b@example.com", ') },
    ],
    ["in a body that looks like an answer", { body: lookalike }],
    [
      "behind a mark of byte order",
      { headers: { "x-signature": right }, body: Buffer.from(`\ufeff${body}`) },
    ],
    [
      "with a coding that nobody asked for",
      { headers: { "x-signature": right, "content-encoding": "gzip" }, body: `${body}\n` },
    ],
  ])("%s: refused, and nothing is kept", async (_name, sent) => {
    const made = await receiver(signed);
    const answer = await send(made, { body, ...sent });
    expect(answer.status).toBe(403);
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect([await kept(made), made.taken]).toEqual([[], []]);
  });

  test.each<[string, Sent]>([
    ["as it is", { headers: { "x-signature": right } }],
    ["its name in capitals", { headers: { "X-SIGNATURE": right } }],
    ["beside other headers of one name", { headers: { "x-signature": right, "x-other": ["a", "b"] } }],
    [
      "as a plain text of the same bytes",
      { headers: { "x-signature": right, "content-type": "text/plain" } },
    ],
  ])("the right one %s: what is kept is what was signed", async (_name, sent) => {
    const made = await receiver(signed);
    expect((await send(made, { body, ...sent })).status).toBe(200);
    expect(made.taken).toEqual([{ email: "a@example.com", n: 1 }]);
  });

  test("a text in another charset is verified and kept as one and the same text", async () => {
    const made = await receiver(signed);
    const headers = { "x-signature": right, "content-type": "application/json; charset=utf-16le" };
    expect((await send(made, { headers, body: Buffer.from(body, "utf16le") })).status).toBe(200);
    expect(made.taken).toMatchObject([{ email: "a@example.com" }]);
    expect((await send(made, { headers, body })).status).toBe(403);
  });

  test("only `!respond` answers: a body that looks like its output is a payload", async () => {
    const made = await receiver({ verification: { "!jq": ".body" } });
    const answer = await send(made, { body: lookalike });
    expect([answer.status, answer.headers["set-cookie"]]).toEqual([200, undefined]);
    expect(made.taken).toEqual([JSON.parse(lookalike)]);
  });

  test("D45: `query_params` is another name of `query`", async () => {
    const { verification } = signed;
    const byQuery = JSON.parse(
      JSON.stringify(verification).replace('.headers[\\"x-signature\\"]', ".query_params.sig"),
    ) as object;
    const made = await receiver({ verification: byQuery });
    expect((await send(made, { body, query: `?sig=${right}` })).status).toBe(200);
    // Twice is a list, which equals no text.
    expect((await send(made, { body, query: `?sig=${right}&sig=${right}` })).status).toBe(403);
  });
});
