import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { UsageError } from "../command-line/usage-error.ts";
import { reasonOf } from "../files/failure.ts";
import { writeAtomically } from "../files/write.ts";
import { readAgentsFile } from "../package-info.ts";
import { note, print } from "../terminal/output.ts";

const INSTRUCTIONS = "AGENTS.md";
const SKILL = ".agents/skills/configc/SKILL.md";

/** Our part of a file that has other parts too. */
const ours = /<!-- configc: begin[\s\S]*?<!-- configc: end -->\n?/;

/** Writes what teaches coding agents the loop. What else stands in AGENTS.md stays. @throws UsageError if a file can't be written */
export function writeAgentsFiles(): void {
  const part = readAgentsFile("AGENTS.md");
  write(INSTRUCTIONS, existsSync(INSTRUCTIONS) ? withPart(readFileSync(INSTRUCTIONS, "utf8"), part) : part);
  write(SKILL, readAgentsFile("SKILL.md"));
  note(
    "Agents read these files by themselves. For tools instead of shell commands: configc mcp, docs/agents.md.",
  );
}

function withPart(text: string, part: string): string {
  if (ours.test(text)) return text.replace(ours, () => part);
  return `${text.trimEnd()}\n\n${part}`;
}

function write(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeAtomically(path, text, { throughLinks: false });
  } catch (error) {
    throw new UsageError(`${path} can't be written: ${reasonOf(error)}.`, "init");
  }
  print(`${path}\n`);
}
