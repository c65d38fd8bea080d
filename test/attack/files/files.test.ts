import { expect } from "vitest";
import { type Attack, attacks, complaintsOf, type Entry, runCommand } from "../harness/index.ts";
import { contents } from "./contents.ts";
import { type FileKind, filesOf, kinds } from "./kinds.ts";

interface FileAttack extends Attack {
  readonly kind: FileKind;
  readonly content: Entry;
}

const cases = Object.entries(kinds).flatMap(([kindName, kind]) =>
  Object.entries(contents)
    .filter(([name]) => kind.endless !== true || !name.includes("without an end"))
    .map(([name, content]): FileAttack => ({ name: `${kindName} is ${name}`, kind, content, ceiling: 700 })),
);

/** Whatever a file has in it, a command says what is wrong and ends by itself. */
attacks("a file", cases, async ({ kind, content }) => {
  const ended = await runCommand(filesOf(kind, content), kind.args);
  expect(complaintsOf(ended, kind.codes)).toEqual([]);
  return ended;
});
