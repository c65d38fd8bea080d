import { evaluate, JqError } from "../../src/index.ts";
import { hostile } from "./programs.ts";

/** Much less than the defaults, so that all of the programs together are quick. */
const budget = { steps: 1_000_000, memory: 32_000_000 };

// Runs them one after the other, in a process whose memory the test has limited, and prints how each ended.
for (const program of hostile) {
  const before = process.cpuUsage();
  let end = "the end";
  try {
    evaluate(program, null, { budget });
  } catch (error) {
    end = error instanceof JqError ? error.kind : String(error);
  }
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`${JSON.stringify({ program, end, seconds: (user + system) / 1e6 })}\n`);
}
