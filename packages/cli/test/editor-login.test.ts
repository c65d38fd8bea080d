import type { LoginParams, LoginResult } from "@configc/language-server";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { CancellationTokenSource, type ProtocolConnection } from "vscode-languageserver/node";
import { Api } from "../../../test/api/api.ts";
import { peopleConfig } from "../../../test/api/config.ts";
import { CLIENT_ID, CLIENT_SECRET } from "../../../test/api/oauth.ts";
import { clientOf } from "../../language-server/test/support/in-process.ts";
import { editorLogin } from "../src/run/editor-login.ts";

/** `configc/login` with the host's own login, against an authorization server on loopback. */
const uri = "untitled:people.app.json";
const placeholders = (text: string) =>
  text.replace(CLIENT_ID, "<CLIENT_ID>").replace(CLIENT_SECRET, "<CLIENT_SECRET>");
let api: Api;
let client: ProtocolConnection;
/** What the person does when the editor is asked to open a page. */
let browse: (address: string) => boolean | Promise<boolean>;
const opened: { uri: string; external?: boolean }[] = [];

beforeAll(async () => {
  api = await Api.start();
  client = await clientOf({ login: editorLogin });
  client.onRequest("window/showDocument", async (asked: { uri: string; external?: boolean }) => {
    opened.push(asked);
    return { success: await browse(asked.uri) };
  });
  await open(client, JSON.stringify(peopleConfig(api.origin)));
});
beforeEach(() => {
  opened.length = 0;
  browse = async (address) => (await fetch(address)).ok;
});
afterAll(async () => {
  client.dispose();
  await api.close();
});

async function open(connection: ProtocolConnection, text: string, name = uri): Promise<void> {
  const textDocument = { uri: name, languageId: "appconfig", version: 1, text };
  await connection.sendNotification("textDocument/didOpen", { textDocument });
}

const logIn = (params: Partial<LoginParams> = {}): Promise<LoginResult> =>
  client.sendRequest("configc/login", {
    textDocument: { uri },
    auth: "people",
    allowPrivateNetwork: true,
    ...params,
  });

test("the browser is opened, comes back to loopback with PKCE, and the client gets tokens that work", async () => {
  const result = await logIn();
  if (!("credential" in result)) throw new Error("It needs something.");
  expect(api.oauth.accepts(`Bearer ${result.credential.access_token}`)).toBe(true);
  expect(result.credential.refresh_token).toMatch(/^canary-refresh-/);
  const [page] = opened;
  const query = new URL(page?.uri ?? "").searchParams;
  expect(page?.external).toBe(true);
  expect(query.get("code_challenge_method")).toBe("S256");
  expect(query.get("redirect_uri")).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
});

test("a token request that would be refused is told of before any page is opened", async () => {
  const result = await logIn({ allowPrivateNetwork: false });
  expect(result).toEqual({
    refused: expect.stringContaining("127.0.0.1 isn't an address of the public internet"),
  });
  expect(opened).toEqual([]);
});

test("what the config leaves open is asked for before any page is opened", async () => {
  const name = "untitled:open.app.json";
  const text = placeholders(JSON.stringify(peopleConfig(api.origin))).replace(
    `${api.origin}/oauth/token`,
    "https://${subdomain}.example.com/oauth/token",
  );
  await open(client, text, name);
  const textDocument = { uri: name };
  expect(await logIn({ textDocument })).toEqual({ needs: ["client_id", "client_secret", "subdomain"] });
  expect(opened).toEqual([]);
  const known = { clientId: CLIENT_ID, subdomain: "acme" };
  expect(await logIn({ textDocument, client: known })).toEqual({ needs: ["client_secret"] });
});

test("a client that a person gave comes back with the tokens, which are renewed by it", async () => {
  const name = "untitled:placeholders.app.json";
  await open(client, placeholders(JSON.stringify(peopleConfig(api.origin))), name);
  const given = { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
  expect(await logIn({ textDocument: { uri: name }, client: given })).toMatchObject({
    credential: { client_id: CLIENT_ID, client_secret: CLIENT_SECRET },
  });
});

test("it is cancelled while the person is at the page, and its port is free again", async () => {
  const cancel = new CancellationTokenSource();
  browse = () => true;
  const params = { textDocument: { uri }, auth: "people", allowPrivateNetwork: true };
  const running = client.sendRequest<LoginResult>("configc/login", params, cancel.token);
  await expect.poll(() => opened.length).toBe(1);
  const redirect = new URL(opened[0]?.uri ?? "").searchParams.get("redirect_uri") ?? "";
  cancel.cancel();
  await expect(running).rejects.toThrow("The login was cancelled.");
  await expect(fetch(redirect)).rejects.toThrow();
});

test("a browser that isn't opened ends it", async () => {
  browse = () => false;
  await expect(logIn()).rejects.toThrow("browser wasn't opened");
});

test.each<[string, () => Promise<unknown>, RegExp]>([
  ["an auth entry that isn't there", () => logIn({ auth: "nobody" }), /no auth entry “nobody”/],
  ["a document that isn't open", () => logIn({ textDocument: { uri: "untitled:x.app.json" } }), /isn't open/],
])("%s is refused with the reason", async (_, work, reason) => {
  await expect(work()).rejects.toThrow(reason);
});

test("a server without a login, as in a web worker, says what it lacks", async () => {
  const worker = await clientOf({});
  await open(worker, JSON.stringify(peopleConfig(api.origin)));
  const params = { textDocument: { uri }, auth: "people" };
  await expect(worker.sendRequest("configc/login", params)).rejects.toThrow("on the person's own machine");
  worker.dispose();
});
