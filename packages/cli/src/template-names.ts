/** The templates of `configc init`. */
export const templateNames = ["outbound", "inbound-webhook", "inbound-polling", "historical-sync"] as const;
export type TemplateName = (typeof templateNames)[number];
