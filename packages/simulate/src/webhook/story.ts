import type { Exchange } from "../exchange.ts";
import type { Breach } from "../laws/law.ts";
import type { Way } from "../report.ts";
import { abridged, MOST_LINES } from "../story/abridged.ts";
import type { Cure } from "../story/cure.ts";
import { addressTold } from "../story/role-summary.ts";
import { clockTime } from "../story/times.ts";
import { faultTold } from "../world/fault.ts";
import type { Sent, StepLog, WebhookLog } from "./log.ts";
import type { WebhookProtocol } from "./protocol.ts";

/** What has to be so at the service for a world to be as it is, a phrase each. */
export function webhookNeeds({ world }: WebhookLog): readonly string[] {
  const { events, installations, faults } = world;
  const has = (is: (event: (typeof events)[number]) => boolean): boolean => events.some(is);
  return [
    ...(has(({ times }) => times > 1) ? ["deliveries that are sent twice"] : []),
    ...(has(({ times }) => times > 1) && !world.isNumbered ? ["deliveries without a number"] : []),
    ...(has(({ later }) => later > 0) ? ["deliveries in another order"] : []),
    ...(has(({ forged }) => forged !== undefined) ? ["somebody who knows the URL"] : []),
    ...(has(({ what }) => what !== "create") ? ["records that change"] : []),
    ...(world.duringImport > 0 ? ["deliveries during the import"] : []),
    ...(world.isSpaced ? ["bodies with blanks and escapes that nobody needs"] : []),
    ...(installations > 1 ? [`${installations} installations`] : []),
    ...(world.isSetUpAgain ? ["a customer who goes through the setup again"] : []),
    ...(world.gaps ? ["optional members that are absent or null"] : []),
    ...(world.isForeign ? ["texts in other scripts"] : []),
    ...new Set(faults.map(faultTold)),
  ];
}

/** What happened in a world, as far as it shows how a law is broken. */
export function webhookStory(log: WebhookLog, { cycles, records }: Breach): readonly string[] {
  const lines = log.steps.flatMap((step) => tellStep(step, log));
  const shown =
    lines.length <= MOST_LINES
      ? lines
      : lines.filter(({ step, isAlways }) => isAlways || cycles.includes(step));
  const texts = shown.map(({ text }) => text);
  const last = epilogue(log, records);
  return [...abridged(texts, MOST_LINES - last.length), ...last];
}

interface Line {
  readonly step: number;
  readonly text: string;
  readonly isAlways: boolean;
}

function tellStep(step: StepLog, log: WebhookLog): readonly Line[] {
  const { number, what, at, failure, hasDied } = step;
  const lines: { at: number; text: string; isAlways: boolean }[] = step.exchanges.map((exchange) => ({
    at: exchange.at,
    text: `${what}: ${exchangeTold(exchange)}`,
    isAlways: exchange.fault !== undefined,
  }));
  for (const sent of log.sent.filter(({ event }) => event === step.event))
    lines.push({ at, text: sentTold(sent), isAlways: false });
  if (hasDied) lines.push({ at, text: `${what}: the process ends, and another one goes on`, isAlways: true });
  if (failure !== undefined) lines.push({ at, text: `${what} failed: ${failure.message}`, isAlways: true });
  if (lines.length === 0) lines.push({ at, text: `${what}: the app sends nothing`, isAlways: false });
  return lines
    .sort((a, b) => a.at - b.at)
    .map(({ at: time, text, isAlways }) => ({ step: number, text: `${clockTime(time)}  ${text}`, isAlways }));
}

function exchangeTold({ method, url, status, fault, body }: Exchange): string {
  const { pathname } = new URL(url);
  const hook = /\/hooks\/([\w-]+)/.exec(decodeURIComponent(body ?? ""))?.[1];
  const said = fault === undefined ? `${status ?? "no answer"}` : faultTold({ what: fault });
  return `${method} ${pathname}${hook === undefined ? "" : ` with the URL of ${hook}`} → ${said}`;
}

function sentTold({ record, version, forged, answers, hook }: Sent): string {
  const what =
    forged === undefined
      ? `the service tells hook ${hook} of r${record}${version > 1 ? ` (change ${version - 1})` : ""}`
      : `a stranger calls the URL ${{ unsigned: "without a proof", signature: "with a wrong proof", body: "with the proof of another body" }[forged]}`;
  const times = answers.length > 1 ? `, ${answers.length} times` : "";
  return `${what}${times} → ${[...new Set(answers)].join(", ") || "no answer"}`;
}

