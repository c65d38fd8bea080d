import type { Json, JsonObject } from "../json.ts";
import { nodesWithin } from "../nodes-within.ts";
import type { Expression, Node, Postfix } from "../syntax-tree.ts";
import type { Ownership } from "./ownership.ts";
import { findFunction, type Scope } from "./scope.ts";
import { isContainer } from "./values.ts";

/** Builtins whose outputs are scalars, or lists of scalars. */
const scalar = new Set(
  `null/0 true/0 false/0 not/0 length/0 utf8bytelength/0 type/0 keys/0 keys_unsorted/0 has/1 contains/1 inside/1
  IN/1 any/0 all/0 any/1 all/1 any/2 all/2 tostring/0 tojson/0 tonumber/0 ascii_downcase/0 ascii_upcase/0
  startswith/1 endswith/1 test/1 test/2 join/1 split/1 explode/0 implode/0 floor/0 ceil/0 round/0 sqrt/0 infinite/0
  nan/0 isnan/0 range/1 range/2 range/3 now/0 todate/0 fromdate/0 isempty/1`.split(/\s+/),
);
/** Others that hand nothing to the host. */
const quiet = new Set(
  `empty/0 values/0 select/1 map/1 map_values/1 first/0 last/0 first/1 last/1 nth/1 limit/2 add/0 add/1 min/0 max/0
  min_by/1 max_by/1 sort/0 sort_by/1 group_by/1 unique/0 unique_by/1 reverse/0 flatten/0 flatten/1 to_entries/0
  from_entries/0 with_entries/1 ltrimstr/1 rtrimstr/1 trim/0 ltrim/0 rtrim/0 abs/0 del/1 getpath/1 arrays/0 objects/0
  strings/0 numbers/0 booleans/0 nulls/0 scalars/0 iterables/0`.split(/\s+/),
);

/** Whether only the outputs of an expression can keep its input: `debug` shows it to the host, as a definition may. */
export function isQuiet(node: Node, scope: Scope): boolean {
  for (const next of nodesWithin(node)) {
    if (next.kind === "Definition") return false;
    if (next.kind === "Call") {
      const { name, arguments: given } = next;
      const signature = `${name.text}/${given.length}`;
      if (!scalar.has(signature) && !quiet.has(signature)) return false;
      if (findFunction(scope, name.text, given.length) !== undefined) return false;
    }
  }
  return true;
}

/** Gives up what an expression may have kept of its input, which lies at `depth`, when it has given an output. */
type Losing = (owned: Ownership, depth: number, output: Json) => void;

export function losing(node: Expression, scope: Scope): Losing {
  if (!isQuiet(node, scope)) return (owned, depth) => owned.lose(depth);
  const reach = reachOf(node);
  if (reach === nothing) return () => {};
  const holds = holding(node);
  return (owned, depth, output) => {
    if (holds(output)) owned.lose(reach === whole ? depth : depth + 1);
  };
}

/** Whether neither an expression nor what it gives can keep a container of its input. */
export function keepsNothing(node: Expression, scope: Scope): boolean {
  return isQuiet(node, scope) && reachOf(node) === nothing;
}

/** Whether one output can hold a container of the input: what an expression makes anew is looked into. */
function holding(node: Expression): (output: Json) => boolean {
  if (reachOf(node) === nothing) return () => false;
  switch (node.kind) {
    case "Group":
      return holding(node.body);
    case "Array": {
      const item = holding(node.body!);
      return (output) => (output as readonly Json[]).some(item);
    }
    case "Object":
      return (output) => Object.values(output as JsonObject).some(isContainer);
    default:
      return isContainer;
  }
}

/** What the outputs of an expression can contain of its input: nothing of it but scalars, or parts, or itself too. */
type Reach = typeof nothing | typeof parts | typeof whole;
const nothing = 0;
const parts = 1;
const whole = 2;

/** @param node one that is quiet: no call in it means anything but a builtin */
function reachOf(node: Expression): Reach {
  switch (node.kind) {
    case "Number":
    case "String":
    case "Format":
    case "SourceLocation":
    case "Variable":
    case "Hole":
    case "Comparison":
    case "Logical":
    case "Negation":
      return nothing;
    case "Group":
      return reachOf(node.body);
    case "Array":
      return node.body === undefined ? nothing : reachOf(node.body);
    case "Comma":
      return furthest(node.items);
    case "Object":
      return node.entries.reduce<Reach>((reach, { key, value }) => {
        const own = key.kind === "Variable" || key.kind === "SourceLocation" ? nothing : parts;
        return larger(reach, value === undefined ? own : reachOf(value));
      }, nothing);
    case "Arithmetic":
      return larger(reachOf(node.first), furthest(node.rest.map(({ operand }) => operand)));
    case "Alternative":
      return furthest(node.operands);
    case "If": {
      if (node.otherwise === undefined) return whole;
      return furthest([...node.branches.map(({ body }) => body), node.otherwise]);
    }
    case "Postfix":
      return reachOfPostfix(node);
    case "Pipeline": {
      // What a variable of its own stands for isn't known.
      let reach: Reach = whole;
      for (const stage of node.stages) {
        if (stage.kind === "Definition" || stage.kind === "Binding" || stage.kind === "Label") return whole;
        const next = reachOf(stage);
        if (next < reach) reach = next;
      }
      return reach;
    }
    case "Call":
      return scalar.has(`${node.name.text}/${node.arguments.length}`) ? nothing : whole;
    default:
      return whole;
  }
}

function reachOfPostfix({ head, suffixes }: Postfix): Reach {
  if (head.kind !== "Identity") return reachOf(head);
  return suffixes[0]?.kind === "Optional" ? whole : parts;
}

function furthest(nodes: readonly Expression[]): Reach {
  return nodes.reduce<Reach>((reach, node) => larger(reach, reachOf(node)), nothing);
}

function larger(a: Reach, b: Reach): Reach {
  return a > b ? a : b;
}
