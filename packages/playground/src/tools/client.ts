import type { Progress } from "@configc/simulate";
import type { Answer, Question, Tools } from "./protocol.ts";

type Asked<F> = F extends (...args: infer A) => infer R ? (...args: A) => Promise<Awaited<R>> : never;

/** The worker's tools, asked from the page. */
export type ToolsClient = { readonly [K in keyof Tools]: Asked<Tools[K]> } & {
  /** Ends the worker, whatever it is doing; the next question starts another one. What was asked fails. */
  stop(): void;
  /** Is told how far a simulation is. */
  onProgress: ((progress: Progress) => void) | undefined;
};

/** Starts the worker when it is first asked. */
export function toolsClient(): ToolsClient {
  let worker: Worker | undefined;
  let last = 0;
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();

  function start(): Worker {
    const started = new Worker("tools.js");
    started.onmessage = ({ data }: MessageEvent<Answer>) => {
      if ("progress" in data) return client.onProgress?.(data.progress);
      const asked = waiting.get(data.id);
      waiting.delete(data.id);
      if ("error" in data) asked?.reject(new Error(data.error));
      else asked?.resolve(data.value);
    };
    started.onerror = (event) => stop(event.message || "The worker failed.");
    return started;
  }

  function stop(reason: string): void {
    worker?.terminate();
    worker = undefined;
    for (const { reject } of waiting.values()) reject(new Error(reason));
    waiting.clear();
  }

  function ask(name: keyof Tools) {
    return (...args: readonly unknown[]): Promise<never> => {
      worker ??= start();
      const question: Question = { id: ++last, name, args };
      worker.postMessage(question);
      return new Promise<unknown>((resolve, reject) =>
        waiting.set(question.id, { resolve, reject }),
      ) as Promise<never>;
    };
  }

  const client: ToolsClient = {
    types: ask("types"),
    graph: ask("graph"),
    place: ask("place"),
    explain: ask("explain"),
    run: ask("run"),
    simulate: ask("simulate"),
    jq: ask("jq"),
    jqFormat: ask("jqFormat"),
    jqChoices: ask("jqChoices"),
    stop: () => stop("It was stopped."),
    onProgress: undefined,
  };
  return client;
}
