import { builtinDialect } from "./dialect/dialect.ts";
import type { ResourceSpec } from "./resource-spec.ts";

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
