import { basename } from "node:path";
import { Debuggee, History, Inspector, stopsOf, Timeline } from "@configc/debug";
import { Places, type Prepared } from "@configc/debug/adapter";
import { plural } from "../command-line/phrases.ts";
import { UsageError } from "../command-line/usage-error.ts";
import { hasColour, note, print, widthOf } from "../terminal/output.ts";
import { styleOf } from "../terminal/style.ts";
import { effectsOf } from "./effects.ts";

/** What of a run is printed. */
interface PrintOptions {
  /** The stages of jq programs too. */
  readonly stages: boolean;
  /** Everything at one stop, instead of the list. */
  readonly at?: number;
}

/** Stops that are printed at most: nobody reads more. */
const MOST = 10_000;

/**
 * Runs what was prepared to its end, and prints where it could have stopped.
 *
 * @returns exit status: 1 if the run failed
 */
export async function printRun(
  prepared: Prepared,
  { stages, at }: PrintOptions,
  signal: AbortSignal,
): Promise<number> {
  const { app, plan, origins, source, compiled, file, notes } = prepared;
  for (const each of notes) note(`configc: ${each}`);
  const effects = await effectsOf({ source } as Parameters<typeof effectsOf>[0], () => undefined);
  const history = new History();
  const debuggee: Debuggee = new Debuggee({
    app,
    plan,
    origins,
    effects,
    history,
    signal,
    onEvent: () => undefined,
  });
  const end = await debuggee.start();
  const redact = (text: string): string => debuggee.redact(text);
  const timeline = new Timeline({ app, history, redact, timeZone: effects.clock.timeZone ?? "UTC" });
  const inspector = new Inspector(app, timeline, redact);
  const places = new Places(compiled.model, compiled.app);
  const style = styleOf(hasColour(process.stdout));
  const width = Math.max(40, widthOf(process.stdout) ?? 120);
  let number = 0;
  let shown = 0;
  for (const position of stopsOf(timeline, stages ? "in" : "command")) {
    number++;
    if (at !== undefined && number < at) continue;
    inspector.moved(position);
    const [frame] = inspector.stack();
    if (frame === undefined) continue;
    const { start } = places.rangeOf(frame.pointer, frame);
    const where = `${basename(file)}:${start.line}:${start.column}`;
    if (at !== undefined) {
      printStop(inspector, number, places, file);
      return 0;
    }
    if (++shown > MOST) {
      note(`configc: there are more than ${MOST} stops; --at N shows a later one.`);
      break;
    }
    const value = inspector.summary(position);
    const depth = Math.max(0, inspector.stack().length - 1);
    const line = `${String(number).padStart(5)}  ${"  ".repeat(depth)}${frame.name}`;
    const room = Math.max(20, width - line.length - where.length - 6);
    const cut = value.length > room ? `${value.slice(0, room - 1)}…` : value;
    print(`${`${line}  ${style.dim(where)}  ${cut}`.trimEnd()}\n`);
  }
  if (at !== undefined)
    throw new UsageError(`The run has ${plural(number, "stop")}; there is no number ${at}.`, "debug");
  return "error" in end ? 1 : 0;
}

function printStop(inspector: Inspector, number: number, places: Places, file: string): void {
  print(`stop ${number}\n`);
  for (const frame of inspector.stack()) {
    const { name, pointer } = frame;
    const { start } = places.rangeOf(pointer, frame);
    print(`  ${name}  ${basename(file)}:${start.line}:${start.column}\n`);
  }
  for (const { name, values } of inspector.everything(0)) {
    print(`\n${name}\n`);
    for (const { name: member, text } of values) print(`  ${member}: ${text}\n`);
  }
}
