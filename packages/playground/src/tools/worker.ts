import { explain } from "./explain.ts";
import { graph } from "./graph.ts";
import { jq, jqChoices, jqFormat } from "./jq.ts";
import { place } from "./place.ts";
import type { Answer, Question, Tools } from "./protocol.ts";
import { run } from "./run.ts";
import { simulated } from "./simulate.ts";
import { types } from "./types.ts";

/** Entry of the worker for what isn't the language server's: a run may take long, and is ended with its worker. */
globalThis.onmessage = async ({ data: { id, name, args } }: MessageEvent<Question>) => {
  const tools: Tools = {
    types,
    graph,
    place,
    explain,
    run,
    jq,
    jqFormat,
    jqChoices,
    simulate: (source, seeds) =>
      simulated(source, seeds, (progress) => globalThis.postMessage({ id, progress } satisfies Answer)),
  };
  let answer: Answer;
  try {
    // The page asks with the arguments that `Tools` says.
    const tool = tools[name] as (...args: readonly unknown[]) => unknown;
    answer = { id, value: await tool(...args) };
  } catch (error) {
    answer = { id, error: error instanceof Error ? error.message : String(error) };
  }
  globalThis.postMessage(answer);
};
