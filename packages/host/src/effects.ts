import { randomFillSync } from "node:crypto";
import { type Clock, type Effects, type Log, portableClock, type Random } from "@configc/runtime";
import { credentialsInMemory } from "./credentials/memory.ts";
import { type HttpOptions, nodeHttp } from "./http/index.ts";
import { processMemory } from "./memory/index.ts";
import { embeddedPlatform } from "./platform/index.ts";
import { tell } from "./stderr.ts";

/** The machine's clock. */
export const systemClock: Clock = portableClock;

/** Bytes of an id: 192 bits. */
const ID = 24;
/** For many ids at once: to ask the system costs as much for one as for all of them. */
const drawn = Buffer.alloc(128 * ID);
let used = drawn.length;

/** Each byte is used once, and isn't kept. */
function secureId(): string {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  const bytes = drawn.subarray(used, (used += ID));
  const id = bytes.toString("base64url");
  bytes.fill(0);
  return id;
}

/** Chance as the machine gives it; ids are from its secure source. */
export const systemRandom: Random = { next: () => Math.random(), id: secureId };

/** One line an entry on standard error. */
export const stderrLog: Log = {
  write: ({ pointer, message }) => tell(`${pointer}: ${message}`),
};

/** All effects of Node. Credentials and the platform are in memory: a host has its own to pass in. */
export function nodeEffects(options: HttpOptions = {}): Effects {
  return {
    clock: systemClock,
    random: systemRandom,
    log: stderrLog,
    http: nodeHttp(options),
    credentials: credentialsInMemory(),
    platform: embeddedPlatform(),
    memory: processMemory(),
  };
}
