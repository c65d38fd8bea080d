import type { PathSegment } from "@configc/jq";
import { nearest } from "@configc/jq/internal";
import { isSegment } from "../parse/template.ts";
import type {
  Expansion,
  FieldSymbol,
  FieldUse,
  IntakeSymbol,
  JqProgram,
  Reference,
  WorkflowSymbol,
} from "./bound-nodes.ts";
import { derivedInPart } from "./derived.ts";
import type { Model } from "./model.ts";
import { rootPaths } from "./roots-input.ts";

/**
 * Binds names to declarations, now that all of them are known: references of workflows, then fields of expansions and of jq
 * programs that read the roots (D16).
 */
export function resolve(model: Model): void {
  forget(model);
  const [auths, intakes] = [new Declarations(model.auths), new Declarations(model.intakes)];
  for (const { auth, intake, historicalIntake } of model.workflows) {
    if (auth !== undefined) link(auth, auths);
    if (intake !== undefined) link(intake, intakes);
    if (historicalIntake !== undefined) link(historicalIntake, intakes);
  }
  // All expansions before all programs: in this order the uses of a field are told.
  const reading = model.parts.map(readingFields);
  for (const { expansions } of reading)
    for (const { expansion, own } of expansions) addUses(own ?? bindField(expansion));
  for (const { programs } of reading)
    for (const { program, ids, own } of programs) addUses(own ?? usesOf(program, ids));
}

interface Use {
  readonly field: FieldSymbol;
  readonly use: FieldUse;
}

function addUses(uses: readonly Use[]): void {
  for (const { field, use } of uses) field.references.push(use);
}

/** What reads fields in a part. Those of its own workflow are the same in each version that has the part. */
const readingFields = derivedInPart(({ expansions, programs }) => ({
  expansions: expansions
    .filter(({ root }) => root === "custom_data")
    .map((expansion) => ({
      expansion,
      own: expansion.unit?.kind === "workflow" ? bindField(expansion) : undefined,
    })),
  programs: programs.flatMap((program) => {
    const ids = idsRead(program);
    const own = program.command.unit?.kind === "workflow" ? usesOf(program, ids) : undefined;
    return ids.length === 0 ? [] : [{ program, ids, own }];
  }),
}));

/** Makes a model right again whose symbols another version of the document has taken over. */
export function holdModel(model: Model): void {
  const { document } = model;
  if (document.lease.holder === document) return;
  document.hold();
  resolve(model);
}

/** What other versions of the document, which share symbols with this one, found out about them. */
function forget({ auths, intakes, workflows }: Model): void {
  for (const auth of auths) auth.references.length = 0;
  for (const [index, intake] of intakes.entries()) {
    intake.index = index;
    intake.references.length = 0;
  }
  for (const [index, workflow] of workflows.entries()) {
    workflow.index = index;
    for (const field of workflow.fields) field.references.length = 0;
  }
}

/** All that is declared of a kind; of those with the same name the first counts. */
class Declarations<S extends { readonly name: string | undefined }> {
  private readonly all: readonly S[];
  private readonly byName = new Map<string | undefined, S>();

  constructor(all: readonly S[]) {
    this.all = all;
    for (const symbol of all) if (!this.byName.has(symbol.name)) this.byName.set(symbol.name, symbol);
  }

  named(name: string): S | undefined {
    return this.byName.get(name);
  }

  nearest(name: string): S | undefined {
    return symbolNearest(name, this.all, (symbol) => symbol.name);
  }
}

function link<S extends { readonly name: string | undefined; readonly references: Reference<S>[] }>(
  reference: Reference<S>,
  declarations: Declarations<S>,
): void {
  const exact = declarations.named(reference.name);
  reference.exact = exact !== undefined;
  reference.target = exact ?? declarations.nearest(reference.name);
  reference.target?.references.push(reference);
}

/** Binds an expansion to the fields that it can mean. */
function bindField(expansion: Expansion): readonly Use[] {
  const segment = expansion.syntax.path[1];
  if (segment === undefined) return [];
  const found = workflowsOf(expansion.unit).map((workflow) => {
    const result = fieldOf(workflow, segment.text);
    const unreferable = result.exact ? undefined : unreferableField(expansion, workflow);
    return unreferable === undefined ? result : { field: unreferable, exact: false };
  });
  expansion.fields = found.flatMap(({ field }) => (field === undefined ? [] : [field]));
  expansion.fieldExact = found.every(({ exact }) => exact);
  return expansion.fields.map((field) => ({
    field,
    use: { node: expansion.node, from: segment.start, to: segment.end },
  }));
}

type Id = PathSegment & { readonly key: string };

/** The ids of fields that a program reads as `.custom_data.ID`. */
const idsRead = (program: JqProgram): readonly Id[] =>
  rootPaths(program).flatMap(({ segments: [root, id] }) =>
    root?.key === "custom_data" && typeof id?.key === "string" ? [{ ...id, key: id.key }] : [],
  );

const usesOf = (program: JqProgram, ids: readonly Id[]): readonly Use[] =>
  ids.flatMap((id) =>
    workflowsOf(program.command.unit).flatMap((workflow) => {
      const { field } = fieldOf(workflow, id.key);
      return field === undefined ? [] : [{ field, use: segmentPart(program, id) }];
    }),
  );

/** The name of a path segment in a program's text: without the quotes of `."name"` and `["name"]`. */
export function segmentPart({ node }: JqProgram, { start, end }: PathSegment): FieldUse {
  const quoted = node.value.charAt(start) === '"';
  return { node, from: quoted ? start + 1 : start, to: quoted ? Math.max(start + 1, end - 1) : end };
}

/**
 * The field that an expansion spells although a path can't name it (D6): `${custom_data.my form.value}` for the id `my form`.
 * Only where no field has the id that the path says.
 */
export function unreferableField(expansion: Expansion, workflow: WorkflowSymbol): FieldSymbol | undefined {
  const segment = expansion.syntax.path[1];
  if (segment === undefined || workflow.fields.some(({ id }) => id === segment.text)) return undefined;
  const { value } = expansion.node;
  return workflow.fields.find(({ id }) => {
    if (id === undefined || id === "" || isSegment(id) || !value.startsWith(id, segment.start)) return false;
    const next = value.charAt(segment.start + id.length);
    return next === "" || !isSegment(next);
  });
}

/** The field of that id, or the nearest one. */
export function fieldOf(
  workflow: WorkflowSymbol,
  id: string,
): { field: FieldSymbol | undefined; exact: boolean } {
  const exact = workflow.fields.find((field) => field.id === id);
  if (exact !== undefined) return { field: exact, exact: true };
  return { field: symbolNearest(id, workflow.fields, (field) => field.id), exact: false };
}

/** The workflows whose fields an expansion in this unit can read: the workflow itself, or those that use the intake. */
export function workflowsOf(unit: Expansion["unit"]): readonly WorkflowSymbol[] {
  if (unit?.kind === "workflow") return [unit];
  return unit?.kind === "intake" ? usersOf(unit) : [];
}

/** The workflows that use an intake, each once, in document order. */
export function usersOf(intake: IntakeSymbol): readonly WorkflowSymbol[] {
  return [...new Set(intake.references.map(({ workflow }) => workflow))];
}

function symbolNearest<S>(
  name: string,
  symbols: readonly S[],
  nameOf: (symbol: S) => string | undefined,
): S | undefined {
  const names = symbols.flatMap((symbol) => nameOf(symbol) ?? []);
  const near = nearest(name, names);
  return near === undefined ? undefined : symbols.find((symbol) => nameOf(symbol) === near);
}
