import { type Expression, type ObjectEntry, walk } from "@configc/jq";
import type { Command, Expansion, JqProgram } from "../bind/bound-nodes.ts";
import type { Model } from "../bind/model.ts";
import { flowOf } from "../flow/flow.ts";
import { entryOf } from "../flow/literal-object.ts";
import { memberReads } from "../flow/member-reads.ts";
import { expansionTrails, inputTrails, type Trail, trailsOf } from "../flow/origin.ts";
import type { TypeFlow } from "../flow/type-flow.ts";
import type { Span } from "../parse/syntax-tree.ts";
import { jqName, jqRead, jqShorthand } from "./jq-name.ts";
import type { NamedSymbol } from "./named-symbol.ts";
import type { Occurrence } from "./occurrence.ts";
import { readsWholeInput } from "./reads-whole-input.ts";

/** A member where it is made: an entry of `{…}` in a program. */
interface Made {
  readonly program: JqProgram;
  readonly entry: ObjectEntry;
}

/** A member where it is read by name. */
interface Read {
  readonly name: string;
  readonly at: Occurrence;
  readonly trails: readonly Trail[];
}

/**
 * Members that programs make with `{…}`, and where that same value is read by name: in the program itself, in later steps, and by
 * `${piped_content.N.NAME}`. Found for the commands around one place, since all of them take a while.
 */
export function memberSymbols(model: Model, { start, end }: Span): readonly NamedSymbol[] {
  const isInside = ({ node }: { readonly node: Span }) => start <= node.start && node.end <= end;
  const flow = flowOf(model);
  const programs = model.programs.filter(isInside);
  const things = new Map<ObjectEntry, { made: Made[]; reads: Read[] }>();
  const thingOf = (made: Made) => {
    const known = things.get(made.entry) ?? { made: [made], reads: [] };
    things.set(made.entry, known);
    return known;
  };
  for (const program of programs)
    walk(program.tree.body, {
      enter(node) {
        if (node.kind === "Entry" && nameSpan(node) !== undefined) thingOf({ program, entry: node });
        return undefined;
      },
    });
  for (const read of [
    ...programs.flatMap((each) => readsIn(each, flow)),
    ...expansionReads(model, isInside, flow),
  ]) {
    const made = read.trails.flatMap((trail) => madeBy(trail, read.name) ?? []);
    const [first, ...others] = made;
    if (first === undefined) continue;
    const thing = thingOf(first);
    thing.reads.push(read);
    // One that is read of several is one name for all of them.
    for (const each of others) {
      const other = thingOf(each);
      if (other === thing) continue;
      thing.made.push(...other.made);
      thing.reads.push(...other.reads);
      for (const { entry } of other.made) things.set(entry, thing);
    }
  }
  return [...new Set(things.values())].flatMap((thing) => asThing(model, thing) ?? []);
}

function asThing(
  model: Model,
  { made, reads }: { readonly made: readonly Made[]; readonly reads: readonly Read[] },
): NamedSymbol | undefined {
  const name = made[0] === undefined ? undefined : nameSpan(made[0].entry)?.name;
  if (name === undefined) return undefined;
  const obstacle = made.map((each) => wayOut(model, each)).find((each) => each !== undefined);
  const hasUnknown = reads.some(({ trails }) => trails.some((trail) => madeBy(trail, name) === undefined));
  const why = hasUnknown ? `Where \`${name}\` is read, the value may also come from elsewhere.` : obstacle;
  return {
    kind: "member",
    name,
    declarations: made.map(declaration),
    references: reads.map(({ at }) => at),
    ...(why === undefined ? {} : { obstacle: why }),
  };
}

function declaration({ program: { node }, entry }: Made): Occurrence {
  const { start, end } = nameSpan(entry)!;
  return entry.value === undefined ? jqShorthand(node, start, end) : jqName(node, start, end);
}

/** The name of an entry that is written as it is; a variable's is the variable's. */
function nameSpan({ key }: ObjectEntry): (Span & { readonly name: string }) | undefined {
  if (key.kind === "Name") return { start: key.start, end: key.end, name: key.text };
  if (key.kind !== "String" || key.format !== undefined || key.parts.length !== 1) return undefined;
  const [part] = key.parts;
  const isPlain = part?.kind === "StringText" && part.value.length === key.end - key.start - 2;
  return isPlain ? { start: key.start + 1, end: key.end - 1, name: part.value } : undefined;
}

function readsIn(program: JqProgram, flow: TypeFlow): Read[] {
  return memberReads(program, flow).map(({ name, start, end, of, ofInput, path }) => {
    const text = program.node.value.slice(start, end);
    const offset = start + text.indexOf(name);
    return {
      name,
      at: jqRead(program.node, offset, offset + name.length),
      trails: ofInput
        ? inputTrails(flow, program, of, path)
        : trailsOf(flow, program, of as Expression, path),
    };
  });
}

function expansionReads(model: Model, isInside: (each: Expansion) => boolean, flow: TypeFlow): Read[] {
  return model.expansions.flatMap((expansion) => {
    if (expansion.root !== "piped_content" || !expansion.rootExact || !isInside(expansion)) return [];
    return expansion.syntax.path.slice(2).map((segment, index) => ({
      name: segment.text,
      at: { node: expansion.node, from: segment.start, to: segment.end },
      trails: expansionTrails(flow, expansion, index + 2),
    }));
  });
}

/** The entry that makes a member of what a trail leads to. */
function madeBy({ origin }: Trail, name: string): Made | undefined {
  if (origin.kind !== "made" || origin.node.kind !== "Object") return undefined;
  const entry = entryOf(origin.node, name);
  return entry === undefined || nameSpan(entry) === undefined
    ? undefined
    : { program: origin.program, entry };
}

/**
 * Where the object with a member goes as a whole, so that its name may be read or sent from there; undefined where it doesn't. Only
 * what a step makes as its output is looked after: it may be renamed if the next step reads it by name, and everything else too.
 */
function wayOut(model: Model, { program, entry }: Made): string | undefined {
  const { command, tree } = program;
  const { body } = tree;
  const last = body.kind === "Pipeline" ? body.stages.at(-1) : body;
  const line = (at: Command) => model.document.position(at.member.key.start).line;
  if (last?.kind !== "Object" || !last.entries.includes(entry))
    return "Its object is part of another value, which may go anywhere.";
  const { pipe, stepsRun } = command;
  const next = pipe?.children[stepsRun + 1];
  if (pipe === undefined || command.parent !== pipe || next === undefined)
    return "It is a member of the command's output, which others read by name.";
  const isByName =
    next.key === "!http" ||
    (next.key === "!jq" && next.program !== undefined && !readsWholeInput(next.program.tree));
  if (!isByName) return `The \`${next.key}\` in line ${line(next)} takes the whole object.`;
  const whole = model.expansions.find(
    ({ root, command: reader, syntax }) =>
      root === "piped_content" &&
      reader?.pipe === pipe &&
      syntax.path.length < 3 &&
      (syntax.path[1] === undefined || syntax.path[1].text === `${stepsRun + 1}`),
  );
  return whole?.command === undefined
    ? undefined
    : `\`\${piped_content.${stepsRun + 1}}\` in line ${line(whole.command)} takes the whole object.`;
}
