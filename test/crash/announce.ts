import { writeSync } from "node:fs";
import type { Http, Platform, Store, TableName, Tables, Transaction } from "@configc/runtime";
import { type Phase, type Point, phaseOfKey, phaseOfRequest, phaseOfRow } from "./phases.ts";

/** Where a process is to be ended: at the n-th announcement of a phase, from 1. */
export interface Target {
  readonly phase: Phase;
  readonly nth: number;
}

/** Tells the parent on standard output which phase the process is in, and stands still at the target until it is ended. */
export class Announcer {
  readonly #target: Target | undefined;
  readonly counts: Partial<Record<Phase, number>> = {};

  constructor(target: Target | undefined) {
    this.#target = target;
  }

  at(phase: Phase | undefined, point: Point): void {
    if (phase === undefined) return;
    const nth = (this.counts[phase] ?? 0) + 1;
    this.counts[phase] = nth;
    if (this.#target?.phase !== phase || this.#target.nth !== nth) return;
    writeSync(1, `standing ${phase} ${point}\n`);
    // Nothing else in this process goes on, not even what other tasks were about to do.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }

  http(http: Http): Http {
    return {
      request: async (request) => {
        const phase = phaseOfRequest(request);
        this.at(phase, "unsent");
        const response = await http.request(request);
        this.at(phase, "answered");
        return response;
      },
    };
  }

  platform(platform: Platform): Platform {
    return {
      ...platform,
      upsert: async (resource, item, options) => {
        const phase = phaseOfKey(options.key ?? "");
        this.at(phase, "unwritten");
        const result = await platform.upsert(resource, item, options);
        this.at(phase, "written");
        return result;
      },
    };
  }

  store(store: Store): Store {
    return {
      transaction: async (work, options) => {
        let phase: Phase | undefined;
        const result = await store.transaction(async (transaction) => {
          phase = undefined;
          const given = await work(
            watched(transaction, (table, row) => {
              phase = phaseOfRow(table, row) ?? phase;
            }),
          );
          this.at(phase, "unkept");
          return given;
        }, options);
        this.at(phase, "kept");
        return result;
      },
      exclusive: (key, work, signal) => store.exclusive(key, work, signal),
      close: () => store.close(),
    };
  }
}

function watched(
  transaction: Transaction,
  written: <T extends TableName>(table: T, row: Tables[T]) => void,
): Transaction {
  return {
    get: (table, id) => transaction.get(table, id),
    put: async (table, row) => {
      written(table, row);
      await transaction.put(table, row);
    },
    delete: (table, id) => transaction.delete(table, id),
    list: (table, where, options) => transaction.list(table, where, options),
    count: (table, where) => transaction.count(table, where),
  };
}
