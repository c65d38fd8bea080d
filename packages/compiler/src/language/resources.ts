import { builtinDialect } from "./dialect/dialect.ts";
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

export const DEFAULT_PREFIX = builtinDialect.brand;

export const resourceSpecs: readonly ResourceSpec[] = [
  {
    name: "Contact",
    tier: "core",
    parts: ["fields", "sync"],
    readable: true,
    doc: "The platform's contact. As a source: the contact being processed; as a target: created or updated by `email`.",
    fields: [
      { id: "email", title: "Email", required: true },
      { id: "first_name", title: "First name" },
      { id: "last_name", title: "Last name" },
      { id: "phone", title: "Phone" },
    ],
  },
  {
    name: "Account",
    tier: "ext",
    parts: ["fields", "sync"],
    readable: true,
    doc: "The company that a contact belongs to.",
    fields: [],
  },
  {
    name: "Deal",
    tier: "ext",
    parts: ["fields", "sync"],
    readable: true,
    doc: "A sale in progress.",
    fields: [],
  },
  {
    name: "",
    tier: "ext",
    parts: ["fields", "sync"],
    readable: false,
    doc: "All resources at once, grouped.",
    fields: [],
  },
];
