import {
  type ConnectionStrategy,
  type DataCallback,
  type Disposable,
  ErrorCodes,
  LSPErrorCodes,
  Message,
  type MessageReader,
  type MessageWriter,
  type RequestMessage,
  type ResponseMessage,
} from "vscode-languageserver";
import { missingIn } from "./well-formed.ts";

/**
 * Keeps to the life of a server as the protocol has it, which the library leaves to each server: nothing is answered before
 * `initialize` or after `shutdown`, and `initialize` only once. A request that doesn't say what it is about is refused as well, and
 * such a notification is left out.
 */
export class LifecycleReader implements MessageReader {
  readonly onError: MessageReader["onError"];
  /** Never told: what was asked before the other end was closed is still answered, and then the process ends. */
  readonly onClose: MessageReader["onClose"] = () => ({ dispose: () => {} });
  readonly onPartialMessage: MessageReader["onPartialMessage"];
  /** To be written to by the connection: it sees what is answered. */
  readonly writer: MessageWriter;
  private readonly inner: MessageReader;
  private readonly unanswered = new Set<unknown>();
  private state: "new" | "initialized" | "shut down" = "new";

  constructor(inner: MessageReader, writer: MessageWriter) {
    this.inner = inner;
    this.writer = {
      onError: writer.onError,
      onClose: writer.onClose,
      write: async (message) => {
        await writer.write(message);
        if (Message.isResponse(message)) this.unanswered.delete(message.id);
      },
      end: () => writer.end(),
      dispose: () => writer.dispose(),
    };
    this.onError = inner.onError;
    this.onPartialMessage = inner.onPartialMessage;
  }

  /** Whether the client has taken its leave. */
  get isShutDown(): boolean {
    return this.state === "shut down";
  }

  /** Whether all that was asked is answered. */
  get isIdle(): boolean {
    return this.unanswered.size === 0;
  }

  listen(callback: DataCallback): Disposable {
    return this.inner.listen((message) => {
      if (!Message.isRequest(message)) {
        if (this.listensTo(message)) callback(message);
        return;
      }
      const { id } = message;
      const refusal = this.refuses(message);
      if (refusal === undefined) {
        this.unanswered.add(id);
        callback(message);
      } else {
        const response: ResponseMessage = { jsonrpc: "2.0", id, error: refusal };
        void this.writer.write(response);
      }
    });
  }

  dispose(): void {
    this.inner.dispose();
  }

  private refuses({ method, params }: RequestMessage): ResponseMessage["error"] {
    if (this.state === "shut down")
      return {
        code: ErrorCodes.InvalidRequest,
        message: "The server was shut down: only `exit` can follow.",
      };
    if (method === "initialize") {
      if (this.state === "initialized")
        return { code: ErrorCodes.InvalidRequest, message: "The server is initialized already." };
    } else if (this.state === "new") {
      return { code: ErrorCodes.ServerNotInitialized, message: "`initialize` has to come first." };
    }
    const missing = missingIn(method, params);
    if (missing !== undefined)
      return { code: ErrorCodes.InvalidParams, message: `\`${missing}\` is missing, or of another kind.` };
    if (method === "initialize") this.state = "initialized";
    if (method === "shutdown") this.state = "shut down";
    return undefined;
  }

  /** What answers or tells something: outside of a server's life only `exit` counts. A document without a text is none. */
  private listensTo(message: Message): boolean {
    if (!Message.isNotification(message) || message.method === "exit") return true;
    return this.state === "initialized" && missingIn(message.method, message.params) === undefined;
  }
}

/** Answers at once what is cancelled before its turn has come. */
export const cancelsQueued: ConnectionStrategy = {
  cancelUndispatched: (message) =>
    Message.isRequest(message)
      ? {
          jsonrpc: "2.0",
          id: message.id,
          error: { code: LSPErrorCodes.RequestCancelled, message: "Cancelled." },
        }
      : undefined,
};
