import { createServer } from "node:net";
import type { Readable, Writable } from "node:stream";
import { DebugAdapter } from "./debug-adapter.ts";
import type { Launcher } from "./launch.ts";

/** Serves one client on a pair of streams. @returns when it has gone */
export async function serveStreams(launcher: Launcher, input: Readable, output: Writable): Promise<void> {
  await new Promise<void>((resolve) => new DebugAdapter(launcher, resolve).start(input, output));
}

/**
 * Serves clients on a port of this machine, each with a run of its own.
 *
 * @param listening is told the port: 0 means any that is free
 * @returns when the signal ends it
 */
export async function servePort(
  launcher: Launcher,
  port: number,
  listening: (port: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    void serveStreams(launcher, socket, socket).then(() => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      listening(typeof address === "object" && address !== null ? address.port : port);
    });
    signal.addEventListener("abort", () => server.close(() => resolve()), { once: true });
  });
}
