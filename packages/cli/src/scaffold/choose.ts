import { createInterface } from "node:readline/promises";
import type { ApiDescription, ProposeOptions } from "@configc/scaffold";
import { note } from "../terminal/output.ts";
import { candidatesOf } from "./candidates.ts";

/** Asks a person at a terminal where contacts come from and which request to send; Enter takes the likeliest. */
export async function choose(description: ApiDescription): Promise<ProposeOptions> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const { read, write } = candidatesOf(description);
  try {
    return {
      ...(await ask("Where do contacts come from: a list (GET) or a webhook (POST)?", "read", read)),
      ...(await ask("Which request takes a contact?", "write", write)),
    };
  } finally {
    terminal.close();
  }

  async function ask(
    question: string,
    name: "read" | "write",
    offered: readonly string[],
  ): Promise<ProposeOptions> {
    if (offered.length < 2) return {};
    note(`\n${question}\n${offered.map((each, index) => `  ${index + 1}  ${each}`).join("\n")}\n  0  none`);
    for (;;) {
      const answer = (await terminal.question("Number, or Enter for 1: ")).trim();
      if (answer === "") return {};
      const number = Number(answer);
      if (Number.isInteger(number) && number >= 0 && number <= offered.length)
        return { [name]: number === 0 ? "" : offered[number - 1]! };
      note(`A number from 0 to ${offered.length} is wanted.`);
    }
  }
}
