import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, type BrowserServer, chromium } from "playwright-core";

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** Milliseconds for anything in a page, on a machine that is busy. */
export const PAGE_PATIENCE = 60_000;

/** Why browser tests can't run on this machine, for the name of the skipped suite; undefined if they can. */
export const noChromium: string | undefined = existsSync(executablePath)
  ? undefined
  : `skipped: there is no Chromium at ${executablePath}; set CHROMIUM to its path`;

/**
 * Starts Chromium without a window, and without the requests that it makes of its own accord.
 *
 * @param path of the browser, if it isn't the one that is looked for
 */
export function launchChromium(path = executablePath): Promise<Browser> {
  return chromium.launch({ executablePath: path, args });
}

/** The same as a server, for processes that share one browser: each has contexts of its own. */
export function serveChromium(path = executablePath): Promise<BrowserServer> {
  return chromium.launchServer({ executablePath: path, args });
}

/** @param endpoint of a browser that `serveChromium` started; what was opened here is closed with the connection */
export function connectChromium(endpoint: string): Promise<Browser> {
  return chromium.connect(endpoint);
}

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface Page {
  readonly body: string;
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Serves pages by path on loopback. */
export async function servePages(
  pages: Readonly<Record<string, Page>>,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server: Server = createServer((request, response) => {
    const page = pages[request.url ?? ""];
    if (page === undefined) response.writeHead(404).end();
    else response.writeHead(200, { "content-type": page.type, ...page.headers }).end(page.body);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
