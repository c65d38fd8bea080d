import type { Expression, Node } from "@configc/jq";
import { constantOf, escapedPattern } from "@configc/jq/internal";
import type { Command, Expansion, FieldSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName, isIdsName, nameOfValue } from "../../../flow/id-names.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesIn, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { stagesOf } from "../../../flow/protocol/dependence.ts";
import { waysOf } from "../../../flow/protocol/forms.ts";
import { underlying } from "../../../flow/underlying.ts";
import { memberValue } from "../../../parse/member-value.ts";
import { graphqlArgument, graphqlQuery, graphqlVariable, readOperation } from "../../../samples/graphql.ts";
import { memberWith } from "./other-role.ts";

/** Where the values of fields are used, found once for all of them. */
const usesOfValues = derived(({ expansions }): ReadonlyMap<FieldSymbol, readonly Expansion[]> => {
  const uses = new Map<FieldSymbol, Expansion[]>();
  for (const expansion of expansions) {
    if (expansion.syntax.path[2]?.text !== "value") continue;
    for (const field of expansion.fields) {
      const known = uses.get(field);
      if (known === undefined) uses.set(field, [expansion]);
      else known.push(expansion);
    }
  }
  return uses;
});

export const usesOfValue = (field: FieldSymbol, model: Model): readonly Expansion[] =>
  usesOfValues(model).get(field) ?? [];

/** Where a field's value goes that is called an id. */
export function idPlaceOf(field: FieldSymbol, model: Model): string | undefined {
  const isSend = (name: string | undefined): name is string => {
    // `job[technician_id]` of a form.
    const last = name === undefined ? undefined : (/\[(\w+)\](?:\[\])?$/.exec(name)?.[1] ?? name);
    return last !== undefined && last !== "id" && (isIdName(last) || isIdsName(last));
  };
  for (const expansion of usesOfValue(field, model)) {
    const member = memberWith(expansion);
    if (isSend(member)) return `\`${member}\``;
    const ofQuery = idArgument(expansion);
    if (ofQuery !== undefined) return ofQuery;
    const program = expansion.command?.program;
    if (program === undefined || !program.holes.includes(expansion)) continue;
    const ofEach = madeOfEach(expansion, program).find(isSend);
    if (ofEach !== undefined) return `\`${ofEach}\``;
    for (const object of nodesOfKind(program, "Object"))
      for (const { key, value } of object.entries) {
        const name = nameOf(key);
        const inner = isSend(name) && value !== undefined ? unemptied(value) : undefined;
        if (mayBe(inner, expansion, program)) return `\`${name}\``;
        const declared =
          name === undefined || isSend(name) ? undefined : declaredOfStep(name, expansion.command!);
        if (declared !== undefined && value !== undefined && mayBe(unemptied(value), expansion, program))
          return declared;
      }
  }
  return undefined;
}

/** The members that each of several chosen values becomes: `article_id` of `VALUES | map({article_id: tonumber})`. */
const madeOfEach = (expansion: Expansion, program: JqProgram): readonly string[] =>
  nodesOfKind(program, "Pipeline").flatMap(({ stages }) => {
    const [first, each] = stages;
    const [made, ...others] =
      each?.kind === "Call" && each.name.text === "map" ? each.arguments.map(bare) : [];
    if (first?.kind !== "Hole" || program.holes[first.hole] !== expansion) return [];
    if (made?.kind !== "Object" || others.length > 0) return [];
    return made.entries.flatMap(({ key, value }) => {
      const given = value === undefined ? undefined : bare(value);
      const isIt = given !== undefined && (given.kind === "Identity" || passes(given));
      return isIt ? (nameOf(key) ?? []) : [];
    });
  });

/** What goes on as it is unless it's empty, if as a number: `VALUE | if . == "" then null else tonumber end`, `VALUES | map(tonumber)`. */
export function unemptied(value: Expression): Expression {
  const inner = bare(value);
  if (inner.kind !== "Pipeline") return inner;
  const [first, ...rest] = stagesOf(inner);
  return first !== undefined && rest.every(passes) ? bare(first) : inner;
}

/** Whether a stage gives what it gets, null, or that as a number or a text. */
function passes(stage: Node): boolean {
  if (stage.kind === "Call") {
    const [each, ...others] = stage.arguments;
    if (stage.name.text === "map" && each !== undefined && others.length === 0) return passes(bare(each));
    return stage.arguments.length === 0 && /^to(?:number|string)$/.test(stage.name.text);
  }
  return (
    stage.kind === "If" &&
    [...stage.branches.map(({ body }) => body), ...(stage.otherwise ? [stage.otherwise] : [])].every(
      (way) => bare(way).kind === "Identity" || constantOf(bare(way)) === null || passes(bare(way)),
    )
  );
}

