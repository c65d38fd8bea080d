import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { compile } from "@configc/compiler";
import { findNode } from "@configc/compiler/internal";
import { Day, type DayOptions } from "./day.ts";
import type { Answer, Fault, Signal } from "./fault.ts";

interface Place {
  readonly file: string;
  readonly line: number;
}
interface Told {
  readonly kind: string;
  readonly status?: number;
  readonly pointer: string;
  readonly message: string;
  readonly installation: string;
}

/** Has a fault happen, looks whether it is told and named, does what mends it, and looks that nothing was lost or doubled. @throws Error that says what is wrong */
export async function play(
  fault: Fault,
  given: Pick<DayOptions, "postgres" | "database" | "disk">,
): Promise<void> {
  const day = await Day.begin({ ...fault.options, ...given });
  try {
    // An hour in which all is well: nothing is told.
    await day.pass(15);
    if (day.firing.length > 0 || (await holds(day, fault.signal)))
      throw new Error(`Before anything is broken, there are signals: ${day.firing.join(", ") || "its own"}.`);
    await fault.breaks(day);
    let waited = 0;
    while (!(await holds(day, fault.signal))) {
      if (waited >= fault.within)
        throw new Error(
          `After ${waited} minutes it isn't told. What fires: ${day.firing.join(", ") || "nothing"}. ${await state(day)}`,
        );
      await day.pass(5);
      waited += 5;
    }
    const item = await soonNamed(day, fault.answer);
    await fault.mends?.(day);
    for (const act of fault.acts) {
      await day.host(act.map((each) => (each === "ITEM" ? item : each)));
      await fault.between?.(day);
    }
    if (fault.nextCycle === true) await day.pass(35);
    const lost = new Set(fault.lost);
    await day
      .until("everything has arrived", () => day.missing().every((email) => lost.has(email)))
      .catch(async (error: unknown) => {
        throw new Error(`${String(error)} Missing: ${day.missing().join(", ")}. ${await state(day)}`);
      });
    await fault.after?.(day);
    await day
      .until("nothing fails", async () => (await day.host(["failing"])).startsWith("No installation fails"))
      .catch(async (error: unknown) => {
        throw new Error(`${String(error)} ${await state(day)}`);
      });
    // The next orders come through as ever, and nothing comes again.
    await day.order(1);
    await day.pass(35);
    await day.until("the next orders have arrived", () => day.missing().every((email) => lost.has(email)));
    const wrong = day.wrong();
    if (wrong.length > 0) throw new Error(wrong.join("\n"));
    for (let left = 6; day.firing.length > 0; left--) {
      if (left === 0) throw new Error(`All is well again, but ${day.firing.join(", ")} still fires.`);
      await day.pass(15);
    }
  } finally {
    await day.close();
  }
}

async function state(day: Day): Promise<string> {
  const said = await Promise.all([["failing"], ["queues"]].map((args) => day.host(args).catch(String)));
  const lines = day.workers.flatMap(({ lines, errors }) => [
    ...lines.slice(-6).map((line) => JSON.stringify(line)),
    ...errors,
  ]);
  return [...said, ...lines].join("\n");
}

async function holds(day: Day, signal: Signal): Promise<boolean> {
  if ("alert" in signal) return day.firing.includes(signal.alert);
  if ("metric" in signal) return day.ask(signal.metric).length > 0;
  if ("log" in signal)
    return day.workers.some(({ lines }) => lines.some(({ message }) => message.startsWith(signal.log)));
  if ("readyz" in signal) return (await day.worker.readiness()) === signal.readyz;
  return (await day.hostStatus(signal.verb)).status === signal.status;
}

/** Asks again, as an operator would: on a busy machine the last of several installations fails some seconds after the first. */
async function soonNamed(day: Day, answer: Answer): Promise<string> {
  for (const end = Date.now() + 60_000; ; await sleep(500))
    try {
      return await named(day, answer);
    } catch (error) {
      if (Date.now() > end) throw error;
    }
}

/** @returns the first item that is told of @throws Error if it isn't named as it should be */
async function named(day: Day, answer: Answer): Promise<string> {
  if ("log" in answer) {
    const lines = day.workers.flatMap((worker) => worker.lines);
    if (!lines.some(({ message }) => message.includes(answer.log)))
      throw new Error(`No worker's log says “${answer.log}”. ${await state(day)}`);
    return "";
  }
  if (answer.verb === "failing") {
    const { reasons } = await day.hostJson<{
      reasons: readonly { installations: number; example: Told; place?: Place }[];
    }>("failing");
    const [reason] = reasons;
    const told = reasons.map(({ installations, example }) => ({ installations, ...example }));
    const complain = (what: string): never => {
      throw new Error(`\`failing\` ${what}: ${JSON.stringify(told, undefined, 1)}`);
    };
    if (reason === undefined || reasons.length > 1)
      return complain("tells of another number of reasons than one");
    const { kind, status, pointer, message, installation } = reason.example;
    if (kind !== answer.kind || status !== answer.status || pointer !== answer.pointer)
      complain("names another reason");
    const { installations: wanted } = answer;
    const [least, most] = typeof wanted === "number" ? [wanted, wanted] : wanted;
    if (reason.installations < least || reason.installations > most) complain("tells of others");
    if (answer.says !== undefined && !answer.says.test(message)) complain("says something else");
    if (reason.place?.line !== lineOf(day, answer.pointer))
      complain(`names line ${reason.place?.line}, not ${lineOf(day, answer.pointer)}`);
    const why = await day.host(["why", installation]);
    if (!why.includes(`shop.app.json:${lineOf(day, answer.pointer)}:`))
      throw new Error(`\`why\` names no line: ${why}`);
    const [, item = ""] = /delivers the item `([^`]+)`/.exec(why) ?? [];
    return item;
  }
  if (answer.verb === "items") {
    const { rows } = await day.hostJson<{ rows: readonly (Told & { item: string })[] }>("items", "--failed");
    const [first] = rows;
    const isIt = rows.every(
      ({ kind, pointer, message }) =>
        kind === answer.kind && pointer === answer.pointer && (answer.says?.test(message) ?? true),
    );
    if (first === undefined || rows.length !== answer.items || !isIt)
      throw new Error(`\`items\` tells of others: ${JSON.stringify(rows)}`);
    const text = await day.host(["items", "--failed"]);
    if (!text.includes(`shop.app.json:${lineOf(day, answer.pointer)}:`))
      throw new Error(`\`items\` names no line: ${text}`);
    return first.item;
  }
  const text = await day.host(answer.verb);
  if (!answer.says.test(text)) throw new Error(`\`${answer.verb.join(" ")}\` says something else: ${text}`);
  return "";
}

/** Where something stands in the config that is deployed, from 1. */
function lineOf(day: Day, pointer: string): number {
  const text = readFileSync(join(day.folder, "shop.app.json"), "utf8");
  const found = findNode(compile(text).model, pointer);
  if (!("node" in found)) throw new Error(`Nothing stands at ${pointer}.`);
  return text.slice(0, found.node.start).split("\n").length;
}
