import { createHash } from "node:crypto";
import { createTracer } from "@configc/runtime";
import { median } from "../processes.ts";

/** What redaction takes of the CPU for answers of usual kinds: `node scripts/ts.mjs test/bench/redaction/main.ts`. */
const digest = (index: number, encoding: "hex" | "base64"): string =>
  createHash("sha256").update(`${index}`).digest(encoding);

/** One object of a list, by its number. */
const kinds: Readonly<Record<string, (index: number) => unknown>> = {
  contacts: (index) => ({
    id: index,
    email: `person.${index}@example.com`,
    name: `Äda Person ${index}`,
    updated_at: "2026-01-02T03:04:05.678Z",
    links: { self: `https://api.example.com/v1/contacts/${index}?expand=deals%2Cowner` },
    note: 'She said: "call me"\nand then, some days later, he wrote again & again.',
  }),
  uuids: (index) => ({
    id: digest(index, "hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, "$1-$2-$3-$4-$5"),
  }),
  "hex digests": (index) => ({ sha: digest(index, "hex"), name: `file ${index}` }),
  "base64 digests": (index) => ({ sha: digest(index, "base64"), name: `file ${index}` }),
  "base64 of text": (index) => ({
    body: Buffer.from(`Some text of number ${index}, as a mail has it.\n`).toString("base64"),
  }),
};

const secrets = ["C4n@ry/p+ss-w0rd", "sk_live_51H8xq2eZvKYlo2C9jQb", "8d3c5f0a9b7e4d21a6f0c3b2e1d4f5a6"];

function textOf(kind: (index: number) => unknown, size: number): string {
  const items: string[] = [];
  for (let length = 0, index = 0; length < size; index++) {
    const item = JSON.stringify(kind(index));
    items.push(item);
    length += item.length + 1;
  }
  return `[${items.join(",")}]`;
}

const tracer = createTracer({ now: () => 0, sleep: async () => undefined });
for (const secret of secrets) tracer.secret(secret);
for (const [name, kind] of Object.entries(kinds)) {
  const row: string[] = [];
  for (const [size, rounds] of [
    [9_000, 200],
    [10_000_000, 3],
  ] as const) {
    const text = textOf(kind, size);
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const start = process.cpuUsage();
      tracer.redact(text);
      const { user, system } = process.cpuUsage(start);
      times.push((user + system) / 1_000);
    }
    row.push(`${median(times).toPrecision(2)} ms`);
  }
  process.stdout.write(`| ${name} | ${row.join(" | ")} |\n`);
}
