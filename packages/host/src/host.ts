import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createVault, memoryStore } from "@configc/runtime";
import { RateLimiter } from "@configc/runtime/internal";
import { systemClock } from "./effects.ts";
import { EmbeddedEngine } from "./engine/embedded.ts";
import { hostOn } from "./hosting.ts";
import type { Host, HostingOptions } from "./hosting-types.ts";
import { embeddedPlatform, type Items, itemsInMemory, sqliteItems } from "./platform/index.ts";
import { type SqliteWindows, StateError, sqliteStore, sqliteWindows } from "./store/index.ts";

/** What `createHost` takes. */
export interface HostOptions extends HostingOptions {
  /**
   * Where the state is kept; one process at a time has it open. It is made if it isn't there, for its owner only, with the folders above
   * it. Without one the state is gone with the process.
   */
  readonly directory?: string;
  /** 32 random bytes that seal tokens in the state; needed with a directory. See `keyFile`. */
  readonly key?: Uint8Array;
  /** Keys that were in use before: they still open what they sealed. */
  readonly oldKeys?: readonly Uint8Array[];
}

/**
 * Runs apps with Node's effects and an SQLite store (design.md, "Libraries").
 *
 * @throws StateError if the state can't be opened; Error if a directory is given without a key
 */
export async function createHost(options: HostOptions): Promise<Host> {
  const { directory, key, oldKeys = [], effects } = options;
  if (directory !== undefined && key === undefined)
    throw new Error("A host with a directory needs a `key` of 32 bytes, which seals the tokens in it.");
  const vault = createVault(key ?? crypto.getRandomValues(new Uint8Array(32)), ...oldKeys);
  if (directory !== undefined) await makeFolder(directory);
  const store = directory === undefined ? memoryStore() : await sqliteStore(join(directory, "state.db"));
  const clock = effects?.clock ?? systemClock;
  let items: Items | undefined;
  let windows: SqliteWindows | undefined;
  try {
    items = directory === undefined ? itemsInMemory() : await sqliteItems(join(directory, "platform.db"));
    windows =
      directory === undefined
        ? undefined
        : await sqliteWindows(join(directory, "limits.db"), () => clock.now());
    const platform = embeddedPlatform({ items });
    return await hostOn(
      {
        store,
        vault,
        engine: new EmbeddedEngine(clock),
        rateLimits: new RateLimiter(clock, windows),
        close: async () => {
          windows?.close();
          items?.close();
        },
      },
      { ...options, effects: { platform, ...effects } },
    );
  } catch (error) {
    windows?.close();
    items?.close();
    await store.close();
    throw error;
  }
}

/** @throws StateError */
async function makeFolder(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const { message } = cause as Error;
    throw new StateError(
      `The folder for the state can't be made (${message}). Give a folder that this process may write in.`,
      { cause },
    );
  }
}
