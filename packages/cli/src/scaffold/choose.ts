import { createInterface } from "node:readline/promises";
import {
  type ApiDescription,
  type ProposeOptions,
  readCandidates,
  webhookOf,
  writeCandidates,
} from "@configc/scaffold";
import { note } from "../terminal/output.ts";

/** Whoever doesn't find it among so many names the request by hand later. */
const MOST_OFFERED = 8;

/** Asks a person at a terminal where contacts come from and which request to send; Enter takes the likeliest. */
export async function choose(description: ApiDescription): Promise<ProposeOptions> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const lists = readCandidates(description).map(({ list }) => list.operation.source);
    const webhook = webhookOf(description)?.registration.register.source;
    const reads = webhook === undefined ? lists : [webhook, ...lists];
    const writes = writeCandidates(description).map(({ operation }) => operation.source);
    return {
      ...(await ask("Where do contacts come from: a list (GET) or a webhook (POST)?", "read", reads)),
      ...(await ask("Which request takes a contact?", "write", writes)),
    };
  } finally {
    terminal.close();
  }

  async function ask(
    question: string,
    name: "read" | "write",
    all: readonly string[],
  ): Promise<ProposeOptions> {
    const offered = all.slice(0, MOST_OFFERED);
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
