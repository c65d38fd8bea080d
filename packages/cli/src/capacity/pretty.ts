import type { Capacity, Load, Requests, WorkflowCapacity } from "@configc/simulate";
import { plural } from "../command-line/phrases.ts";
import { type Style, styleOf } from "../terminal/style.ts";

/** What an app needs, for a person. */
export function pretty(found: Capacity, customers: number | undefined, colour: boolean): string {
  const style = styleOf(colour);
  return [
    `Limit: ${limitText(found)}`,
    "",
    ...found.workflows.flatMap((each) => [...workflowLines(each, found, customers, style), ""]),
  ].join("\n");
}

function limitText({ limit }: Capacity): string {
  if (limit === undefined) return "none is declared in `api.rate_limit`.";
  const { scope, read, write } = limit;
  const quotas = ([["reads", read] as const, ["writes", write] as const] as const).flatMap(([name, quota]) =>
    quota === undefined ? [] : [`${number(quota.requests)} ${name} in ${duration(quota.period)}`],
  );
  return `${quotas.join(" and ")}, ${scope === "app" ? "for all customers together" : "for each customer"}.`;
}

const things = { polling: "record", history: "record", webhook: "delivery", outbound: "contact" } as const;
const many = { polling: "records", history: "records", webhook: "deliveries", outbound: "contacts" } as const;

function workflowLines(
  found: WorkflowCapacity,
  { items, changes }: Capacity,
  customers: number | undefined,
  style: Style,
): string[] {
  const { workflow, kind, perItem, quietCycle, first, fullCycle, period, day, assumptions, fits } = found;
  const lines = [
    style.bold(workflow),
    line(`each ${things[kind]}`, requestsText(perItem)),
    ...(quietCycle === undefined ? [] : [line("a cycle with nothing new", requestsText(quietCycle))]),
    line(`${number(first.items)} ${many[kind]}`, loadText(first)),
  ];
  if (kind === "polling" && first.cycles > 1)
    lines.push(
      line("", `in ${first.cycles} cycles; ${duration(first.recurring)} where each waits for its period`),
    );
  if (first.items < items)
    lines.push(line("", style.yellow(`of ${number(items)}: an import ends after 100 requests`)));
  if (fullCycle !== undefined && period !== undefined) {
    const text = `${number(fullCycle.items)} records, ${loadText(fullCycle)}`;
    lines.push(
      line("a full cycle", fits ? text : style.red(`${text}: longer than its period, ${duration(period)}`)),
    );
  }
  lines.push(line(`a day with ${plural(changes, "change")}`, loadText(day)));
  const { customers: room } = found;
  if (room !== undefined) {
    const text = `${number(room)} such customers share the quota`;
    const isShort = customers !== undefined && room < customers;
    lines.push(line("customers", isShort ? style.red(`${text}, and not ${number(customers)}`) : text));
  }
  return [...lines, ...assumptions.map((each) => `  ${style.dim(each)}`)];
}

function line(label: string, text: string): string {
  return `  ${`${label}${label === "" ? " " : ":"}`.padEnd(26)} ${text}`;
}

function loadText({ requests, seconds }: Load): string {
  return requests.read + requests.write === 0
    ? "no requests"
    : `${requestsText(requests)}, ${duration(seconds)}`;
}

function requestsText({ read, write }: Requests): string {
  const parts = [
    ...(read === 0 ? [] : [`${number(read)} read${read === 1 ? "" : "s"}`]),
    ...(write === 0 ? [] : [`${number(write)} write${write === 1 ? "" : "s"}`]),
  ];
  return parts.length === 0 ? "no requests" : parts.join(" and ");
}

/** `10,000`, `0.5` */
function number(value: number): string {
  return (value < 10 ? Math.round(value * 10) / 10 : Math.round(value)).toLocaleString("en-US");
}

/** `2 h 47 min`, `41 s` */
function duration(seconds: number): string {
  if (seconds < 1) return "less than 1 s";
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? `${days} days` : `${days} days ${hours % 24} h`;
}
