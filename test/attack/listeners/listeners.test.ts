import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "@configc/compiler";
import { createHost, Listener, loopbackLogin, nodeHttp } from "@configc/host";
import { startDev } from "@configc/host/internal";
import { expect, onTestFinished, test } from "vitest";
import { peopleConfig } from "../../api/config.ts";
import { statusOf, talk } from "../harness/index.ts";
import { byChance, hostile } from "./requests.ts";

/** Every listener of ours goes on whatever it is sent, calls nothing a mistake of its own, and never says 500 (E26). */
const SEED = 20_261;
const COUNT = 300;

const { app } = compile(JSON.stringify(peopleConfig("http://127.0.0.1:1")));

interface Door {
  readonly port: number;
  readonly mistakes: readonly unknown[];
}

const doors: Readonly<Record<string, () => Promise<Door>>> = {
  async "the pages of dev"() {
    const directory = mkdtempSync(join(tmpdir(), "doors-"));
    const mistakes: unknown[] = [];
    const server = await startDev({
      app,
      name: "people",
      file: "people.app.json",
      directory,
      key: new Uint8Array(32),
      port: 0,
      onError: (error) => mistakes.push(error),
    });
    onTestFinished(async () => {
      await server.close(0);
      rmSync(directory, { recursive: true });
    });
    return { port: Number(new URL(server.url).port), mistakes };
  },
  async "webhooks of a host"() {
    const mistakes: unknown[] = [];
    const host = await createHost({
      apps: { people: app },
      publicUrl: "http://127.0.0.1/in",
      report: ({ error }) => error !== undefined && mistakes.push(error),
    });
    const listener = new Listener({
      async answer(request, response) {
        if (!(await host.handle(request, response))) response.writeHead(404).end();
      },
      failed: (error) => mistakes.push(error),
    });
    await listener.listen(0, "127.0.0.1");
    onTestFinished(async () => {
      await Promise.all([listener.close(0), host.close(0)]);
    });
    return { port: listener.port, mistakes };
  },
  async "a login on this machine"() {
    const http = nodeHttp();
    const ended = new AbortController();
    let ready = (_port: number): void => undefined;
    const port = new Promise<number>((resolve) => {
      ready = resolve;
    });
    const login = loopbackLogin(app, Object.keys(app.auth)[0] ?? "", {
      clientId: "id",
      clientSecret: "word",
      http,
      open: (url) => ready(Number(new URL(new URL(url).searchParams.get("redirect_uri") ?? "").port)),
      signal: ended.signal,
    });
    const over = login.catch((error: unknown) => error);
    onTestFinished(async () => {
      ended.abort();
      // It still waits for the one who was to come back: nothing else has ended it.
      expect(await over).toMatchObject({ kind: "cancelled" });
      await http.close();
    });
    return { port: await Promise.race([port, login.then(() => 0)]), mistakes: [] };
  },
};

test.each(Object.entries(doors))(
  "%s can be sent anything",
  async (_, open) => {
    const { port, mistakes } = await open();
    for (const request of [...hostile, ...byChance(SEED, COUNT)]) {
      const talked = await talk(port, [{ send: Buffer.from(request, "latin1") }]);
      expect(talked.end, `${JSON.stringify(request.slice(0, 200))} is left without an end`).not.toBe("open");
      expect(statusOf(talked), request.slice(0, 200)).not.toBe(500);
    }
    expect(mistakes).toEqual([]);
    const alive = await talk(port, [{ send: "GET /nothing HTTP/1.0\r\n\r\n" }, { hold: true }]);
    expect(statusOf(alive)).toBeGreaterThanOrEqual(400);
  },
  120_000,
);
