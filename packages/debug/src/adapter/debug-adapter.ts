import { resolve } from "node:path";
import { ROOT_NAMES } from "@configc/compiler/internal";
import { ProtocolServer } from "@vscode/debugadapter/lib/protocol.js";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { DebugRun } from "../node/debug-run.ts";
import type { Told } from "../session/messages.ts";
import type { Move } from "../stop/control.ts";
import type { Arrival, Step } from "../stop/timeline.ts";
import { ClientBreakpoints, isWatchable } from "./breakpoints.ts";
import { capabilities } from "./capabilities.ts";
import type { Launcher, Prepared } from "./launch.ts";
import { Places } from "./places.ts";

/** The one thread that a run has. */
const THREAD = 1;
/** Frames of one stop at most: ids of frames are never used twice. */
const FRAMES = 10_000;
/** The text of a config that isn't that of its file. */
const OTHER_TEXT = 1;

type Arguments = Readonly<Record<string, unknown>>;
type Handler = (args: never) => unknown;

/**
 * A debug adapter: the Debug Adapter Protocol on one side, a run in a thread on the other. Requests may come in any order: what needs a
 * run that isn't there, or doesn't stand, is refused with the reason.
 */
export class DebugAdapter extends ProtocolServer {
  private readonly launcher: Launcher;
  private readonly onEnd: () => void;
  private readonly breakpoints = new ClientBreakpoints();
  private readonly handlers: Readonly<Record<string, Handler>>;
  private places: Places | undefined;
  private file: string | undefined;
  private prepared: Prepared | undefined;
  private configuration: Arguments = {};
  private run: DebugRun | undefined;
  private isConfigured = false;
  private arrival: Arrival | undefined;
  private stops = 0;
  private lineBase = 1;
  private columnBase = 1;
  private isOver = false;

  /** @param onEnd is called when the client has gone, or has said that it is done */
  constructor(launcher: Launcher, onEnd: () => void) {
    super();
    this.launcher = launcher;
    this.onEnd = onEnd;
    this.handlers = this.all();
    this.on("close", () => void this.leave());
    this.on("error", () => void this.leave());
  }

  protected override dispatchRequest(request: DebugProtocol.Request): void {
    void this.handle(request);
  }

  private async handle({ seq, command, arguments: args = {} }: DebugProtocol.Request): Promise<void> {
    const response: DebugProtocol.Response = {
      seq: 0,
      type: "response",
      request_seq: seq,
      command,
      success: true,
    };
    try {
      const handler = Object.hasOwn(this.handlers, command) ? this.handlers[command] : undefined;
      if (handler === undefined) throw new Error(`There is no request “${command}” here.`);
      const body = await handler(args as never);
      if (body !== undefined) response.body = body;
    } catch (error) {
      response.success = false;
      response.message = error instanceof Error ? error.message : String(error);
      response.body = {
        error: { id: 1, format: "{text}", variables: { text: response.message }, showUser: false },
      };
    }
    this.sendResponse(response);
    await this.after(command, response.success);
  }

  /** What a client may only be told once it was answered. */
  private async after(command: string, success: boolean): Promise<void> {
    if (command === "initialize" && success) this.event("initialized");
    if ((command === "launch" || command === "attach" || command === "configurationDone") && success)
      this.begin();
    if (command === "disconnect") await this.leave();
  }

