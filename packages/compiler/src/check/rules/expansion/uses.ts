import { nodesAt } from "@configc/jq";
import { groupBy } from "@configc/jq/internal";
import type {
  Command,
  Expansion,
  FieldSymbol,
  JqProgram,
  Unit,
  WorkflowSymbol,
} from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import type { Part } from "../../../bind/part.ts";
import { fieldOf, segmentPart, unreferableField, workflowsOf } from "../../../bind/resolve.ts";
import { rootPaths } from "../../../bind/roots-input.ts";
import { inputRoots, type RootName } from "../../../language/expansion-names.ts";
import type { StringPart } from "../../../parse/document.ts";
import { ofPart } from "../../by-part.ts";
import { type Obstacle, obstacleTo } from "./obstacle.ts";

/**
 * A name that is read from a root: by an expansion, or by a path in a jq program whose input is the object of the roots
 * (D16). Both are checked alike.
 */
export interface RootUse {
  readonly root: RootName;
  readonly rootAt: StringPart;
  /** The names below the root. */
  readonly names: readonly UsedName[];
  readonly command: Command | undefined;
  readonly unit: Unit | undefined;
  /** Undefined for a path in a jq program. */
  readonly expansion: Expansion | undefined;
  /** Why the root can't be read here. */
  readonly obstacle: Obstacle | undefined;
  /** For `custom_data`: what its field id means. */
  readonly meanings: readonly FieldMeaning[];
  /** Whether it may read what isn't there: in jq behind `?`, beside `//` or in a branch. */
  tentative(): boolean;
}

/** A name, and where it stands. */
export interface UsedName extends StringPart {
  readonly text: string;
}

/** What a use of `custom_data` means in one of the workflows whose fields it can read. */
export interface FieldMeaning {
  readonly workflow: WorkflowSymbol;
  /** The field of that id, or the nearest one. */
  readonly field: FieldSymbol | undefined;
  readonly exact: boolean;
}

const never = (): boolean => false;
const none: readonly never[] = [];

/**
 * What is used in a part, expansions first. Expansions with a mistake in their syntax or root, or that spell an id no path can name, are
 * left out: one finding about each is enough.
 */
interface PartUses {
  /** Where the root can be read. */
  readonly legal: readonly RootUse[];
  /** The same by their roots, once they are asked for: most rules look at those of one. */
  byRoot?: ReadonlyMap<RootName, readonly RootUse[]>;
  readonly obstructed: readonly RootUse[];
}

/** Uses of an intake mean fields of workflows that are linked with it. */
const usesInPart = (part: Part, model: Model): PartUses =>
  ofPart(part, model, findUses, () => findUses(part, model), undefined, "linked");

function findUses({ expansions, programs }: Part, model: Model): PartUses {
  const legal: RootUse[] = [];
  const obstructed: RootUse[] = [];
  const add = (use: RootUse): void => {
    if (use.obstacle === undefined) legal.push(use);
    else obstructed.push(use);
  };
  for (const expansion of expansions) {
    const use = expansionUse(expansion, model);
    if (use !== undefined) add(use);
  }
  for (const program of programs) for (const use of programUses(program, model)) add(use);
  return { legal, obstructed };
}

/** Every use of a root where it can't be read, expansions first. */
export const obstructedUses = (model: Model): readonly RootUse[] => {
  const found: RootUse[] = [];
  for (const part of model.parts) found.push(...usesInPart(part, model).obstructed);
  return found.length === 0 ? none : expansionsFirst(found);
};

/** A mistake that is made in both is told at an expansion. */
export const expansionsFirst = (uses: readonly RootUse[]): readonly RootUse[] => [
  ...uses.filter(({ expansion }) => expansion !== undefined),
  ...uses.filter(({ expansion }) => expansion === undefined),
];

