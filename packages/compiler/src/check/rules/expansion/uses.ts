import { nodesAt } from "@configc/jq";
import { derived } from "../../../bind/derived.ts";
import type {
  Command,
  Expansion,
  FieldSymbol,
  JqProgram,
  Model,
  Unit,
  WorkflowSymbol,
} from "../../../bind/model.ts";
import { fieldOf, segmentPart, unreferableField, workflowsOf } from "../../../bind/resolve.ts";
import { rootPaths } from "../../../flow/roots-input.ts";
import type { StringPart } from "../../../parse/document.ts";
import { ROOT_NAMES, type RootName } from "../../../parse/template.ts";
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
  /** As it is written, for messages: `custom_data.form.value`, in jq `.custom_data.form.value`. */
  readonly text: string;
  /** Whether it may read what isn't there: in jq behind `?`, beside `//` or in a branch. */
  tentative(): boolean;
}

export interface UsedName {
  readonly text: string;
  readonly at: StringPart;
}

/** What a use of `custom_data` means in one of the workflows whose fields it can read. */
export interface FieldMeaning {
  readonly workflow: WorkflowSymbol;
  /** The field of that id, or the nearest one. */
  readonly field: FieldSymbol | undefined;
  readonly exact: boolean;
}

const never = (): boolean => false;

/**
 * Every use of a root, expansions first. Expansions with a mistake in their syntax or root, or that spell an id no path can
 * name, are left out: one finding about each is enough.
 */
export const usesOf: (model: Model) => readonly RootUse[] = derived((model) => [
  ...model.expansions.flatMap((expansion) => expansionUse(expansion, model)),
  ...model.programs.flatMap((program) => programUses(program, model)),
]);

/** The uses of a root where it can be read. */
export function legalUsesOf(model: Model, root: RootName): readonly RootUse[] {
  return usesOf(model).filter((use) => use.root === root && use.obstacle === undefined);
}

/** What the field id of a use of `custom_data` means, in each workflow that it can stand for. */
export function meaningsOf({ unit, names }: RootUse): readonly FieldMeaning[] {
  const id = names[0];
  if (id === undefined) return [];
  return workflowsOf(unit).map((workflow) => ({ workflow, ...fieldOf(workflow, id.text) }));
}

/** Whether an expansion spells a field that a path can't name: a finding of its own, instead of others. */
export function spellsUnreferableField(expansion: Expansion): FieldSymbol | undefined {
  if (expansion.root !== "custom_data") return undefined;
  for (const workflow of workflowsOf(expansion.unit)) {
    const field = unreferableField(expansion, workflow);
    if (field !== undefined) return field;
  }
  return undefined;
}

/** The path of an expansion, without its opener and filters. */
export function pathPart({ node, syntax }: Expansion): StringPart {
  const { path, start, end } = syntax;
  return { node, from: path[0]?.start ?? start, to: path.at(-1)?.end ?? end };
}

function expansionUse(expansion: Expansion, model: Model): RootUse | [] {
  const { syntax, node, root, rootExact, command, unit } = expansion;
  const [first, ...below] = syntax.path;
  if (syntax.problem !== undefined || root === undefined || !rootExact || first === undefined) return [];
  if (spellsUnreferableField(expansion) !== undefined) return [];
  const names = below.map(({ text, start, end }) => ({ text, at: { node, from: start, to: end } }));
  return {
    root,
    rootAt: { node, from: first.start, to: first.end },
    names,
    command,
    unit,
    expansion,
    obstacle: obstacleTo(root, namesOf(names), command, unit, model),
    text: [first.text, ...namesOf(names)].join("."),
    tentative: never,
  };
}

/** Roots that an object of roots has (D16). */
const inputRoots: ReadonlySet<string> = new Set(["custom_data", "data", "polling_state", "webhook"]);

function programUses(program: JqProgram, model: Model): RootUse[] {
  if (program.diagnostics.length > 0) return [];
  const { command } = program;
  return rootPaths(program).flatMap(({ segments, certain }): RootUse | [] => {
    const [first, ...below] = segments;
    if (first === undefined || !isInputRoot(first.key)) return [];
    const root = first.key;
    const cut = below.findIndex(({ key }) => typeof key === "number");
    const names = (cut < 0 ? below : below.slice(0, cut)).map((segment) => ({
      text: `${segment.key}`,
      at: segmentPart(program, segment),
    }));
    return {
      root,
      rootAt: segmentPart(program, first),
      names,
      command,
      unit: command.unit,
      expansion: undefined,
      obstacle: obstacleTo(root, namesOf(names), command, command.unit, model),
      text: ["", root, ...namesOf(names)].join("."),
      tentative: () =>
        !certain || nodesAt(program.tree, first.start).some(({ kind }) => kind === "Alternative"),
    };
  });
}

function isInputRoot(key: string | number): key is RootName {
  return typeof key === "string" && inputRoots.has(key) && (ROOT_NAMES as readonly string[]).includes(key);
}

function namesOf(names: readonly UsedName[]): string[] {
  return names.map(({ text }) => text);
}
