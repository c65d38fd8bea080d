import { resolve } from "node:path";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { DebugRun } from "../node/debug-run.ts";
import type { Told } from "../session/messages.ts";
import type { Arrival } from "../stop/timeline.ts";
import { ClientBreakpoints } from "./breakpoints.ts";
import type { Launcher, Prepared } from "./launch.ts";
import { Places } from "./places.ts";
import { ClientPositions } from "./positions.ts";

/** The one thread that a run has. */
export const THREAD = 1;
/** Frames of one stop at most: ids of frames are never used twice. */
const FRAMES = 10_000;
/** The text of a config that isn't that of its file. */
const OTHER_TEXT = 1;

/** A launch configuration, as the client sends it. */
export type Configuration = Readonly<Record<string, unknown>>;

/** Tells the client what happens. */
type SendEvent = (event: string, body?: object) => void;

/** What one client debugs: its config, its breakpoints, and the run, while there is one. */
export class ClientSession {
  readonly launcher: Launcher;
  readonly breakpoints = new ClientBreakpoints();
  readonly positions = new ClientPositions();
  readonly event: SendEvent;
  /** Whether the client has said all that it says before a run. */
  isConfigured = false;
  places: Places | undefined;
  run: DebugRun | undefined;
  /** Where the run stands; undefined while it goes on. */
  arrival: Arrival | undefined;
  private prepared: Prepared | undefined;
  private configuration: Configuration = {};
  private file: string | undefined;
  private stops = 0;

  constructor(launcher: Launcher, event: SendEvent) {
    this.launcher = launcher;
    this.event = event;
  }

  /** What a person calls the run. */
  get title(): string {
    return this.prepared?.title ?? "run";
  }

  async launch(configuration: Configuration, isAttach: boolean): Promise<void> {
    if (this.prepared !== undefined) throw new Error("It was launched already.");
    this.configuration = configuration;
    const { notes } = await this.prepare(isAttach);
    for (const note of notes) this.output("console", `${note}\n`);
  }

  /** From the start, with what stands in the files now. */
  async restart(): Promise<void> {
    await this.run?.end();
    this.run = undefined;
    this.arrival = undefined;
    await this.prepare(false);
    this.begin();
  }

  /** The run begins when the client has said all: whichever of the two it says first. */
  begin(): void {
    if (this.prepared === undefined || !this.isConfigured || this.run !== undefined) return;
    const { app, plan, origins, source, repeatable, afterEdit } = this.prepared;
    const { stopOnEntry, stopAtEnd, noDebug } = this.configuration;
    const breakpoints = noDebug === true ? { commands: [], filters: [], watched: [] } : this.breakpoints.sent;
    this.run = new DebugRun({
      entry: this.launcher.entry,
      job: { app, plan, origins, source, breakpoints, stopsAtEnd: stopAtEnd === true },
      stopsOnEntry: stopOnEntry === true,
      repeatable,
      ...(afterEdit === undefined ? {} : { afterEdit }),
      told: (message) => this.told(message),
    });
  }

  async sendBreakpoints(): Promise<void> {
    await this.run?.setBreakpoints(this.breakpoints.sent);
  }

  /** The run, while it stands. */
  standing(): DebugRun {
    if (this.run === undefined) throw new Error("Nothing runs yet.");
    if (this.arrival === undefined) throw new Error("The run goes on; pause it to look at it.");
    return this.run;
  }

  /** The id that a frame has for the client while the run stands here. */
  frameId(index: number): number {
    return this.stops * FRAMES + index;
  }

  /** Index of a frame. @throws Error for one of an earlier stop */
  frame(id: number | undefined): number {
    if (id === undefined) return 0;
    if (Math.floor(id / FRAMES) !== this.stops) throw new Error("The run doesn't stand there any more.");
    return id % FRAMES;
  }

  /** Breakpoints may be set before it is known what is launched: then the file says it. */
  placesOf({ path, sourceReference = 0 }: DebugProtocol.Source): Places | undefined {
    if (sourceReference !== 0 || path === undefined) return this.places;
    const file = resolve(path);
    if (this.file !== undefined && this.file !== file) return undefined;
    if (this.places === undefined) {
      const { model, app } = this.launcher.compile(file);
      return new Places(model, app);
    }
    return this.places;
  }

  source(): DebugProtocol.Source {
    const path = this.file ?? "";
    const name = path.split(/[\\/]/).at(-1) ?? path;
    return this.prepared?.isOtherText === true
      ? { name: `${name} (as it was then)`, path, sourceReference: OTHER_TEXT }
      : { name, path };
  }

  output(category: string, output: string, pointer?: string): void {
    const range = pointer === undefined || pointer === "" ? undefined : this.places?.rangeOf(pointer);
    this.event("output", {
      category,
      output,
      ...(range === undefined ? {} : { source: this.source(), line: this.positions.line(range.start.line) }),
    });
  }

  private async prepare(isAttach: boolean): Promise<Prepared> {
    const prepared = await this.launcher.prepare(this.configuration, isAttach);
    const { compiled, file } = prepared;
    this.prepared = prepared;
    this.places = new Places(compiled.model, compiled.app);
    this.file = resolve(file);
    return prepared;
  }

  private told(message: Exclude<Told, { kind: "answer" | "heard" | "forgotten" }>): void {
    switch (message.kind) {
      case "stopped":
        this.arrival = message.arrival;
        this.stops++;
        this.event("stopped", stoppedBody(message.arrival));
        return;
      case "continued":
        this.arrival = undefined;
        this.event("continued", { threadId: THREAD, allThreadsContinued: true });
        return;
      case "output": {
        const { category, text, pointer } = message;
        this.output(category, text.endsWith("\n") ? text : `${text}\n`, pointer);
        return;
      }
      case "renewed":
        this.event("configc/credentialRenewed", { auth: message.auth, credential: message.credential });
        return;
      case "ended":
        void this.ended(message);
    }
  }

  private async ended({ output, error }: Extract<Told, { kind: "ended" }>): Promise<void> {
    this.arrival = undefined;
    if (error !== undefined) this.output("stderr", `${error.kind}: ${error.message}\n`, error.pointer);
    else this.output("stdout", `${output}\n`);
    await this.run?.end();
    this.event("exited", { exitCode: error === undefined ? 0 : 1 });
    this.event("terminated");
  }
}

function stoppedBody({ reason, text, ids = [] }: Arrival): object {
  return {
    reason: reason === "end" ? "pause" : reason,
    ...(reason === "end" ? { description: "Paused at the end" } : {}),
    ...(text === undefined ? {} : { text }),
    threadId: THREAD,
    allThreadsStopped: true,
    ...(ids.length === 0 ? {} : { hitBreakpointIds: ids }),
  };
}
