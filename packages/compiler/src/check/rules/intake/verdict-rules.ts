import { defineRule } from "../../../findings/rule.ts";
import type { TimeForm } from "../../../flow/time-form.ts";

/** What a verdict on deliveries may be told as: they share the parts of their examples. */

const at = "/data_intake/0/verification";
const verification = (hashed: string, sha: string, test: string): string =>
  `{"!pipe": [{"!jq": "{value_to_encrypt: ${hashed}}"}, {"!sha": ${sha}}, {"!switch": {"jq": "if ${test} then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}]}`;
const keyed = '{"algorithm": "sha256", "secret": "<SIGNING_SECRET>"}';
const unsaved = (test: string): string =>
  `${test}(.headers[\\"x-token\\"] // \\"\\") == (\${data.workflow.hook_id | default} | tostring)`;
const early = (test: string): string =>
  `{"!switch": {"jq": "if ${unsaved(test)} then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}`;
const equal = ".hash == ${piped_content.0.headers.x-signature}";

const dated = '(.headers[\\"x-timestamp\\"] + \\".\\" + .raw_body)';
const fresh = "(now - (${piped_content.0.headers.x-timestamp} | tonumber)) < 300";
const ahead = "((${piped_content.0.headers.x-timestamp} | tonumber) - now) < 300";
const parsed = 'split(\\",\\") | map(split(\\"=\\") | {(.[0]): .[1]}) | add';
const fields = `(.headers[\\"x-signature\\"] | ${parsed})`;
const inFields = `.hash == (\${piped_content.0.headers.x-signature} | ${parsed}).v1`;

/** The example with its mistake in one of the texts. */
const marked = (example: string, text: string): string => example.replace(`"${text}"`, () => `«"${text}"»`);
const test = (condition: string): string => `if ${condition} then 0 else 1 end`;
const hashing = (text: string): string => `{value_to_encrypt: ${text}}`;

const freshFields = `(now - ((\${piped_content.0.headers.x-signature} | ${parsed}).t | tonumber)) < 300`;

export const acceptsForged = defineRule<{ reason: "unkeyed" | "unread" | "text" | "early" | "any" }>({
  id: "intake/accepts-forged",
  severity: "warning",
  summary: "`verification` reads the signature, but accepts deliveries with a wrong one",
  why: "The URL of a webhook doesn't stay secret. If a wrong signature is accepted, anyone who knows the URL can put contacts into your customers' accounts.",
  guards: ["D26", "D31"],
  message: ({ reason }) =>
    reason === "unkeyed"
      ? "This hash has no `secret`, so anyone can send the right hash with a forged delivery."
      : reason === "unread"
        ? "Nothing compares this `hash` with the one that was sent."
        : reason === "text"
          ? "This reads `value_to_encrypt`, the text that was hashed. Nothing compares its `hash` with the one that was sent."
          : reason === "early"
            ? "As long as nothing is saved, this accepts a delivery without any signature: it compares two empty texts."
            : "This also accepts a delivery with a wrong signature.",
  because: ({ reason }) =>
    reason === "text"
      ? ["a forged delivery can have its own text as signature", "no genuine one has"]
      : reason === "early"
        ? [
            "`create` has registered the webhook, and its `!save` hasn't run",
            "a delivery without a signature is accepted",
          ]
        : [
            reason === "unkeyed"
              ? "a forged delivery, with its own hash as signature"
              : "a forged delivery, with any signature",
            "`process_payload: true`: it goes through the pipeline",
          ],
  help: ({ reason }) =>
    reason === "unkeyed"
      ? "Add the `secret` that the sender signs with."
      : reason === "text"
        ? "Compare `.hash`."
        : reason === "early"
          ? "Refuse deliveries as long as nothing is saved, too."
          : "Accept the delivery only if the hash equals the one that was sent.",
  examples: [
    {
      title: "D31: or",
      in: "inbound-webhook",
      at,
      bad: marked(
        verification(".raw_body", keyed, `.value_to_encrypt != \\"\\" or ${equal}`),
        test(`.value_to_encrypt != \\"\\" or ${equal}`),
      ),
      good: verification(".raw_body", keyed, `.value_to_encrypt != \\"\\" and ${equal}`),
    },
    {
      title: "D31: fresh or signed",
      in: "inbound-webhook",
      at,
      bad: marked(verification(dated, keyed, `${fresh} or ${equal}`), test(`${fresh} or ${equal}`)),
      good: verification(dated, keyed, `${fresh} and ${equal}`),
    },
    {
      title: "D31: the hash isn't compared",
      in: "inbound-webhook",
      at,
      bad: verification(".raw_body", keyed, "${piped_content.0.headers.x-signature} != null").replace(
        '"!sha"',
        '«"!sha"»',
      ),
      good: verification(".raw_body", keyed, equal),
    },
    {
      title: "D31: the hash has a name that nobody reads",
      in: "inbound-webhook",
      at,
      bad: verification(
        ".raw_body",
        keyed,
        '(.hash as $mine | (\\"${piped_content.0.headers.x-signature | default}\\" | split(\\",\\") | length) > 0)',
      ).replace('"!sha"', '«"!sha"»'),
      good: verification(
        ".raw_body",
        keyed,
        '(.hash as $mine | (\\"${piped_content.0.headers.x-signature | default}\\" | split(\\",\\") | index($mine)) != null)',
      ),
    },
    {
      title: "D31: the text is compared",
      in: "inbound-webhook",
      at,
      bad: marked(
        verification(".raw_body", keyed, equal.replace(".hash", ".value_to_encrypt")),
        test(equal.replace(".hash", ".value_to_encrypt")),
      ),
      good: verification(".raw_body", keyed, equal),
    },
    {
      title: "D31: nothing is saved yet",
      in: "inbound-webhook",
      at,
      bad: marked(early(""), test(unsaved(""))),
      good: early('${data.workflow.hook_id | default} != \\"\\" and '),
    },
    {
      title: "D26: without a secret",
      in: "inbound-webhook",
      at,
      bad: verification(".raw_body", '{"algorithm": "sha256"}', equal).replace('"!sha"', '«"!sha"»'),
      good: verification(".raw_body", keyed, equal),
    },
  ],
});

