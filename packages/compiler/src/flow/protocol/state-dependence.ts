import { children, type Expression, type Node } from "@configc/jq";
import type { JqProgram } from "../../bind/bound-nodes.ts";
import { derivedFromText, derivedInPlace } from "../../bind/derived.ts";
import { bare, isExpression } from "../nodes.ts";
import { constants, type Dependence, dependenceOf, stagesOf } from "./dependence.ts";
import { isState, keptPath, statePath } from "./state-paths.ts";

/** The keys of the state on which something depends, and what else it depends on. */
export interface StateDependence extends Dependence {
  readonly keys: ReadonlySet<string>;
  /** It may be any key. */
  readonly all: boolean;
}

/** On which keys of the state nodes of a program may depend. Many rules ask for the same. */
export function stateDependence(program: JqProgram, nodes: readonly Expression[]): StateDependence {
  const [node, ...others] = nodes;
  if (node === undefined || others.length > 0) return readDependence(program, nodes);
  const dependences = dependencesOf(program);
  let known = dependences.get(node);
  if (known === undefined) dependences.set(node, (known = readDependence(program, nodes)));
  return known;
}

const dependencesOf = derivedInPlace(() => new Map<Expression, StateDependence>());

function readDependence(program: JqProgram, nodes: readonly Expression[]): StateDependence {
  const keys = new Set<string>();
  let all = false;
  const dependence = dependenceOf(program, nodes, (node) => {
    const path = node.kind === "Postfix" || node.kind === "Identity" ? keptPath(node, program) : undefined;
    const key = path?.[0];
    if (key !== undefined) keys.add(key);
    else if (path !== undefined) all = true;
    if (path !== undefined || node.kind !== "Postfix") return path !== undefined;
    // `$s.grades[.grade_id]`: a part of a key, and what says which part.
    const [first, ...others] = node.suffixes;
    if (first?.kind !== "Field" || others.length === 0) return false;
    const [own, ...below] = keptPath({ ...node, suffixes: [first], end: first.end }, program) ?? [];
    if (own === undefined || below.length > 0) return false;
    keys.add(own);
    return others;
  });
  for (const index of dependence.holes) {
    const path = statePath(program, index);
    if (path === undefined) continue;
    if (path[0] === undefined) all = true;
    else keys.add(path[0]);
  }
  return { ...dependence, keys, all };
}

/** Whether a program pipes the whole state into its last stage, which reads nothing of it but keys by name. */
export function isPipedState(program: JqProgram): boolean {
  const first = pipedInto(program);
  return first !== undefined && isState(first, program);
}

/** The first of a program's two stages, where the second reads nothing of what comes from there but members by name. */
const pipedInto = derivedFromText((tree) => {
  const body = bare(tree.body);
  const [first, last, ...others] = body.kind === "Pipeline" ? stagesOf(body) : [];
  if (first === undefined || last === undefined || others.length > 0) return undefined;
  const pending: Node[] = [last];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    switch (node.kind) {
      case "Postfix":
        if (node.head.kind !== "Identity") pending.push(node.head);
        else if (node.suffixes.some(({ kind }) => kind !== "Field")) return undefined;
        break;
      case "Pipeline": {
        // What comes behind its first stage has another input.
        const [inner] = node.stages;
        if (inner === undefined || node.stages.some((stage) => !isExpression(stage))) return undefined;
        pending.push(inner);
        break;
      }
      case "Call":
        if (node.name.text !== "now" && !constants.has(node.name.text)) return undefined;
        if (node.arguments.length > 0) return undefined;
        break;
      case "Entry":
        // `{since}` reads the member by its name.
        if (node.value === undefined && node.key.kind === "Name") break;
        if (node.value === undefined && node.key.kind !== "Variable") return undefined;
        pending.push(...children(node));
        break;
      case "Identity":
      case "RecurseDefault":
      case "Format":
      case "Assignment":
      case "Reduce":
      case "Foreach":
        return undefined;
      case "If":
        if (node.otherwise === undefined) return undefined;
        pending.push(...children(node));
        break;
      default:
        pending.push(...children(node));
    }
  }
  return first;
});
