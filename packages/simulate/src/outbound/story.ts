import { mayWrite } from "@configc/compiler/internal";
import type { Breach } from "../laws/law.ts";
import { MOST_LINES } from "../story/abridged.ts";
import type { Cure } from "../story/cure.ts";
import { clockTime } from "../story/times.ts";
import { faultTold } from "../world/fault.ts";
import type { ContactStep, OutboundLog } from "./run.ts";
import type { OutboundSubject } from "./subject.ts";

/** What has to be so for a world to be as it is, a phrase each. */
export function outboundNeeds({ world }: OutboundLog): readonly string[] {
  const { events, known, faults } = world;
  const contacts = new Set(events.map(({ contact }) => contact)).size;
  return [
    ...(contacts > 1 ? [`${contacts} contacts`] : []),
    ...(events.length > contacts ? ["a contact that comes again"] : []),
    ...(known > 0 ? ["contacts that the service knows"] : []),
    ...(world.isSkipped ? ["a setup whose optional fields are skipped"] : []),
    ...(world.gaps ? ["optional members that are absent or null"] : []),
    ...(world.isForeign ? ["texts in other scripts"] : []),
    ...new Set(faults.map(faultTold)),
  ];
}

/** What happened in a world, as far as it shows how a law is broken. */
export function outboundStory(log: OutboundLog, { cycles }: Breach): readonly string[] {
  const lines = log.steps
    .filter(({ number }) => cycles.length === 0 || cycles.includes(number))
    .flatMap(tellStep);
  if (lines.length <= MOST_LINES) return lines;
  const half = (MOST_LINES - 1) >> 1;
  return [
    ...lines.slice(0, half),
    `          … ${lines.length - MOST_LINES + 1} more requests like these …`,
    ...lines.slice(lines.length - (MOST_LINES - 1 - half)),
  ];
}

function tellStep({
  number,
  at,
  event,
  exchanges,
  failure,
  hasDied,
  status,
}: ContactStep): readonly string[] {
  const { contact, version } = event;
  return [
    `${clockTime(at)}  event ${number}: the platform hands over contact ${contact}${version > 1 ? `, changed ${version - 1} times` : ""}`,
    ...exchanges.map(({ at: time, method, url, headers, status: answered, fault }) => {
      const { pathname, search } = new URL(url);
      const key = headers["idempotency-key"];
      return `${clockTime(time)}  ${method} ${pathname}${search}${key === undefined ? "" : ` with key ${key.slice(0, 8)}`} → ${fault === undefined ? (answered ?? "no answer") : faultTold({ what: fault })}`;
    }),
    ...(hasDied ? [`${clockTime(at)}  the process ends, and another one goes on`] : []),
    failure === undefined
      ? `          the item counts as ${status ?? "nothing"}`
      : `          the item is ${status ?? "lost"}: ${failure.message}`,
  ];
}

/** Which part of the config is guilty, and what would cure it. */
export function outboundCure(
  law: string,
  { world }: OutboundLog,
  breach: Breach,
  { workflow }: OutboundSubject,
): Cure {
  const { pointer: own } = breach;
  const pointer = own !== undefined && own !== "" ? own : (workflow.target ?? workflow.pointer);
  switch (law) {
    case "own-key":
      return {
        way: "other",
        pointer,
        text: "Make the idempotency key of all that tells one write from another: whom it is about, and what is written.",
      };
    case "written-once":
      return {
        way: world.faults.length > 0 ? "faults" : "other",
        pointer,
        text:
          world.faults.length > 0
            ? "Make the idempotency key of what stays the same when the item is tried again: not of the time, nor of chance."
            : "Send the request once.",
      };
    case "right-record":
      return {
        way: "other",
        pointer,
        text: "Look for the record by what tells contacts apart: the email address.",
      };
    case "faults-only-delay":
      return {
        way: "faults",
        pointer,
        text: "Let the programs fail (`error(…)`) where the answer isn't what was asked for: then the item is tried again, or kept as failed.",
      };
    case "secrets-stay":
      return { way: "other", pointer, text: "Leave the secret out of what is sent to another server." };
    case "requests-stay-linear":
      return {
        way: "other",
        pointer,
        text: "Ask for what a contact is about, not for all that there has ever been.",
      };
    default:
      return {
        way: world.gaps || world.isSkipped ? "bounds" : "other",
        pointer,
        text: "Let the programs take what may be absent: `// empty`, `?` or `| default`.",
      };
  }
}

/** For what requests are taken, a line each. */
export function outboundRoles({ answered }: OutboundSubject): readonly string[] {
  return answered.map(({ exchange }) => {
    const address = exchange.url.map((part) => (part.kind === "literal" ? String(part.value) : "…")).join("");
    const query = exchange.parameters.find(
      ({ place, path }) => place === "body" && path.join() === "query",
    )?.value;
    const writes = mayWrite({
      method: exchange.method,
      address,
      query: query?.kind === "literal" && typeof query.value === "string" ? query.value : undefined,
    });
    const key = [...exchange.headers.keys()].find((name) => /idempotency-(?:key|token)$/i.test(name));
    return `${exchange.method} ${address} ${writes ? `changes something${key === undefined ? "" : `, once for each \`${key}\``}` : "reads, and finds nothing of contacts that the service doesn't know"}`;
  });
}
