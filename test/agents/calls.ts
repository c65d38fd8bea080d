import { existsSync, readFileSync } from "node:fs";

/** What the proxy wrote down of one request to `configc mcp`. */
interface LoggedCall {
  readonly method: string;
  /** Characters of the message. */
  readonly in: number;
  readonly out: number;
}

/** What an agent asked of our tools, and how much of its context that took. */
export interface Calls {
  /** Of tools; lists of them, resources and prompts count in the characters only. */
  readonly tools: number;
  readonly charactersIn: number;
  readonly charactersOut: number;
  /** A quarter of all characters: an estimate, since each model counts in its own way. */
  readonly estimatedTokens: number;
}

const CHARACTERS_OF_A_TOKEN = 4;

/** Where the proxy of a task's folder writes: beside it, so that the agent doesn't see it. */
export const logOf = (folder: string): string => `${folder}.calls.jsonl`;

/** @returns undefined if nothing was written down */
export function callsOf(folder: string): Calls | undefined {
  const log = logOf(folder);
  return existsSync(log) ? callsIn(readFileSync(log, "utf8")) : undefined;
}

export function callsIn(log: string): Calls {
  const calls = log
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as LoggedCall);
  const sum = (member: "in" | "out") => calls.reduce((total, call) => total + call[member], 0);
  const [charactersIn, charactersOut] = [sum("in"), sum("out")];
  return {
    tools: calls.filter(({ method }) => method === "tools/call").length,
    charactersIn,
    charactersOut,
    estimatedTokens: Math.round((charactersIn + charactersOut) / CHARACTERS_OF_A_TOKEN),
  };
}
