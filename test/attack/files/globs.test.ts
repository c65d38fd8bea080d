import { expect } from "vitest";
import { type Attack, attacks, complaintsOf, type Entry, runCommand } from "../harness/index.ts";
import { app } from "./kinds.ts";

interface PatternAttack extends Attack {
  readonly files: Readonly<Record<string, Entry>>;
  readonly operand?: string;
}

/** One that takes longer than a person waits is ended, and its test fails. */
const PATIENCE = 20_000;

const hostile = {
  stars: `**/${"*a".repeat(9)}b.app.json`,
  folders: `${"**/a/".repeat(60)}*.app.json`,
  repeats: "+(+(a|aa)|+(a))b.app.json",
  braces: `${"{a,b".repeat(300)}${"}".repeat(300)}*.app.json`,
};
const settings = (given: object): Readonly<Record<string, Entry>> => ({
  "configc.config.json": JSON.stringify(given),
});

const cases = Object.entries(hostile).flatMap(([kind, pattern]): PatternAttack[] => [
  { name: `${kind} in \`files\``, files: settings({ files: [pattern, "good.app.json"] }) },
  { name: `${kind} in \`exclude\``, files: settings({ exclude: [pattern] }) },
  { name: `${kind} in \`samples\``, files: settings({ samples: [pattern] }) },
  { name: `${kind} in .gitignore`, files: { ".gitignore": pattern } },
  { name: `${kind} on the command line`, files: {}, operand: pattern },
]);

/** Patterns and names that strangers have written cost no more than their length. */
attacks(
  "a pattern",
  cases,
  async ({ files, operand }) => {
    const long = `${"a".repeat(200)}.app.json`;
    const repository = {
      ...files,
      ".git/HEAD": "",
      [long]: app,
      "good.app.json": app,
      "a/a/a/a.app.json": app,
    };
    const ended = await runCommand(repository, ["check", "--no-cache", ...(operand ? [operand] : [])], {
      patience: PATIENCE,
    });
    expect(complaintsOf(ended)).toEqual([]);
    return ended;
  },
  PATIENCE + 10_000,
);
