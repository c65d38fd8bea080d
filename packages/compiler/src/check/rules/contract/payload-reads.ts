import { demandedPaths, type Expression, type PathSegment, type Program, type Span, walk } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command } from "../../../bind/bound-nodes.ts";
import { derivedFromText } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import type { StringPart } from "../../../parse/document.ts";

/** A path that `source` reads of its payload in every run, and doesn't fall back from. */
export interface PayloadRead {
  readonly segments: readonly PathSegment[];
  /** Whether the program asks for kinds, or converts them: then it expects several. */
  readonly converted: boolean;
  readonly at: StringPart;
}

/** What `source` reads of the payload in every run. */
export function readsOfPayload(source: Command, model: Model): readonly PayloadRead[] {
  return [...payloadReads(source), ...expansionReads(source, model)];
}

/** What the first program of `source` reads of the payload in every run, and doesn't fall back from. */
function payloadReads(source: Command): PayloadRead[] {
  let at: Command | undefined = source;
  while (at?.key === "!pipe") at = at.children[0];
  const program = at?.key === "!jq" ? at.program : undefined;
  if (program === undefined || program.diagnostics.length > 0) return [];
  const { reads, converted } = certainReads(program);
  return reads.map(({ segments, start, end }) => ({
    segments,
    converted,
    at: { node: program.node, from: segments[0]?.start ?? start, to: segments.at(-1)?.end ?? end },
  }));
}

/** What expansions of `piped_content.0` read of it, in steps that run for every item. */
function expansionReads(source: Command, model: Model): PayloadRead[] {
  return model.expansions.flatMap((expansion): PayloadRead[] => {
    const { root, syntax, command, node } = expansion;
    const [, index, ...path] = syntax.path;
    const last = path.at(-1);
    if (root !== "piped_content" || index?.text !== "0" || last === undefined) return [];
    if (command === undefined || syntax.filters.length > 0 || !runsAlways(command, source)) return [];
    const segments = path.map(({ text, start, end }) => ({ key: text, start, end }));
    const at = { node, from: index.start, to: last.end };
    // In a text, numbers and texts look alike.
    if (command.program?.holes.includes(expansion) !== true) return [{ segments, converted: true, at }];
    const { guarded, converted } = partsOf(command.program);
    return isWithin(syntax, guarded) ? [] : [{ segments, converted, at }];
  });
}

/** Whether a command is a step of `source` itself, where index 0 is the payload. */
function runsAlways(command: Command, source: Command): boolean {
  return command === source ? command.key !== "!pipe" : command.parent === source && source.key === "!pipe";
}

const certainReads = derivedFromText((tree) => {
  const { body, conditions } = onlyWay(tree.body);
  const { guarded, converted } = partsOfTree({ ...tree, body });
  // What a condition asks for may tell one shape from the other.
  const asked = new Set(
    conditions.flatMap((condition) =>
      demandedPaths({ ...tree, body: condition }).map(({ segments: [first] }) => first?.key),
    ),
  );
  const reads = demandedPaths({ ...tree, body }).filter(
    ({ segments: [first], certain }) =>
      certain && first !== undefined && !asked.has(first.key) && !isWithin(first, guarded),
  );
  return { reads, converted };
});

/** The branch of an `if` whose others skip the item: what it reads is read of each item that counts. */
function onlyWay(node: Expression): {
  readonly body: Expression;
  readonly conditions: readonly Expression[];
} {
  const conditions: Expression[] = [];
  let body = node;
  for (;;) {
    if (body.kind === "Group") {
      body = body.body;
      continue;
    }
    if (body.kind !== "If" || body.otherwise === undefined) return { body, conditions };
    const [way, ...others] = [...body.branches.map((branch) => branch.body), body.otherwise].filter(
      (each) => !skips(each),
    );
    if (way === undefined || others.length > 0) return { body, conditions };
    conditions.push(...body.branches.map(({ condition }) => condition));
    body = way;
  }
}

function skips(node: Expression): boolean {
  return constantOf(node) !== undefined || (node.kind === "Call" && /^(?:empty|error)$/.test(node.name.text));
}

/** `.a // .b` reads the one where the other is absent, so either shape may be meant. */
function partsOfTree(tree: Program): { readonly guarded: readonly Span[]; readonly converted: boolean } {
  const guarded: Span[] = [];
  let converted = false;
  walk(tree, {
    enter(part) {
      if (part.kind === "Alternative" || part.kind === "If" || part.kind === "Try") guarded.push(part);
      if (part.kind === "Call") converted ||= conversions.has(part.name.text);
      if (part.kind === "Interpolation") converted = true;
      return undefined;
    },
  });
  return { guarded, converted };
}

const partsOf = derivedFromText(partsOfTree);

function isWithin(part: Span, others: readonly Span[]): boolean {
  return others.some(({ start, end }) => start <= part.start && part.end <= end);
}

const conversions: ReadonlySet<string> = new Set(["type", "tostring", "tonumber", "strings", "numbers"]);