  private all(): Readonly<Record<string, Handler>> {
    const moves: Readonly<Record<string, Move>> = {
      continue: { kind: "continue" },
      reverseContinue: { kind: "reverse" },
      next: { kind: "step", step: "over" },
      stepIn: { kind: "step", step: "in" },
      stepOut: { kind: "step", step: "out" },
    };
    const moving = Object.entries(moves).map(([command, move]): [string, Handler] => [
      command,
      async () => {
        await this.standing().ask("move", move);
        return command === "continue" ? { allThreadsContinued: true } : {};
      },
    ]);
    return {
      ...Object.fromEntries(moving),
      initialize: (args: DebugProtocol.InitializeRequestArguments) => this.initialize(args),
      launch: (args: Arguments) => this.launch(args, false),
      attach: (args: Arguments) => this.launch(args, true),
      configurationDone: () => {
        this.isConfigured = true;
      },
      setBreakpoints: (args: DebugProtocol.SetBreakpointsArguments) => this.setBreakpoints(args),
      setExceptionBreakpoints: async ({ filters = [] }: DebugProtocol.SetExceptionBreakpointsArguments) => {
        const breakpoints = this.breakpoints.setFilters(filters);
        await this.run?.setBreakpoints(this.breakpoints.sent);
        return { breakpoints };
      },
      dataBreakpointInfo: (args: DebugProtocol.DataBreakpointInfoArguments) => this.dataBreakpointInfo(args),
      setDataBreakpoints: async ({ breakpoints = [] }: DebugProtocol.SetDataBreakpointsArguments) => {
        const answers = this.breakpoints.setWatched(breakpoints);
        await this.run?.setBreakpoints(this.breakpoints.sent);
        return { breakpoints: answers };
      },
      breakpointLocations: (args: DebugProtocol.BreakpointLocationsArguments) =>
        this.breakpointLocations(args),
      threads: () => ({ threads: [{ id: THREAD, name: this.prepared?.title ?? "run" }] }),
      stackTrace: (args: DebugProtocol.StackTraceArguments) => this.stackTrace(args),
      scopes: ({ frameId }: DebugProtocol.ScopesArguments) => this.scopes(frameId),
      variables: (args: DebugProtocol.VariablesArguments) => this.variables(args),
      setVariable: (args: DebugProtocol.SetVariableArguments) => this.setVariable(args),
      evaluate: (args: DebugProtocol.EvaluateArguments) => this.evaluate(args),
      completions: (args: DebugProtocol.CompletionsArguments) => this.completions(args),
      stepBack: async ({ granularity }: DebugProtocol.StepBackArguments) => {
        // A program that is gone through stage by stage is gone back through in the same way.
        const step: Step =
          granularity === "instruction" || this.arrival?.position.stage !== undefined ? "in" : "over";
        await this.standing().ask("move", { kind: "back", step });
      },
      restartFrame: async ({ frameId }: DebugProtocol.RestartFrameArguments) =>
        await this.standing().restart(this.frame(frameId)),
      restart: async () => {
        await this.run?.end();
        this.run = undefined;
        this.arrival = undefined;
        this.prepared = await this.launcher.prepare(this.configuration, false);
        this.adopt(this.prepared);
        this.begin();
      },
      gotoTargets: (args: DebugProtocol.GotoTargetsArguments) => this.gotoTargets(args),
      goto: async ({ targetId }: DebugProtocol.GotoArguments) => {
        const position = this.targets.get(targetId);
        if (position === undefined) throw new Error("There is no such place to go to.");
        await this.standing().ask("move", { kind: "goto", position });
      },
      pause: () => {
        if (this.run === undefined) throw new Error("Nothing runs yet.");
        this.run.pause();
      },
      exceptionInfo: () => ({
        exceptionId: this.arrival?.reason === "exception" ? "failure" : "none",
        description: this.arrival?.text ?? "Nothing failed here.",
        breakMode: "always",
      }),
      source: () => ({ content: this.places?.text ?? "", mimeType: "application/json" }),
      cancel: () => ({}),
      terminate: async () => await this.terminate(),
      disconnect: async () => await this.run?.end(),
      "configc/inlineValues": ({ frameId }: { readonly frameId: number }) => this.inlineValues(frameId),
    };
  }

  private initialize({
    linesStartAt1 = true,
    columnsStartAt1 = true,
  }: Partial<DebugProtocol.InitializeRequestArguments>): DebugProtocol.Capabilities {
    this.lineBase = linesStartAt1 ? 1 : 0;
    this.columnBase = columnsStartAt1 ? 1 : 0;
    return capabilities;
  }

  private async launch(configuration: Arguments, isAttach: boolean): Promise<void> {
    if (this.prepared !== undefined) throw new Error("It was launched already.");
    this.configuration = configuration;
    this.prepared = await this.launcher.prepare(configuration, isAttach);
    this.adopt(this.prepared);
    for (const note of this.prepared.notes) this.output("console", `${note}\n`);
  }

  private adopt({ compiled, file }: Prepared): void {
    this.places = new Places(compiled.model, compiled.app);
    this.file = resolve(file);
  }

