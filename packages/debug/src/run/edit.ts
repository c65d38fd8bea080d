import type { Json } from "@configc/runtime";

/** Something else than what a run would have had, put in by a person; it counts again whenever the run is repeated. */
export type Edit =
  /** What a command takes, or what it gives, by the event that tells it. */
  | { readonly kind: "input" | "output"; readonly event: number; readonly value: Json }
  /** A root, from an event on. */
  | { readonly kind: "root"; readonly event: number; readonly root: EditableRoot; readonly value: Json }
  /** An answer of the world: which request of the run it answers, from 0. */
  | {
      readonly kind: "answer";
      readonly event: number;
      readonly exchange: number;
      readonly status: number;
      readonly body: string;
    };

/** Roots, and what else a run of an item reads, into which a person can put another value. */
export type EditableRoot = "custom_data" | "data" | "polling_state" | "subdomain" | "mapping" | "contact";
