import type { Section } from "../schema.ts";
import { list, oneOf, section } from "../values.ts";
import { api } from "./api.ts";
import { authEntry } from "./auth.ts";
import { intake } from "./intake.ts";
import { objectEntry } from "./object-entry.ts";
import { workflow } from "./workflow.ts";

export const document: Section = {
  name: "document",
  title: "The document",
  doc: "An integration app: one JSON document that says how to authorise, what to listen to or poll, what to ask the customer, and what to send where.",
  source: "spec: Top-level document",
  members: {
    $version: {
      value: oneOf("2"),
      required: true,
      doc: "Version of the config language.",
      example: "2",
    },
    auth: {
      value: { kind: "map", of: authEntry, declares: "auth" },
      required: true,
      doc: "Ways to authorise with the service, by a name that you choose. Each workflow names one of them.",
      example: { acme: { type: "oauth2", configuration: {} } },
    },
    api: {
      value: section(() => api),
      required: true,
      doc: "The service's API: its base URL, rate limits and pagination.",
      example: { base_url: "https://api.example.com" },
    },
    data_intake: {
      value: list(intake),
      doc: "Where inbound data comes from: webhooks to register and endpoints to poll.",
      example: [{ type: "webhook", name: "contact.created", scope: "workflow" }],
    },
    workflows: {
      value: list(
        section(() => workflow),
        { minimum: 1 },
      ),
      required: true,
      doc: "What customers can set up; each workflow is a separate task.",
      example: [{ name: "acme-import-contacts" }],
    },
    objects: {
      value: list(section(() => objectEntry)),
      doc: "Core or custom objects that store additional data.",
      example: [],
    },
  },
};