/** What is left in the end: webhooks, and what never came. */
function epilogue({ hooks, kept, sent }: WebhookLog, records: readonly number[]): readonly string[] {
  const left = hooks.filter(({ removedAt }) => removedAt === undefined);
  if (left.length > 0)
    return [`Left at the service: ${left.map(({ number }) => `hook ${number}`).join(", ")}.`];
  const [record] = records;
  const [about] = sent.filter((each) => each.record === record);
  if (about === undefined) return [];
  const items = new Map(
    kept.filter(({ text }) => about.texts.includes(text)).map(({ id, status }) => [id, status]),
  );
  return items.size === 0
    ? [`r${record} is in no item of the app.`]
    : [
        `r${record} became ${items.size === 1 ? "one item" : `${items.size} items`}: ${[...items.values()].join(", ")}.`,
      ];
}

/** Which part of the config is guilty, and what would cure it. */
export function webhookCure(
  law: string,
  { world }: WebhookLog,
  breach: Breach,
  { intake }: WebhookProtocol,
): Cure {
  const { commands } = intake;
  const at = (...names: string[]): string =>
    breach.pointer !== undefined && breach.pointer !== ""
      ? breach.pointer
      : (names.map((name) => commands[name]).find((each) => each !== undefined) ?? intake.pointer);
  const cure = (pointer: string, text: string, way: Way = "other"): Cure => ({ pointer, text, way });
  switch (law) {
    case "genuine-accepted":
      return cure(
        at("verification", "resource_id", "account_id"),
        world.isSpaced
          ? "Hash `.raw_body`, the body as it was sent: `.body` written anew is another text."
          : "Let `verification` pass what the service sends: see which secret was saved, and what is hashed.",
        world.isSpaced ? "bounds" : "other",
      );
    case "forged-refused":
      return cure(
        at("verification"),
        "Let `verification` answer `process_payload: false` wherever the proof is absent or another one, and let nothing but an equal hash pass.",
      );
    case "everything-arrives":
      return cure(
        at("delivery_id"),
        commands["delivery_id"] === undefined
          ? "Compare `resource_id` and `account_id` with what deliveries have."
          : "Let `delivery_id` give the number of the event: what has the id of a record, all changes of it have.",
      );
    case "written-once":
      return cure(
        at("delivery_id"),
        "Let `delivery_id` give what stays the same when a delivery is sent again: not the number of the try.",
      );
    case "right-customer":
      return cure(
        at("resource_id", "account_id"),
        "Let `resource_id` and `account_id` read whose a delivery is.",
      );
    case "nothing-orphaned":
      return cure(
        at("delete", "create"),
        "Save the id that `create` is given, and let `delete` and `update` name that one. Save it before anything else can fail.",
        world.faults.length > 0 ? "faults" : "other",
      );
    case "history-agrees":
      return cure(
        at("create"),
        "Let `results` of the import have all members that `source` reads, as deliveries have them.",
      );
    case "faults-only-delay":
      return cure(
        at("verification", "create"),
        "Let programs fail (`error(…)`) where an answer isn't what was asked for: then the item is tried again.",
        "faults",
      );
    case "secrets-stay":
      return cure(intake.pointer, "Leave the secret out of what is sent to another server.");
    case "requests-stay-linear":
      return cure(intake.pointer, "Ask for what an event is about, not for all that there has ever been.");
    default:
      return cure(
        at("create"),
        "Let the programs take what the service may send: `// empty`, `?` or a default.",
        world.gaps ? "bounds" : "other",
      );
  }
}

/** For what deliveries and requests are taken, a line each. */
export function webhookRoles(protocol: WebhookProtocol): readonly string[] {
  const { registers, removes, isSlot, isOnly, accountAt, resourceAt, number } = protocol;
  return [
    ...registers.map((each) => `${addressTold(each)} registers the webhook`),
    ...removes.map(
      ({ request }) =>
        `${addressTold(request)} removes ${isOnly ? "the only one of the account" : isSlot ? "the one at its address" : "the one whose id it has"}`,
    ),
    ...accountAt.map((path) => `\`.${path.join(".")}\` of a delivery is the account`),
    ...resourceAt.map((path) => `\`.${path.join(".")}\` of a delivery is the resource`),
    ...(number === undefined
      ? []
      : [
          `\`${number.path.join(".")}\` of a delivery's ${number.part} is the number of the ${number.names}${number.names === "record" ? ", which all its changes have" : ""}`,
        ]),
  ];
}
