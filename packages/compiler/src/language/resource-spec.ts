import type { Tier } from "./schema.ts";

/** A resource of the platform (D25). The settings can rename the prefix and add more. */
export interface ResourceSpec {
  /** Without the platform's prefix: `Contact` is written `PlatformContact`; empty is the platform as a whole. */
  readonly name: string;
  readonly tier: Tier;
  /** What may follow after a dot. */
  readonly parts: readonly ResourcePart[];
  /** Whether it can be written without a part, as a pipeline's source or target. */
  readonly readable: boolean;
  readonly doc: string;
  readonly fields: readonly ResourceField[];
}

export type ResourcePart = "fields" | "sync";

export interface ResourceField {
  readonly id: string;
  readonly title: string;
  readonly required?: boolean;
}