/** The uses in one part where the root can be read, or those of one root. */
export function legalUsesIn(part: Part, model: Model, root?: RootName): readonly RootUse[] {
  const uses = usesInPart(part, model);
  if (root === undefined) return uses.legal;
  uses.byRoot ??= groupBy(uses.legal, (use) => use.root);
  return uses.byRoot.get(root) ?? none;
}

function meaningsOf(
  root: RootName,
  names: readonly UsedName[],
  unit: Unit | undefined,
): readonly FieldMeaning[] {
  const id = names[0];
  if (root !== "custom_data" || id === undefined) return none;
  return workflowsOf(unit).map((workflow) => {
    const { field, exact } = fieldOf(workflow, id.text);
    return { workflow, field, exact };
  });
}

/** Whether an expansion spells a field that a path can't name: a finding of its own, instead of others. */
export function spellsUnreferableField(expansion: Expansion): FieldSymbol | undefined {
  if (expansion.root !== "custom_data" || expansion.fieldExact) return undefined;
  for (const workflow of workflowsOf(expansion.unit)) {
    const field = unreferableField(expansion, workflow);
    if (field !== undefined) return field;
  }
  return undefined;
}

/** A use as it is written, for messages: `custom_data.form.value`, in jq `.custom_data.form.value`; `depth` names of it. */
export function written({ root, names, expansion }: RootUse, depth = names.length): string {
  const path = [root, ...names.slice(0, depth).map(({ text }) => text)].join(".");
  return expansion === undefined ? `.${path}` : path;
}

/** The path of an expansion, without its opener and filters. */
export function pathPart({ node, syntax }: Expansion): StringPart {
  const { path, start, end } = syntax;
  return { node, from: path[0]?.start ?? start, to: path.at(-1)?.end ?? end };
}

function expansionUse(expansion: Expansion, model: Model): RootUse | undefined {
  const { syntax, node, root, rootExact, command, unit } = expansion;
  const first = syntax.path[0];
  if (syntax.problem !== undefined || root === undefined || !rootExact || first === undefined)
    return undefined;
  if (spellsUnreferableField(expansion) !== undefined) return undefined;
  const names: UsedName[] = [];
  for (let index = 1; index < syntax.path.length; index++) {
    const { text, start, end } = syntax.path[index]!;
    names.push({ text, node, from: start, to: end });
  }
  return {
    root,
    rootAt: { node, from: first.start, to: first.end },
    names,
    command,
    unit,
    expansion,
    obstacle: obstacleTo(root, names[0]?.text, command, unit, model),
    meanings: meaningsOf(root, names, unit),
    tentative: never,
  };
}

function programUses(program: JqProgram, model: Model): readonly RootUse[] {
  if (program.diagnostics.length > 0) return none;
  const { command } = program;
  return rootPaths(program).flatMap(({ segments, certain }): RootUse | [] => {
    const [first, ...below] = segments;
    if (first === undefined || !isInputRoot(first.key)) return [];
    const root = first.key;
    const cut = below.findIndex(({ key }) => typeof key === "number");
    const names = (cut < 0 ? below : below.slice(0, cut)).map((segment) => ({
      text: `${segment.key}`,
      ...segmentPart(program, segment),
    }));
    return {
      root,
      rootAt: segmentPart(program, first),
      names,
      command,
      unit: command.unit,
      expansion: undefined,
      obstacle: obstacleTo(root, names[0]?.text, command, command.unit, model),
      meanings: meaningsOf(root, names, command.unit),
      tentative: tentativeAt(program, first.start, certain),
    };
  });
}

/** By itself, so that a use doesn't keep the model alive: uses outlive the version of the document that they are found in. */
function tentativeAt({ tree }: JqProgram, start: number, certain: boolean): () => boolean {
  return () => !certain || nodesAt(tree, start).some(({ kind }) => kind === "Alternative");
}

function isInputRoot(key: string | number): key is RootName {
  return (inputRoots as readonly (string | number)[]).includes(key);
}