export const refusesGenuine = defineRule<{ hashed: string | undefined; isByAge?: true; unit?: TimeForm }>({
  id: "intake/refuses-genuine",
  severity: "warning",
  summary: "`verification` refuses genuine deliveries",
  why: "A sender signs the body as it sends it. This compares something else, so no delivery of any customer is ever accepted.",
  guards: ["D26", "D31"],
  message: ({ hashed, isByAge, unit }) =>
    unit !== undefined
      ? `This counts a delivery of two seconds ago as too old: a comment says its time ${unit === "date" ? "as a date" : `in ${unit}`}.`
      : isByAge
        ? "This counts a delivery of two seconds ago as too old, whether it says its time in seconds or in milliseconds."
        : hashed === undefined
          ? "This refuses a delivery with the correct signature."
          : `This hashes \`${hashed}\`, without \`raw_body\`. The sender signed something else.`,
  because: () => ["a genuine delivery, with the correct signature", "it is refused"],
  help: ({ hashed, isByAge, unit }) =>
    unit === "date"
      ? "Read the date first: `fromdate`."
      : isByAge
        ? "Compare in one unit: `now` is in seconds."
        : hashed === undefined
          ? "Compare the hash with the one that was sent."
          : "Hash `.raw_body`.",
  examples: [
    {
      title: "D31: only what is older than five minutes",
      in: "inbound-webhook",
      at,
      bad: marked(
        verification(dated, keyed, `${fresh.replace("<", ">")} and ${equal}`),
        test(`${fresh.replace("<", ">")} and ${equal}`),
      ),
      good: verification(dated, keyed, `${fresh} and ${equal}`),
    },
    {
      title: "D31: an age in two units",
      in: "inbound-webhook",
      at,
      bad: marked(
        verification(dated, keyed, `${fresh.replace("now", "now * 1000")} and ${equal}`),
        test(`${fresh.replace("now", "now * 1000")} and ${equal}`),
      ),
      good: verification(dated, keyed, `${fresh} and ${equal}`),
    },
    {
      title: "D31: the signature is hashed",
      in: "inbound-webhook",
      at,
      bad: marked(
        verification(`(${fields} as $sig | \\"\\\\($sig.v1).\\\\(.raw_body)\\")`, keyed, inFields),
        test(inFields),
      ),
      good: verification(`(${fields} as $sig | \\"\\\\($sig.t).\\\\(.raw_body)\\")`, keyed, inFields),
    },
    {
      title: "D31: the prefix on the other side",
      in: "inbound-webhook",
      at,
      bad: marked(
        verification(".raw_body", keyed, '.hash == \\"sha256=${piped_content.0.headers.x-signature}\\"'),
        test('.hash == \\"sha256=${piped_content.0.headers.x-signature}\\"'),
      ),
      good: verification(
        ".raw_body",
        keyed,
        '\\"sha256=\\" + .hash == ${piped_content.0.headers.x-signature}',
      ),
    },
    {
      title: "D31: the body isn't hashed",
      in: "inbound-webhook",
      at,
      bad: marked(verification('.headers[\\"x-time\\"]', keyed, equal), hashing('.headers[\\"x-time\\"]')),
      good: verification('.headers[\\"x-time\\"] + .raw_body', keyed, equal),
    },
  ],
});

