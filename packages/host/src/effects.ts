import { randomBytes } from "node:crypto";
import { type Clock, type Effects, type Log, portableClock, type Random } from "@configc/runtime";
import { credentialsInMemory } from "./credentials/memory.ts";
import { type HttpOptions, nodeHttp } from "./http/index.ts";
import { processMemory } from "./memory/index.ts";
import { embeddedPlatform } from "./platform/index.ts";
import { tell } from "./stderr.ts";

/** The machine's clock. */
export const systemClock: Clock = portableClock;

/** Chance as the machine gives it; ids are from its secure source. */
export const systemRandom: Random = {
  next: () => Math.random(),
  // 192 bits.
  id: () => randomBytes(24).toString("base64url"),
};

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
