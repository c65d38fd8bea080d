import { onAbort } from "./abort.ts";
import type { Clock, Effects } from "./effects.ts";

/** What a host has to pass in, and what it may. */
export type GivenEffects = Pick<Effects, "http"> & Partial<Effects>;

/**
 * The effects, with those that every JavaScript engine has filled in: the clock, randomness, no log, no credentials, and a
 * platform that has nothing. There is no default for HTTP: which addresses an app may reach is the host's to decide (D18).
 *
 * @throws TypeError without `http`
 */
export function portableEffects(given: GivenEffects): Effects {
  if (typeof given?.http?.request !== "function")
    throw new TypeError(
      "An app needs `http` to send its requests with: pass `{http: nodeHttp()}` of @configc/host, or an object with `request(…)` of your own.",
    );
  return { ...defaults, ...definedOnly(given) };
}

/** A member that is there and undefined is the same as none. */
function definedOnly(given: GivenEffects): GivenEffects {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as unknown as GivenEffects;
}

/** Milliseconds that timers can wait at most; what is longer would be over at once. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** The clock that every JavaScript engine has. */
export const portableClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      let timer: ReturnType<typeof setTimeout>;
      const off =
        signal === undefined
          ? undefined
          : onAbort(signal, () => {
              clearTimeout(timer);
              reject(signal.reason);
            });
      // A quota may be that of a month, which takes more than one timer.
      const wait = (left: number): void => {
        timer = setTimeout(
          () => {
            if (left > LONGEST_TIMER) return wait(left - LONGEST_TIMER);
            off?.();
            resolve();
          },
          Math.min(left, LONGEST_TIMER),
        );
      };
      wait(milliseconds);
    }),
};

const defaults: Omit<Effects, "http"> = {
  clock: portableClock,
  random: {
    next: () => Math.random(),
    // 192 bits; letters and digits only, so it is safe in URLs.
    id: () =>
      Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) =>
        byte.toString(16).padStart(2, "0"),
      ).join(""),
  },
  log: { write: () => undefined },
  credentials: {
    read: async () => undefined,
    write: async () => undefined,
    markBroken: async () => undefined,
  },
  platform: { fields: noPlatform, upsert: noPlatform, sync: noPlatform },
};

async function noPlatform(resource: string): Promise<never> {
  throw new Error(
    `this host has no \`${resource}\`: pass \`platform\` beside \`http\`, or \`embeddedPlatform()\` of @configc/host.`,
  );
}