export const refusedAndProcessed = defineRule<{ code: number }>({
  id: "intake/refused-and-processed",
  severity: "warning",
  summary: "An answer refuses a delivery but processes it",
  why: "A status of 400 or more tells the sender that its delivery was refused, so it sends it again. With `process_payload: true` it is processed anyway: forged deliveries once, genuine ones several times.",
  guards: ["D26", "D31"],
  message: ({ code }) => `The sender gets ${code}, but \`process_payload: true\` processes the delivery.`,
  because: ({ code }) => [
    `the sender gets ${code}, and sends it again`,
    "each of them goes through the pipeline",
  ],
  help: () => "Remove `process_payload`, or answer with 200.",
  examples: [
    {
      title: "D26",
      in: "inbound-webhook",
      at,
      bad: verification(".raw_body", keyed, equal).replace(
        '"code": 401',
        '"code": 401, "process_payload": «true»',
      ),
      good: verification(".raw_body", keyed, equal),
    },
  ],
});

export const acceptsOld = defineRule<Record<string, never>>({
  id: "intake/accepts-old",
  severity: "warning",
  summary: "`verification` looks at the time of a delivery, but accepts old ones",
  why: "The time is signed so that nobody can send a recorded delivery again. A comparison that only keeps out times to come lets everything in that was ever recorded, as often as somebody likes.",
  guards: ["D26", "D31"],
  message: () => "This reads the time of a delivery, but a genuine one of a year ago is accepted.",
  because: () => [
    "a genuine delivery of a year ago, sent again by somebody who recorded it",
    "`process_payload: true`: it goes through the pipeline",
  ],
  help: () => "Compare how long ago it was: `now - $time < 300`.",
  examples: [
    {
      title: "D31",
      in: "inbound-webhook",
      at,
      bad: marked(verification(dated, keyed, `${ahead} and ${equal}`), test(`${ahead} and ${equal}`)),
      good: verification(dated, keyed, `${fresh} and ${equal}`),
    },
  ],
});

export const unsignedTime = defineRule<{ header?: string }>({
  id: "intake/unsigned-time",
  severity: "warning",
  summary: "`verification` looks at the time in the signature's header, but doesn't hash it",
  why: "A sender that writes `t=…,v1=…` signs the time together with the body. A hash of the body alone is another one, and every genuine delivery is refused. If the sender really signs the body alone, anyone who recorded a delivery can send it again with a new time.",
  guards: ["D26", "D31"],
  message: ({ header }) =>
    header === undefined
      ? "This hashes `raw_body` without the time that the signature's header has."
      : `This hashes \`raw_body\` without \`${header}\`. Whoever sends an old delivery again can write a new time.`,
  because: ({ header }) =>
    header === undefined
      ? ["the header has `t=…,v1=…`: the time is signed, too", "the hash of the body alone isn't `v1`"]
      : ["a recorded delivery, with a new time in its header", "the signature still fits: it is accepted"],
  help: () => 'Hash what the sender signs, such as `"\\($time).\\(.raw_body)"`.',
  examples: [
    {
      title: "D31",
      in: "inbound-webhook",
      at,
      bad: marked(verification(".raw_body", keyed, `${inFields} and ${freshFields}`), hashing(".raw_body")),
      good: verification(
        `(${fields} as $sig | \\"\\\\($sig.t).\\\\(.raw_body)\\")`,
        keyed,
        `${inFields} and ${freshFields}`,
      ),
    },
    {
      title: "D31: a header of its own",
      in: "inbound-webhook",
      at,
      bad: marked(verification(".raw_body", keyed, `${equal} and ${fresh}`), hashing(".raw_body")),
      good: verification(dated, keyed, `${equal} and ${fresh}`),
    },
  ],
});
