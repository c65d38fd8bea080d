import type { Value } from "../language/index.ts";
import type { SyntaxProblem } from "../parse/syntax-problem.ts";
import type { JsonNode, StringNode } from "../parse/syntax-tree.ts";
import type {
  AuthSymbol,
  BoundTemplate,
  Command,
  Expansion,
  ExtendedUse,
  InertTemplate,
  IntakeSymbol,
  JqProgram,
  ObjectSymbol,
  Suppression,
  WorkflowSymbol,
} from "./bound-nodes.ts";
import type { StructureProblem } from "./structure-problem.ts";
import type { UnfinishedString } from "./unfinished.ts";

/**
 * What was bound in one part of a document, in document order: in an auth entry or an item of a list at its top (an intake, a
 * workflow), or in what stands before, between and behind such items. The next version of the document takes over the parts whose text is the same.
 */
export interface Part {
  /** The item; undefined for the rest. */
  readonly item: Item | undefined;
  readonly auths: AuthSymbol[];
  readonly intakes: IntakeSymbol[];
  readonly workflows: WorkflowSymbol[];
  readonly objects: ObjectSymbol[];
  readonly commands: Command[];
  readonly expansions: Expansion[];
  readonly templates: BoundTemplate[];
  readonly inertTemplates: InertTemplate[];
  readonly programs: JqProgram[];
  readonly structure: StructureProblem[];
  readonly extendedUses: ExtendedUse[];
  readonly suppressions: Suppression[];
  readonly unfinished: UnfinishedString[];
  /** Results of `derivedInPart`, by what computes them. */
  readonly derived: Map<unknown, unknown>;
}

/** An auth entry or an item of a list at the top, with all that its binding depends on besides settings. */
export interface Item {
  readonly node: JsonNode;
  readonly spec: Value;
  readonly owner: string;
  /** Whether no mistake in JSON touches it. */
  readonly sound: boolean;
  /** What other parts may look at in it, once that was asked for: the same text stands for the same. */
  face?: string;
  /** Whether it may have to do with what is saved, once that was asked for. */
  savesOrReads?: boolean;
  /** Whether its text mentions a comment, once that was asked for. */
  mentionsComment?: boolean;
  /** The comments in it that speak of the whole service, once they were asked for. */
  saidOfService?: readonly StringNode[];
}

/** What rules found out about the parts of a document, for its next version. */
export interface Memory {
  readonly parts: ReadonlyMap<Part, PartMemory>;
  /** All parts in document order. */
  readonly stretches: readonly Stretch[];
}

export interface PartMemory {
  /** What the results rest on besides the part itself. Undefined until it is needed. */
  rests: Readonly<Record<Reach, readonly unknown[]>> | undefined;
  readonly results: Results;
}

/** By what computes them. */
export type Results = Readonly<Record<Reach, Map<unknown, unknown>>>;

/** Consecutive parts. An edit leaves most stretches of a large document as they are: then the parts in them aren't looked at one by one. */
export interface Stretch {
  readonly parts: readonly Part[];
  /** Of each part; undefined for what stands between the items. */
  readonly memories: readonly (PartMemory | undefined)[];
  /** What the parts gave, one behind the other. Undefined where some of it has just changed, which mostly is what changes next. */
  readonly results: { readonly [R in Reach]?: Results[R] | undefined };
}

/**
 * How far rules look from what is in a part. Equal lists of what is reached stand for equal findings.
 *
 * - `near`: what stands outside of intakes and workflows; of the parts that are linked with it what they have to do with one another;
 * - `linked`: all that stands in those parts as well;
 * - `saved`: all parts that save or read what is saved as well.
 */
export type Reach = "near" | "linked" | "saved";

export function emptyPart(item: Item | undefined): Part {
  return {
    item,
    auths: [],
    intakes: [],
    workflows: [],
    objects: [],
    commands: [],
    expansions: [],
    templates: [],
    inertTemplates: [],
    programs: [],
    structure: [],
    extendedUses: [],
    suppressions: [],
    unfinished: [],
    derived: new Map(),
  };
}

/** Whether there is nothing in a part that stands between items. */
export function isEmpty(part: Part): boolean {
  if (part.item !== undefined) return false;
  return Object.values(part).every((things) => !Array.isArray(things) || things.length === 0);
}

/** Whether an item would be bound the same way again. */
export function isSameItem(a: Item, b: Item): boolean {
  return a.node === b.node && a.spec === b.spec && a.owner === b.owner && a.sound && b.sound;
}

/** Whether no mistake in the document's JSON lies in a node, or cuts it off. */
export function isSound(
  { start, end }: JsonNode,
  { problems, root }: { readonly problems: readonly SyntaxProblem[]; readonly root: JsonNode | undefined },
): boolean {
  if (problems.length === 0) return true;
  return end !== root?.end && !problems.some(({ span }) => start <= span.start && span.start < end);
}
