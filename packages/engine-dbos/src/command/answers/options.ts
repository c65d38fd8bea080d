import type { Option } from "../usage.ts";

/** Of all verbs that list. */
export const filters: Readonly<Record<string, Option>> = {
  app: { value: "NAME", help: "only of this app" },
  customer: { value: "ID", help: "only of this customer" },
  installation: { value: "ID", help: "only of this installation" },
};

export const paging: Readonly<Record<string, Option>> = {
  limit: { value: "N", help: "rows of a page (50, at most 1000)" },
  after: { value: "NEXT", help: "the next page, as the one before says" },
};
