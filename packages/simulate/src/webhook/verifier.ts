import type { App } from "@configc/compiler";
import type { Json, JsonObject } from "@configc/jq";
import { createTracer, RunError, type Runtime, type TraceListener } from "@configc/runtime";
import { bodyOf } from "../service/routes.ts";
import type { WebhookProtocol } from "./protocol.ts";

/** A request to a webhook, as its sender makes it. */
export interface Call {
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What an app says to a request, and what it hashed for it. */
export interface Verdict {
  readonly passes: boolean;
  /** Where `verification` answered by itself. */
  readonly status: number | undefined;
  readonly said: string;
  /** Why it couldn't be run to its end; an `!error` of the app is none. */
  readonly failure: { readonly message: string; readonly pointer: string } | undefined;
  readonly hashed: { readonly message: string; readonly hash: string } | undefined;
}

/** Asks an app's own `verification`, with the real runtime, and without a delivery. */
export class Verifier {
  readonly #runtime: Runtime;
  readonly #protocol: WebhookProtocol;
  readonly #context: { readonly data: JsonObject; readonly custom_data: JsonObject };

  /** @param context what was saved, and what the customer chose */
  constructor(
    runtime: Runtime,
    protocol: WebhookProtocol,
    context: { readonly data: JsonObject; readonly custom_data: JsonObject },
  ) {
    this.#runtime = runtime;
    this.#protocol = protocol;
    this.#context = context;
  }

  async ask({ method, headers, query, body }: Call, url: string): Promise<Verdict> {
    const command = this.#protocol.intake.commands["verification"];
    if (command === undefined)
      return { passes: true, status: undefined, said: "", failure: undefined, hashed: undefined };
    let hashed: Verdict["hashed"];
    const listener: TraceListener = ({ kind, node, data }) => {
      if (kind === "end" && node === this.#protocol.signs?.pointer) hashed = hashedIn(data.output);
    };
    try {
      const output = await this.#runtime.run(command, {
        input: { method, headers, query, query_params: query, body: bodyOf(body), raw_body: body },
        context: { ...this.#context, webhook: { url } },
        trace: createTracer(clock, listener),
      });
      return { ...answerIn(output), failure: undefined, hashed };
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      const { kind, message, pointer } = error;
      return {
        passes: false,
        status: 403,
        said: "",
        failure: kind === "AppError" ? undefined : { message, pointer },
        hashed,
      };
    }
  }

  /** The hash that the app's `!sha` makes of a text, with the secret that it has. */
  async hash(message: string): Promise<string | undefined> {
    const { signs } = this.#protocol;
    if (signs === undefined) return undefined;
    try {
      const output = await this.#runtime.run(signs.pointer, {
        input: { value_to_encrypt: message },
        context: this.#context,
      });
      return hashedIn(output)?.hash;
    } catch (error) {
      if (error instanceof RunError) return undefined;
      throw error;
    }
  }
}

const clock = { now: () => 0 } as unknown as Parameters<typeof createTracer>[0];

function answerIn(output: Json): Pick<Verdict, "passes" | "status" | "said"> {
  const isAnswer =
    typeof output === "object" && output !== null && "process_payload" in output && "code" in output;
  if (!isAnswer) return { passes: true, status: undefined, said: "" };
  const answer = output as JsonObject;
  return {
    passes: answer["process_payload"] === true,
    status: Number(answer["code"]),
    said: JSON.stringify([answer["body"] ?? "", answer["headers"] ?? {}]),
  };
}

function hashedIn(output: unknown): Verdict["hashed"] {
  const { value_to_encrypt: message, hash } = (output ?? {}) as JsonObject;
  return typeof message === "string" && typeof hash === "string" ? { message, hash } : undefined;
}

/** The algorithm that a `!sha` names. */
export function algorithmOf(app: App, { signs }: WebhookProtocol): string {
  const argument = signs === undefined ? undefined : app.commands[signs.pointer]?.argument;
  const text = JSON.stringify(argument ?? {});
  return /"(md5|sha\d+|sha3_\d+|blake2[bs])"/.exec(text)?.[1] ?? "sha256";
}
