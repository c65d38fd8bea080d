/** How a sender numbers its deliveries, and the page that says so. */
interface KnownSender {
  /** Numbers count per sender: an equal one of another sender is another number. */
  readonly sender: string;
  readonly page: string;
  /** Headers, in lower case, that make the number together. A request that lacks one of them isn't meant. */
  readonly headers?: readonly string[];
  readonly body?: NumberInBody;
  /**
   * The number may be shared by several events, or its page doesn't say that it isn't. Then it is the same delivery only with an
   * equal payload: losing a change is worse than carrying it over twice.
   */
  readonly shared?: true;
}

/** A number that stands in the body, of a sender that is known by its form. */
export interface NumberInBody {
  /** Members that the body has, and their values where these are always the same. */
  readonly where: Readonly<Record<string, string | true>>;
  /** Paths of the members that make the number together. */
  readonly number: readonly (readonly string[])[];
  /** The body is a list of such objects: their numbers make one together. */
  readonly each?: true;
}

const cloudEvent: NumberInBody = {
  where: { specversion: true, type: true },
  number: [["source"], ["id"]],
};

/** Pages that tell of more than one number. */
const GITLAB = "https://docs.gitlab.com/user/project/integrations/webhooks/#delivery-headers";
const CLOUD_EVENTS_JSON = "https://github.com/cloudevents/spec/blob/main/cloudevents/formats/json-format.md";

/**
 * The first that fits counts, so a sender's own headers stand before those that several use, and headers before bodies.
 *
 * What names a subscription, a kind of event or a try is left out: `x-gitlab-webhook-uuid`, `x-hook-uuid`, `x-zendesk-webhook-id`,
 * `x-wc-webhook-id`, `x-slack-retry-num`. So is a number that its sender calls not unique, such as `eventId` of HubSpot.
 */
export const knownSenders: readonly KnownSender[] = [
  { sender: "Svix", page: "https://docs.svix.com/idempotency", headers: ["svix-id"] },
  {
    sender: "Amazon SNS",
    page: "https://docs.aws.amazon.com/sns/latest/dg/http-header.html",
    headers: ["x-amz-sns-message-id"],
  },
  {
    sender: "Atlassian",
    page: "https://developer.atlassian.com/cloud/jira/platform/webhooks/",
    headers: ["x-atlassian-webhook-identifier"],
  },
  {
    sender: "GitHub",
    page: "https://docs.github.com/en/webhooks/using-webhooks/best-practices-for-using-webhooks",
    headers: ["x-github-delivery"],
  },
  {
    // The same for each try of one delivery, unlike `x-gitlab-event-uuid`, which webhooks that set off one another share.
    sender: "GitLab",
    page: GITLAB,
    headers: ["x-gitlab-event", "idempotency-key"],
    shared: true,
  },
  {
    sender: "GitLab",
    page: GITLAB,
    headers: ["x-gitlab-event-uuid"],
    shared: true,
  },
  {
    sender: "Twilio",
    page: "https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides",
    headers: ["i-twilio-idempotency-token"],
    shared: true,
  },
  {
    // One event may be of several topics.
    sender: "Shopify",
    page: "https://shopify.dev/docs/apps/build/webhooks/ignore-duplicates",
    headers: ["x-shopify-topic", "x-shopify-event-id"],
    shared: true,
  },
  {
    sender: "Shopify",
    page: "https://shopify.dev/docs/api/shopify-app-remix/latest/authenticate/webhook",
    headers: ["x-shopify-webhook-id"],
    shared: true,
  },
  {
    sender: "Zendesk",
    page: "https://developer.zendesk.com/documentation/webhooks/anatomy-of-a-webhook-request/",
    headers: ["x-zendesk-webhook-invocation-id"],
    shared: true,
  },
  {
    sender: "Bitbucket",
    page: "https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/",
    headers: ["x-event-key", "x-request-uuid"],
    shared: true,
  },
  {
    sender: "Contentful",
    page: "https://www.contentful.com/developers/changelog/idempotency-key-headers-for-webhook-requests/",
    headers: ["x-contentful-idempotency-key"],
  },
  {
    sender: "PandaDoc",
    page: "https://developers.pandadoc.com/changelog/2026-07-20-webhooks-deduplicate",
    headers: ["x-pandadoc-webhook-event-id"],
  },
  {
    sender: "CloudEvents",
    page: "https://github.com/cloudevents/spec/blob/main/cloudevents/bindings/http-protocol-binding.md",
    headers: ["ce-source", "ce-id"],
  },
  {
    // Without its source it isn't unique.
    sender: "CloudEvents",
    page: "https://github.com/cloudevents/spec/blob/main/cloudevents/spec.md#id",
    headers: ["ce-id"],
    shared: true,
  },
  {
    sender: "Standard Webhooks",
    page: "https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md",
    headers: ["webhook-timestamp", "webhook-id"],
  },
  {
    sender: "CloudEvents",
    page: CLOUD_EVENTS_JSON,
    body: cloudEvent,
  },
  {
    sender: "CloudEvents",
    page: CLOUD_EVENTS_JSON,
    body: { ...cloudEvent, each: true },
  },
  {
    // Its `pending_webhooks` differs from try to try.
    sender: "Stripe",
    page: "https://docs.stripe.com/webhooks#handle-duplicate-events",
    body: { where: { object: "event", type: true }, number: [["id"]] },
  },
  {
    sender: "Slack",
    page: "https://api.slack.com/types/event",
    body: { where: { type: "event_callback", team_id: true }, number: [["event_id"]] },
  },
  {
    sender: "Square",
    page: "https://developer.squareup.com/docs/webhooks/step4manage",
    body: { where: { merchant_id: true, type: true, data: true }, number: [["event_id"]] },
  },
  {
    sender: "PayPal",
    page: "https://docs.paypal.ai/reference/api/rest/webhooks-events/resend-event-notification",
    body: { where: { event_type: true, resource_type: true, resource: true }, number: [["id"]] },
  },
  {
    // `delivery_attempts` differs from try to try.
    sender: "Intercom",
    page: "https://developers.intercom.com/docs/webhooks/webhook-notifications",
    body: { where: { type: "notification_event", topic: true }, number: [["id"]] },
  },
  {
    sender: "Zendesk",
    page: "https://developer.zendesk.com/api-reference/webhooks/event-types/webhook-event-types/",
    body: { where: { zendesk_event_version: true }, number: [["id"]] },
    shared: true,
  },
  {
    sender: "SendGrid",
    page: "https://docs.sendgrid.com/for-developers/tracking-events/troubleshooting",
    body: { where: { event: true, timestamp: true }, number: [["sg_event_id"]], each: true },
  },
];
