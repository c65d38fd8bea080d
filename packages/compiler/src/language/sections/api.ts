import type { Section } from "../schema.ts";
import { integer, section, url } from "../values.ts";
import { pagination } from "./pagination.ts";

const quota: Section = {
  name: "quota",
  title: "A quota",
  doc: "A number of requests in a number of seconds.",
  source: "spec: Limits",
  members: {
    requests: { value: integer({ minimum: 1 }), required: true, doc: "Number of requests.", example: 100 },
    period: { value: integer({ minimum: 1 }), required: true, doc: "Number of seconds.", example: 60 },
  },
};

const scopedQuota: Section = {
  name: "rate limit scope",
  title: "`user` or `app` of `rate_limit`",
  doc: "Quotas for reading and for writing. One of them alone is fine.",
  source: "spec: Limits",
  groups: [{ kind: "atLeastOne", members: ["read", "write", "requests"] }],
  members: {
    read: {
      value: section(() => quota),
      doc: "Quota of GET, HEAD and OPTIONS requests.",
      example: { requests: 100, period: 60 },
    },
    write: {
      value: section(() => quota),
      doc: "Quota of all other requests.",
      example: { requests: 20, period: 60 },
    },
    // D41: both straight below the scope mean reading and writing. `api/rate-limit-flat` speaks of them, not the tier.
    requests: {
      value: integer({ minimum: 1 }),
      source: "D41",
      doc: "Old form: one quota for reading and writing.",
      example: 100,
    },
    period: {
      value: integer({ minimum: 1 }),
      source: "D41",
      doc: "Old form: its seconds.",
      example: 60,
    },
  },
};

const rateLimit: Section = {
  name: "rate limit",
  title: "`api.rate_limit`",
  doc: "How many requests the service allows. `user`: each connected user has a quota; `app`: all share one.",
  source: "spec: Limits",
  groups: [{ kind: "exactlyOne", members: ["user", "app"] }],
  members: {
    user: {
      value: section(() => scopedQuota),
      doc: "Each integrating user has a separate quota.",
      example: { read: { requests: 100, period: 60 } },
    },
    app: {
      value: section(() => scopedQuota),
      doc: "All integrations share one quota.",
      example: { read: { requests: 100, period: 60 } },
    },
  },
};

export const api: Section = {
  name: "api",
  title: "`api`",
  doc: "The service's API.",
  source: "spec: api object",
  declares: "api",
  members: {
    base_url: {
      value: url(),
      required: true,
      doc: "Base URL of all API calls; each `path` is joined to it.",
      example: "https://api.example.com/v1",
    },
    rate_limit: {
      value: section(() => rateLimit),
      doc: "Quotas that the platform keeps to.",
      example: { user: { read: { requests: 100, period: 60 } } },
    },
    pagination: {
      value: section(() => pagination),
      doc: "How to read lists that have several pages. Omit it if the API isn't paginated.",
      example: { style: { type: "page" } },
    },
  },
};
