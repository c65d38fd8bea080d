import type { Command } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import { segmentPart } from "../bind/resolve.ts";
import { pathsOf } from "../bind/roots-input.ts";
import { jqRead } from "./jq-name.ts";
import type { KeyRead } from "./state-key.ts";

/** Commands that give what they take. */
const passesOn: ReadonlySet<string> = new Set(["!save", "!print_c"]);

/**
 * Where later steps of its pipe read a member of what a step makes: by `${piped_content.2.hook_id}`, or in the program of the
 * next step that takes it.
 *
 * @param maker the step that makes it
 */
export function* pipedUses(model: Model, maker: Command | undefined, name: string): Generator<KeyRead> {
  const pipe = maker?.pipe;
  if (maker === undefined || pipe === undefined || maker.parent !== pipe) return;
  const first = maker.stepsRun + 1;
  let last = first;
  while (passesOn.has(pipe.children[last]?.key ?? "")) last++;
  for (const { root, rootExact, syntax, node, command } of model.expansions) {
    if (root !== "piped_content" || !rootExact || command?.pipe !== pipe) continue;
    const [, index, member] = syntax.path;
    const step = Number(index?.text);
    if (member?.text === name && first <= step && step <= last)
      yield { command, at: { node, from: member.start, to: member.end } };
  }
  const program = pipe.children[last]?.program;
  for (const { segments } of program === undefined ? [] : pathsOf(program)) {
    const [segment] = segments;
    if (program === undefined || segment?.key !== name) continue;
    const { node, from, to } = segmentPart(program, segment);
    yield { command: program.command, at: jqRead(node, from, to) };
  }
}
