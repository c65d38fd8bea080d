import type { CommandSpec, Section } from "../schema.ts";
import { boolean, integer, section, template } from "../values.ts";

/** HTTP has no status codes outside of these. */
export const statusCodes = { minimum: 100, maximum: 599 } as const;

const respondArgument: Section = {
  name: "!respond",
  title: "`!respond`",
  doc: "The HTTP answer to the caller.",
  source: "D26",
  members: {
    process_payload: {
      value: boolean,
      default: false,
      tier: "ext",
      doc: "Whether the pipeline processes the payload.",
      example: true,
    },
    code: {
      value: integer({ minimum: statusCodes.minimum }),
      default: 200,
      tier: "ext",
      doc: "HTTP status.",
      example: 200,
    },
    headers: {
      value: { kind: "map", of: template({ format: "header" }) },
      tier: "ext",
      doc: "Response headers.",
      example: { "content-type": "text/plain" },
    },
    body: {
      value: { kind: "data" },
      tier: "ext",
      doc: "Response body. In a `!pipe`, `${piped_content.0}` is the request that is answered.",
      example: "${piped_content.0.query.challenge}",
    },
  },
};

export const respond: CommandSpec = {
  key: "!respond",
  tier: "ext",
  source: "D26",
  doc: "Answers the caller of a webhook; only inside `verification`.",
  argument: section(() => respondArgument),
  places: ["intake.verification"],
  input: "Anything.",
  output: "The answer: `{process_payload, code, headers, body}`.",
  example: { "!respond": { code: 200, body: "ok" } },
};
