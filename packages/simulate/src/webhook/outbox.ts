import type { Json } from "@configc/jq";
import type { Delivery } from "@configc/runtime";
import type { Kept } from "./log.ts";

/** What became of the items that deliveries and imports led to. */
export class Outbox {
  readonly kept: Kept[] = [];
  readonly #inputs = new Map<string, string>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes a row as the runtime keeps it: later ones of an item may lack its input. */
  take({ id, installation, origin, status, input, failure }: Delivery): void {
    if (input !== undefined) this.#inputs.set(id, textOf(input));
    this.kept.push({
      id,
      origin,
      installation,
      text: this.#inputs.get(id) ?? "",
      status,
      failure: failure?.message,
      isApps: failure?.kind === "AppError",
      at: this.#now(),
    });
  }
}

/** A payload as it is known again, however it was written. */
export function textOf(payload: Json): string {
  return JSON.stringify(payload);
}
