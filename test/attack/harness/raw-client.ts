import { connect } from "node:net";
import { type Move, play } from "./moves.ts";

/** What came back over one connection. */
export interface Talk {
  readonly received: Buffer;
  /** How it ended: in order, cut with RST, or not at all while we waited. */
  readonly end: "closed" | "reset" | "open";
}

/**
 * Opens a connection to loopback, makes the moves, and listens until the other side ends it.
 *
 * @param patience ms after which we end it ourselves
 */
export async function talk(port: number, moves: readonly Move[], patience = 20_000): Promise<Talk> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const received: Buffer[] = [];
  let end: Talk["end"] = "open";
  socket.on("data", (bytes: Buffer) => received.push(bytes));
  const over = new Promise<void>((resolve) => {
    socket.on("end", () => {
      end = "closed";
      resolve();
    });
    socket.on("error", () => {
      end = "reset";
      resolve();
    });
    socket.on("close", () => resolve());
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patience);
  });
  const played = play(socket, moves);
  await Promise.race([over, late]);
  clearTimeout(timer);
  socket.destroy();
  await played;
  return { received: Buffer.concat(received), end };
}

/** Of the first answer; 0 if it isn't one. */
export function statusOf({ received }: Talk): number {
  return Number(/^HTTP\/1\.[01] (\d{3})/.exec(received.toString("latin1"))?.[1] ?? 0);
}
