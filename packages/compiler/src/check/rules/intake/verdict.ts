import type { Command, IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { serviceOf } from "../../../flow/counted.ts";
import { documentedTimeForm } from "../../../flow/documented-signatures.ts";
import { documentedSigned } from "../../../flow/documented-signed.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { type Verdict, verdictOn } from "../../../flow/machine/verification.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import type { TimeForm } from "../../../flow/time-form.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";
import { verificationOf } from "./commands-of.ts";
import { joinsChecksByEither } from "./either-check.ts";
import { exchangedChallenges } from "./exchanged-challenge.ts";
import { comparesHash } from "./hash-reads.ts";
import { hasOtherAlgorithm } from "./hash-settings.ts";
import { reversedIn } from "./reversed-check.ts";
import { slipsIn } from "./signature.ts";
import { unsignedAnswers } from "./unsigned-answers.ts";
import { onlyRefusals } from "./verification.ts";

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

const acceptsForged = defineRule<{ reason: "unkeyed" | "unread" | "text" | "early" | "any" }>({
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

const refusesGenuine = defineRule<{ hashed: string | undefined; isByAge?: true; unit?: TimeForm }>({
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

const refusedAndProcessed = defineRule<{ code: number }>({
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

const acceptsOld = defineRule<Record<string, never>>({
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

const unsignedTime = defineRule<{ header?: string }>({
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

const module: RuleModule = {
  rules: [acceptsForged, refusesGenuine, acceptsOld, unsignedTime, refusedAndProcessed],
  checks: {
    intake(intake, report, model) {
      const readable = verificationOf(intake, model);
      if (readable === undefined) return;
      const { root, all } = readable;
      for (const { key, argument } of all) {
        if (key !== "!respond" || argument?.kind !== "object") continue;
        const [code, passed] = [argument.get("code"), argument.get("process_payload")];
        if (
          code?.kind === "number" &&
          code.value >= 400 &&
          code.value < 600 &&
          passed?.kind === "boolean" &&
          passed.value
        ) {
          report(refusedAndProcessed, passed, { code: code.value });
          return;
        }
      }
      const isTold =
        onlyRefusals(root).length > 0 ||
        unsignedAnswers(root, intake, model).length > 0 ||
        hasOtherAlgorithm(all) ||
        exchangedChallenges(intake, model).length > 0 ||
        all.some(
          (each) => each.program !== undefined && (reversedIn(each, each.program) ?? slipsIn(each, all)),
        );
      if (isTold) return;
      const said = saidForm(root, model);
      const forms = said === undefined ? timeForms(all) : [said];
      const verdicts = (["forged", "unsigned"] as const).flatMap((delivery) =>
        forms.map((form) => verdictOn(root, delivery, true, form)),
      );
      const forged = verdicts.find(({ accepted }) => accepted === true) ?? verdicts[0]!;
      const aged = (age: number, isOrdinary = false): readonly Verdict[] =>
        forms.map((form) => verdictOn(root, "genuine", isOrdinary, form, { age }));
      const [fresh, stale] = [aged(2), aged(YEAR)];
      // What is told apart by nothing but its age.
      const [freshest, stalest] = [aged(2, true), aged(YEAR, true)];
      const works = fresh.map(({ accepted }, at) => !isUseless(accepted, stale[at]?.accepted));
      const worksAtLeast = freshest.map(({ accepted }, at) => !isUseless(accepted, stalest[at]?.accepted));
      const isBackwards = fresh.some(
        ({ accepted }, at) =>
          accepted === false &&
          (stale[at]?.accepted === true ||
            (freshest[at]?.accepted === false && stalest[at]?.accepted === true)),
      );
      const genuine =
        isBackwards && !(works.includes(true) && worksAtLeast.includes(true))
          ? fresh.find(({ accepted }) => accepted === false)!
          : refusedInAll(fresh);
      const hash = all.find(({ key }) => key === "!sha");
      const sha = hash?.member.key;
      const either = joinsChecksByEither(all);
      if (sha !== undefined && !isHashRead(all, model)) {
        const text = all.filter((each) => readsText(each, hash!));
        const only = text.length === 1 ? text[0]?.program : undefined;
        report(acceptsForged, only?.node ?? sha, { reason: only === undefined ? "unread" : "text" });
      } else if (forged.isChecked && forged.accepted === true)
        report(acceptsForged, decisionOn(forged, all, root), { reason: "any" });
      else if (either?.program !== undefined) report(acceptsForged, either.program.node, { reason: "any" });
      else if (isOpenAtFirst(root, forms, all))
        report(
          acceptsForged,
          decisionOn(verdictOn(root, "unsigned", true, forms[0]!, { isEarly: true }), all, root),
          { reason: "early" },
        );
      else if (
        genuine.isChecked &&
        genuine.accepted === false &&
        !isOfCheck(root, genuine, forms) &&
        !isOwnToken(genuine, intake)
      ) {
        const hashed =
          genuine.hashed?.includes("raw_body") === false && genuine.hashed.length > 0
            ? genuine.hashed.join(" + ")
            : undefined;
        const isByAge =
          said !== undefined &&
          timeForms(all).some((form) => verdictOn(root, "genuine", false, form).accepted === true);
        if (isByAge) {
          const at = reckoning(all)?.program?.node ?? (hash ?? root).member.key;
          report(refusesGenuine, at, { hashed: undefined, isByAge, unit: said });
          return;
        }
        const at = hashed === undefined ? decisionOn(genuine, all, hash ?? root) : hashedBy(hash!);
        report(refusesGenuine, at, { hashed });
      } else if (
        !works.includes(true) &&
        [true, false].every((each) => fresh.some(({ accepted }) => accepted === each))
      ) {
        // Few senders write a time in another unit.
        const isNeverFresh =
          fresh.length > 1 && fresh.slice(0, 2).every(({ accepted }) => accepted === false);
        const at = reckoning(all)?.program?.node ?? sha ?? root.member.key;
        if (isNeverFresh) report(refusesGenuine, at, { hashed: undefined, isByAge: true });
        else report(acceptsOld, at, {});
      } else if (
        fresh.every(
          ({ accepted, dated }, at) =>
            accepted === true && dated !== undefined && stale[at]?.accepted === true,
        ) &&
        all.some(({ program }) => program !== undefined && joinsAges(program))
      ) {
        // Each time is before the one limit or behind the other.
        report(acceptsOld, reckoning(all)?.program?.node ?? root.member.key, {});
      } else if (
        said !== undefined &&
        fresh[0]?.accepted === true &&
        stale[0]?.accepted === true &&
        timeForms(all).some((form) => keepsOut(root, form))
      ) {
        // In the other unit it would do what it is for.
        report(acceptsOld, reckoning(all)?.program?.node ?? root.member.key, {});
      } else if (
        sha !== undefined &&
        fresh.some(({ accepted }, at) => accepted !== stale[at]?.accepted && isOfBodyAlone(fresh[at]!)) &&
        !isSaidOfBodyAlone(root)
      ) {
        const header = fresh[0]?.dated?.replace(/^\w+\./, "");
        report(unsignedTime, hashedBy(hash!), header === undefined ? {} : { header });
      } else if (
        sha !== undefined &&
        genuine.hashed !== undefined &&
        !genuine.isKeyed &&
        genuine.accepted !== false
      )
        report(acceptsForged, sha, { reason: "unkeyed" });
    },
  },
};
export default module;

/** Whether a registration tells the service a hash of the hook's URL: then that is a password of its own, and no signature. */
function isOwnToken({ hashed = [] }: Verdict, intake: IntakeSymbol): boolean {
  const create = intake.commands.get("create");
  return (
    hashed.length > 0 &&
    hashed.every((name) => name.startsWith("webhook.")) &&
    create !== undefined &&
    (allIn(create) ?? []).some(({ key }) => key === "!sha")
  );
}

/** Whether what is hashed stands in the URL of a check alone, as in `.query.nonce // .raw_body`, and other deliveries are accepted. */
function isOfCheck(root: Command, { hashed = [] }: Verdict, forms: readonly TimeForm[]): boolean {
  const without = hashed.filter((each) => each.startsWith("query."));
  return (
    without.length > 0 &&
    !hashed.includes("raw_body") &&
    forms.some((form) => verdictOn(root, "genuine", false, form, { without }).accepted === true)
  );
}

/** Whether a delivery without a signature is accepted as long as nothing is saved, although it is looked at for one. */
function isOpenAtFirst(root: Command, forms: readonly TimeForm[], all: readonly Command[]): boolean {
  if (!all.some(({ program }) => /\bdata\.\w+\.\w+ *\|/.test(program?.node.value ?? ""))) return false;
  return forms.every((form) => {
    const { accepted, isChecked } = verdictOn(root, "unsigned", true, form, { isEarly: true });
    return isChecked && accepted === true;
  });
}

/** What chooses the answer of a verdict: the program of the `!switch` around it. */
function decisionOn({ answer }: Verdict, all: readonly Command[], otherwise: Command): JsonNode {
  for (let at = answer?.parent; at !== undefined; at = at.parent)
    if (at.key === "!switch" && at.program !== undefined) return at.program.node;
  const [only, ...others] = all.filter(({ key }) => key === "!switch");
  return (others.length === 0 ? only?.program?.node : undefined) ?? otherwise.member.key;
}

/** The program that makes what is hashed. */
function hashedBy(hash: Command): JsonNode {
  return hash.pipe?.children[hash.stepsRun - 1]?.program?.node ?? hash.member.key;
}

/** Whether a command behind the hash reads the text that was hashed. */
const readsText = ({ program, pipe, stepsRun }: Command, hash: Command): boolean =>
  pipe === hash.pipe && stepsRun > hash.stepsRun && /\bvalue_to_encrypt\b/.test(program?.node.value ?? "");

/** The only command that looks at the clock. */
export function reckoning(all: readonly Command[]): Command | undefined {
  const [only, ...others] = all.filter(({ program }) => /\bnow\b/.test(program?.node.value ?? ""));
  return others.length === 0 ? only : undefined;
}

/** `now - $sent < 300 or $sent - now < 300` */
const joinsAges = (program: JqProgram): boolean =>
  /\bnow\b/.test(program.node.value) &&
  nodesOfKind(program, "Logical").some(
    ({ operator, operands }) =>
      operator === "or" &&
      operands.length > 1 &&
      operands.every((operand) => {
        const node = bare(operand);
        return (
          node.kind === "Comparison" && /^[<>]/.test(node.operator) && /\bnow\b/.test(textAt(node, program))
        );
      }),
  );

/** Whether the hash has no time in it, nor anything else that may hold one. */
const isOfBodyAlone = ({ hashed, isKeyed }: Verdict): boolean =>
  isKeyed && hashed?.length === 1 && hashed[0] === "raw_body";

/** Whether a comment says that the sender signs the body and nothing else: the config can't sign more than that. */
function isSaidOfBodyAlone({ node }: Command): boolean {
  return documentedSigned(node)?.parts.every(({ kind }) => kind === "body") === true;
}

export const DAY = 86_400;
export const YEAR = 366 * DAY;

/** Whether a look at the time keeps nothing out but what is genuine, by whether what is fresh and what is old is accepted. */
export const isUseless = (fresh: boolean | undefined, stale: boolean | undefined): boolean =>
  fresh === false || (fresh === true && stale === true);

/** How the time may be written that a verification reads; it isn't known of what is no number. */
export function timeForms(all: readonly Command[]): readonly TimeForm[] {
  const isDate = all.some(({ program }) => /fromdate|strptime|date/.test(program?.node.value ?? ""));
  return isDate ? ["date"] : ["seconds", "milliseconds", "microseconds", "nanoseconds"];
}

/** Whether old deliveries are refused, and no others, if the time is written in a form. */
const keepsOut = (root: Command, form: TimeForm): boolean =>
  verdictOn(root, "genuine", false, form).accepted === true &&
  verdictOn(root, "genuine", false, form, { age: YEAR }).accepted === false;

/** How comments say that the time is written which a verification reads. */
export function saidForm(root: Command, model: Model): TimeForm | undefined {
  if (!hasComments(model)) return undefined;
  const header = /^headers\.([\w-]+)$/.exec(verdictOn(root, "genuine", true, "seconds").dated ?? "")?.[1];
  return header === undefined ? undefined : documentedTimeForm(header, root.node, serviceOf(model));
}

/** Refused certainly only where it is in whatever form the sender writes the time. */
function refusedInAll(verdicts: readonly Verdict[]): Verdict {
  return verdicts.find(({ accepted }) => accepted !== false) ?? verdicts[0]!;
}

/** Whether some of the commands may read what `!sha` gives; what is handed on as a whole may be read elsewhere. */
export function isHashRead(all: readonly Command[], { expansions }: Model): boolean {
  const inExpansions = expansions.some(
    ({ command, syntax: { path } }) =>
      command !== undefined &&
      all.includes(command) &&
      (path.length < 3 || (path[2]?.text === "hash" && command.program === undefined)),
  );
  return (
    inExpansions ||
    all.some(({ key, program }) =>
      program === undefined
        ? key === "!save" || key === "!extract"
        : program.diagnostics.length > 0 || comparesHash(program),
    )
  );
}
