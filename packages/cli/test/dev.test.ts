import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { start } from "./support/async-cli.ts";
import { folderWith, templatePath } from "./support/cli.ts";

/** `configc dev` as a process; the pages have tests of their own. */
const config = readFileSync(templatePath("outbound"), "utf8");

test("prints where it is, keeps its state out of git, and ends in good order", async () => {
  const cwd = folderWith({ "shop.app.json": config });
  const child = start(["dev", "shop.app.json", "--port", "0"], { cwd });
  const [line] = (await once(child.process.stdout!, "data")) as [Buffer];
  const url = line.toString().trim();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  expect(await (await fetch(url)).text()).toContain("Nothing is set up yet");
  expect(readFileSync(join(cwd, ".configc/.gitignore"), "utf8")).toBe("*\n");
  expect(existsSync(join(cwd, ".configc/shop/state.db"))).toBe(true);

  const taken = start(["dev", "shop.app.json", "--directory", "other", "--port", new URL(url).port], { cwd });
  expect(await taken.done).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("can't be served: another program listens at that port"),
  });
  const second = start(["dev", "shop.app.json", "--port", "0"], { cwd });
  expect(await second.done).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("another process has the state open"),
  });

  child.process.kill("SIGINT");
  expect(await child.done).toMatchObject({
    status: 0,
    stderr: expect.not.stringContaining("mistake in configc"),
  });
});

test("a config that changes is served anew; one with errors leaves the last good version, and says so", async () => {
  const cwd = folderWith({ "shop.app.json": config });
  const child = start(["dev", "shop.app.json", "--port", "0"], { cwd });
  const [line] = (await once(child.process.stdout!, "data")) as [Buffer];
  const url = line.toString().trim();
  let told = "";
  child.process.stderr!.on("data", (chunk: Buffer) => {
    told += chunk;
  });
  const label = /"label": "([^"]+ - [^"]+)"/.exec(config)?.[1] ?? "";
  const pageHas = (text: string) =>
    expect.poll(async () => (await fetch(url)).text(), { interval: 100 }).toContain(text);
  const terminalHas = (text: RegExp) => expect.poll(() => told).toMatch(text);
  await pageHas(label);
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);

  write("shop.app.json", config.replace(label, "Shop - The new one"));
  await pageHas("Shop - The new one");
  await terminalHas(/shop\.app\.json has changed: new runs begin with it\./);

  write("shop.app.json", config.replace('"$version"', '"version"'));
  await pageHas("the last version that could goes on running");
  await pageHas("Shop - The new one");
  await terminalHas(/shop\.app\.json has changed and can't be used/);
  await terminalHas(/shop\.app\.json:\d+:\d+: .*\$version/);

  write("shop.app.json", config);
  await pageHas(label);
  await expect.poll(async () => (await fetch(url)).text()).not.toContain("goes on running");

  // Settings count too: here they make an error of something.
  write("configc.config.json", '{"rules": {"no/such-rule": "error"}}');
  await pageHas("no/such-rule");

  child.process.kill("SIGINT");
  expect(await child.done).toMatchObject({ status: 0 });
});

test.each([
  { args: ["--port", "x"], says: "--port is a number" },
  { args: ["--public-url", "here"], says: "--public-url is a URL" },
  { args: ["--base-url", "here"], says: "--base-url is a URL" },
])("wrong usage: $args", async ({ args, says }) => {
  const cwd = folderWith({ "shop.app.json": config });
  const { status, stderr } = await start(["dev", "shop.app.json", ...args], { cwd }).done;
  expect([status, stderr]).toEqual([2, expect.stringContaining(says)]);
});

test("ends in order though a request is half sent, at SIGTERM too", async () => {
  const cwd = folderWith({ "shop.app.json": config });
  const child = start(["dev", "shop.app.json", "--port", "0"], { cwd });
  const [line] = (await once(child.process.stdout!, "data")) as [Buffer];
  const { port, origin } = new URL(line.toString().trim());
  const socket = connect(Number(port), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(
    `POST /x HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: ${origin}\r\nContent-Length: 9\r\n\r\nabc`,
  );
  await once(socket, "connect");
  // What is sent later has been read later.
  expect((await fetch(`${origin}/style.css`)).status).toBe(200);

  child.process.kill("SIGTERM");
  expect(await child.done).toMatchObject({ status: 0, stderr: expect.stringContaining("comes to its end") });
  socket.destroy();
});

test("a second signal ends it at once", async () => {
  const cwd = folderWith({ "shop.app.json": config });
  const child = start(["dev", "shop.app.json", "--port", "0"], { cwd });
  let told = "";
  child.process.stderr!.on("data", (chunk: Buffer) => {
    told += chunk;
  });
  const [line] = (await once(child.process.stdout!, "data")) as [Buffer];
  const socket = connect(Number(new URL(line.toString().trim()).port), "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write("POST /x HTTP/1.1\r\n");
  await once(socket, "connect");
  child.process.kill("SIGTERM");
  await expect.poll(() => told).toContain("comes to its end");
  child.process.kill("SIGTERM");
  expect(await child.done).toMatchObject({ status: 1 });
  socket.destroy();
});
