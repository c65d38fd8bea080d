/** The templates of `configc init`. */
export const templateNames = ["outbound", "inbound-webhook", "inbound-polling", "historical-sync"] as const;
export type TemplateName = (typeof templateNames)[number];

/** What each is for, in a few words. */
export const templatePurposes: Readonly<Record<TemplateName, string>> = {
  outbound: "Contacts go out to another service",
  "inbound-webhook": "Another service sends what changes",
  "inbound-polling": "Another service is asked what has changed",
  "historical-sync": "First what there is, then what changes",
};