/** What payloads are routed by, where that is an id by its name and the field is the selection's `resource_id`. */
export function routedBy({ id, workflow }: FieldSymbol, model: Model): string | undefined {
  const program = workflow.intake?.target?.commands.get("resource_id")?.program;
  const read = program === undefined ? undefined : underlying(plainBody(program));
  const name = read === undefined ? undefined : nameOfValue(read);
  if (id === undefined || name === undefined || !isIdName(name)) return undefined;
  // A bare `id` may be anything's, that of `.form.id` is the form's.
  const owner = read?.kind === "Postfix" ? read.suffixes.at(-2) : undefined;
  const isOwned = owner?.kind === "Field" && owner.key.kind === "Name";
  if (name === "id" && !isOwned) return undefined;
  const selection = memberValue(workflow.node, "setup", "select", "describe_selection", "resource_id");
  const written = flowOf(model).commandAt(selection)?.program?.node.value ?? "";
  return new RegExp(`\\bcustom_data\\.${escapedPattern(id)}\\.value\\b`).test(written)
    ? `\`resource_id\`, which payloads have in \`${name === "id" ? textAt(read!, program!) : name}\``
    : undefined;
}

/** What a GraphQL query says of a variable: it declares an `ID`, or gives it to an argument that is called one. */
function idArgument(expansion: Expansion): string | undefined {
  const variable = graphqlVariable(expansion);
  if (variable === undefined) return undefined;
  const argument = graphqlArgument(expansion, variable);
  if (argument !== undefined && argument !== "id" && isIdName(argument)) return `\`${argument}\``;
  return isIdType.test(variable.type) ? `\`$${variable.name}: ${variable.type}\`` : undefined;
}

/** What the query of the next step declares of a variable that this one makes: `$lounge: ID!`, where its `variables` are this step's output. */
function declaredOfStep(name: string, made: Command): string | undefined {
  const next = made.parent?.key === "!pipe" ? made.parent.children[made.stepsRun + 1] : undefined;
  const query = next === undefined ? undefined : graphqlQuery(next);
  const body = next?.argument?.kind === "object" ? next.argument.get("body") : undefined;
  const given = body?.kind === "object" ? body.get("variables") : undefined;
  if (query === undefined || given?.kind !== "string") return undefined;
  if (given.value !== `\${piped_content.${made.stepsRun + 1}}`) return undefined;
  const variable = readOperation(query.value)?.variables.find((each) => each.name === name);
  return variable !== undefined && isIdType.test(variable.type)
    ? `\`$${name}: ${variable.type}\``
    : undefined;
}

const isIdType = /^\[?ID\b/;

/** Whether a value is an expansion, or a list of it, on one of its ways. */
function mayBe(node: Expression | undefined, expansion: Expansion, program: JqProgram): boolean {
  if (node === undefined) return false;
  return waysOf(node, program).some((way) => {
    if (way.kind === "Pipeline" && way !== node) return mayBe(unemptied(way), expansion, program);
    if (way.kind === "Array") return mayBe(way.body, expansion, program);
    return way.kind === "Hole" && program.holes[way.hole] === expansion;
  });
}

/** A path of which the field's value is a segment. */
export function pathOf(field: FieldSymbol, model: Model): string | undefined {
  const isSegment = ({ position, node, syntax }: Expansion): boolean =>
    position === "path" &&
    node.value.charAt(syntax.start - 1) === "/" &&
    /^(?:[/?]|$)/.test(node.value.slice(syntax.end));
  return usesOfValue(field, model).some(isSegment) ? "a path" : undefined;
}

/** A request that a field's value goes into, as it is or by way of a program. */
export function sentBy(field: FieldSymbol, model: Model): string | undefined {
  const isSent = (expansion: Expansion): boolean => {
    if (memberWith(expansion) !== undefined) return true;
    const { command } = expansion;
    const { program } = command ?? {};
    const name = command?.place.name ?? "";
    if (program === undefined || !/^intake\.(?:request|create)$|\.target$/.test(name)) return false;
    return nodesOfKind(program, "Entry").some(
      ({ value }) =>
        value !== undefined &&
        nodesIn(value).some((each) => each.kind === "Hole" && program.holes[each.hole] === expansion),
    );
  };
  return usesOfValue(field, model).some(isSent) ? "a request" : undefined;
}