  /** The run begins when the client has said all: whichever of the two it says first. */
  private begin(): void {
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

  private told(message: Exclude<Told, { kind: "answer" | "heard" | "forgotten" }>): void {
    switch (message.kind) {
      case "stopped": {
        this.arrival = message.arrival;
        this.stops++;
        const { reason, text, ids = [] } = message.arrival;
        this.event("stopped", {
          reason: reason === "end" ? "pause" : reason,
          ...(reason === "end" ? { description: "Paused at the end" } : {}),
          ...(text === undefined ? {} : { text }),
          threadId: THREAD,
          allThreadsStopped: true,
          ...(ids.length === 0 ? {} : { hitBreakpointIds: ids }),
        });
        return;
      }
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

  private async terminate(): Promise<void> {
    await this.run?.end();
    this.event("terminated");
  }

  private async leave(): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    await this.run?.end();
    this.onEnd();
  }

  /** The run, while it stands. */
  private standing(): DebugRun {
    if (this.run === undefined) throw new Error("Nothing runs yet.");
    if (this.arrival === undefined) throw new Error("The run goes on; pause it to look at it.");
    return this.run;
  }

  private async setBreakpoints({
    source,
    breakpoints = [],
  }: DebugProtocol.SetBreakpointsArguments): Promise<object> {
    const places = this.placesOf(source);
    if (places === undefined)
      return {
        breakpoints: breakpoints.map(() => ({ verified: false, message: "Another config is debugged." })),
      };
    const asked = breakpoints.map((each) => ({
      ...each,
      line: each.line - this.lineBase + 1,
      ...(each.column === undefined ? {} : { column: each.column - this.columnBase + 1 }),
    }));
    const answers = this.breakpoints.set(places, asked);
    await this.run?.setBreakpoints(this.breakpoints.sent);
    return {
      breakpoints: answers.map((answer) => ({
        ...answer,
        ...(answer.line === undefined ? {} : { line: this.line(answer.line) }),
        ...(answer.column === undefined ? {} : { column: this.column(answer.column) }),
        ...(answer.endLine === undefined ? {} : { endLine: this.line(answer.endLine) }),
        ...(answer.endColumn === undefined ? {} : { endColumn: this.column(answer.endColumn) }),
      })),
    };
  }

  /** Breakpoints may be set before it is known what is launched: then the file says it. */
  private placesOf({ path, sourceReference = 0 }: DebugProtocol.Source): Places | undefined {
    if (sourceReference !== 0 || path === undefined) return this.places;
    const file = resolve(path);
    if (this.file !== undefined && this.file !== file) return undefined;
    if (this.places === undefined) {
      const { model, app } = this.launcher.compile(file);
      return new Places(model, app);
    }
    return this.places;
  }

  private breakpointLocations({
    source,
    line,
    endLine = line,
  }: DebugProtocol.BreakpointLocationsArguments): object {
    const places = this.placesOf(source);
    const found = places?.within(line - this.lineBase + 1, endLine - this.lineBase + 1) ?? [];
    const seen = new Set<number>();
    return {
      breakpoints: found.flatMap(({ range, start }) => {
        if (seen.has(start)) return [];
        seen.add(start);
        return [{ line: this.line(range.start.line), column: this.column(range.start.column) }];
      }),
    };
  }

  private async stackTrace({ startFrame = 0, levels }: DebugProtocol.StackTraceArguments): Promise<object> {
    const frames = await this.standing().ask("stack");
    const end = levels === undefined || levels === 0 ? undefined : startFrame + levels;
    return {
      totalFrames: frames.length,
      stackFrames: frames.slice(startFrame, end).map(({ name, pointer, inProgram, restartable }, index) => {
        const range = this.places?.rangeOf(pointer, inProgram);
        return {
          id: this.stops * FRAMES + startFrame + index,
          name,
          source: this.source(),
          line: this.line(range?.start.line ?? 1),
          column: this.column(range?.start.column ?? 1),
          endLine: this.line(range?.end.line ?? 1),
          endColumn: this.column(range?.end.column ?? 1),
          canRestart: restartable,
        };
      }),
    };
  }

  private source(): DebugProtocol.Source {
    const path = this.file ?? "";
    const name = path.split(/[\\/]/).at(-1) ?? path;
    return this.prepared?.isOtherText === true
      ? { name: `${name} (as it was then)`, path, sourceReference: OTHER_TEXT }
      : { name, path };
  }

  /** Index of a frame. @throws Error for one of an earlier stop */
  private frame(id: number | undefined): number {
    if (id === undefined) return 0;
    if (Math.floor(id / FRAMES) !== this.stops) throw new Error("The run doesn't stand there any more.");
    return id % FRAMES;
  }

  private async scopes(frameId: number): Promise<object> {
    const scopes = await this.standing().ask("scopes", this.frame(frameId));
    return {
      scopes: scopes.map(({ name, reference, expensive }) => ({
        name,
        variablesReference: reference,
        expensive,
      })),
    };
  }

  private async variables({
    variablesReference,
    start,
    count,
  }: DebugProtocol.VariablesArguments): Promise<object> {
    const values = await this.standing().ask("variables", variablesReference, start, count);
    return {
      variables: values.map(({ name, text, type, reference, items, members, expression, editable }) => ({
        name,
        value: text,
        type,
        variablesReference: reference,
        ...(items === undefined ? {} : { indexedVariables: items }),
        ...(members === undefined ? {} : { namedVariables: members }),
        ...(expression === undefined ? {} : { evaluateName: expression }),
        ...(editable ? {} : { presentationHint: { attributes: ["readOnly"] } }),
      })),
    };
  }

  private async setVariable({
    variablesReference,
    name,
    value,
  }: DebugProtocol.SetVariableArguments): Promise<object> {
    const changed = await this.standing().change(variablesReference, name, value);
    if (changed.kind === "again") return { value };
    const { text, type, reference } = changed.value;
    // What is around it is another value now, too.
    this.event("invalidated", { areas: ["variables"] });
    return { value: text, type, variablesReference: reference };
  }

  private async evaluate({ expression, frameId, context }: DebugProtocol.EvaluateArguments): Promise<object> {
    const whole = context === "repl" || context === "clipboard";
    const { text, type, reference, items, members } = await this.standing().ask(
      "evaluate",
      expression.trim(),
      this.frame(frameId),
      whole,
    );
    return {
      result: text,
      type,
      variablesReference: reference,
      ...(items === undefined ? {} : { indexedVariables: items }),
      ...(members === undefined ? {} : { namedVariables: members }),
    };
  }

  /** The names that can be read, and what is in the value before the last dot. */
  private async completions({ text, column, frameId }: DebugProtocol.CompletionsArguments): Promise<object> {
    const before = text.slice(0, column - this.columnBase);
    const path = /((?:\.|\$\w+)(?:\.\w+|\[\d+\])*)\.(\w*)$/.exec(before) ?? /^()\.(\w*)$/.exec(before);
    if (path === null) {
      const names = [...ROOT_NAMES, "input", "output", "request", "answer", "mapping", "contact"];
      return { targets: names.map((name) => ({ label: `$${name}`, type: "variable" })) };
    }
    const run = this.standing();
    const frame = this.frame(frameId);
    const value = await run.ask(
      "evaluate",
      path[1] === "" || path[1] === undefined ? "." : path[1],
      frame,
      false,
    );
    const inside = value.reference === 0 ? [] : await run.ask("variables", value.reference, 0, 100);
    const names = inside.filter(({ name }) => /^[A-Za-z_]\w*$/.test(name));
    return { targets: names.map(({ name }) => ({ label: name, type: "property" })) };
  }

  private async dataBreakpointInfo({
    variablesReference,
    name,
  }: DebugProtocol.DataBreakpointInfoArguments): Promise<object> {
    let path = name;
    if (variablesReference !== undefined) {
      const values = await this.standing().ask("variables", variablesReference);
      path = values.find((each) => each.name === name)?.expression ?? name;
    }
    const dataId = path.replace(/^\$/, "");
    return isWatchable(dataId)
      ? { dataId, description: `when ${dataId} is saved with another value`, accessTypes: ["write"] }
      : {
          dataId: null,
          description: "Only keys of the polling state and of what is saved can be waited for.",
        };
  }

  private readonly targets = new Map<number, { readonly event: number; readonly stage?: number }>();

  private async gotoTargets({ source, line, column }: DebugProtocol.GotoTargetsArguments): Promise<object> {
    const place = this.placesOf(source)?.at(
      line - this.lineBase + 1,
      column === undefined ? undefined : column - this.columnBase + 1,
    );
    if (place === undefined) return { targets: [] };
    const { pointer, stage, range } = place;
    const position = await this.standing().ask("placeOf", pointer, stage);
    if (position === undefined) return { targets: [] };
    const id = this.targets.size + 1;
    this.targets.set(id, position);
    return {
      targets: [
        {
          id,
          label: "Where it was last",
          line: this.line(range.start.line),
          column: this.column(range.start.column),
        },
      ],
    };
  }

  private async inlineValues(frameId: number): Promise<object> {
    const values = await this.standing().ask("inlineValues", this.frame(frameId));
    return {
      values: values.map(({ pointer, inProgram, text }) => ({
        range: this.places?.rangeOf(pointer, inProgram),
        text,
      })),
    };
  }

  private line(line: number): number {
    return line - 1 + this.lineBase;
  }

  private column(column: number): number {
    return column - 1 + this.columnBase;
  }

  private output(category: string, output: string, pointer?: string): void {
    const range = pointer === undefined || pointer === "" ? undefined : this.places?.rangeOf(pointer);
    this.event("output", {
      category,
      output,
      ...(range === undefined ? {} : { source: this.source(), line: this.line(range.start.line) }),
    });
  }

  private event(event: string, body?: object): void {
    this.sendEvent({ seq: 0, type: "event", event, ...(body === undefined ? {} : { body }) });
  }
}
