/** Where things stand in the shop's config. */
export const places = {
  auth: "/auth/acme",
  request: "/data_intake/0/request/!pipe/0",
  page: "/data_intake/0/request/!pipe/1",
  /** The rest of an order. */
  order: "/workflows/0/data_pipeline/source/!pipe/0",
  address: "/workflows/0/data_pipeline/source/!pipe/1",
  target: "/workflows/0/data_pipeline/target",
} as const;
