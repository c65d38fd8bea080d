import { ProtocolServer } from "@vscode/debugadapter/lib/protocol.js";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { ClientSession } from "./client-session.ts";
import type { Launcher } from "./launch.ts";
import { breakRequests } from "./requests/breaks.ts";
import type { Handlers } from "./requests/handlers.ts";
import { lifeRequests } from "./requests/life.ts";
import { lookRequests } from "./requests/looks.ts";
import { moveRequests } from "./requests/moves.ts";

/**
 * A debug adapter: the Debug Adapter Protocol on one side, a run in a thread on the other. Requests may come in any order: what needs a
 * run that isn't there, or doesn't stand, is refused with the reason.
 */
export class DebugAdapter extends ProtocolServer {
  private readonly session: ClientSession;
  private readonly handlers: Handlers;
  private readonly onEnd: () => void;
  private isOver = false;

  /** @param onEnd is called when the client has gone, or has said that it is done */
  constructor(launcher: Launcher, onEnd: () => void) {
    super();
    this.onEnd = onEnd;
    this.session = new ClientSession(launcher, (event, body) => this.event(event, body));
    this.handlers = {
      ...lifeRequests(this.session),
      ...breakRequests(this.session),
      ...moveRequests(this.session),
      ...lookRequests(this.session),
    };
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
      this.session.begin();
    if (command === "disconnect") await this.leave();
  }

  private async leave(): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    await this.session.run?.end();
    this.onEnd();
  }

  private event(event: string, body?: object): void {
    this.sendEvent({ seq: 0, type: "event", event, ...(body === undefined ? {} : { body }) });
  }
}
