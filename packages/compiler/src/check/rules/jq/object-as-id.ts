import { type Expression, types } from "@configc/jq";
import type { JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { inferNodes } from "../../../flow/inference.ts";
import { nameOf } from "../../../flow/literal-object.ts";
import { bare, nodesOfKind } from "../../../flow/nodes.ts";
import type { RuleModule } from "../../checks.ts";
import { rewriteTo } from "../../edits.ts";

const objectAsId = defineRule<{ name: string; text: string; member: string; instead: string }>({
  id: "jq/object-as-id",
  severity: "warning",
  summary: "A whole object is kept under the name of an id",
  why: "A program that reads `.hook.secret` says that `.hook` is an object. Under the name of an id it goes into paths and comparisons later, where an object fails, or is equal to nothing.",
  guards: ["D9", "D23"],
  message: ({ name, text, member }) =>
    `\`${name}\` gets the whole object \`${text}\`, of which this program also reads \`${member}\`.`,
  because: ({ text, member }) => [
    `\`${text === "." ? member : text + member.slice(member.lastIndexOf("."))}\` is read: \`${text}\` is an object`,
    "an object in a path fails",
  ],
  help: ({ instead }) => `Write \`${instead}\`.`,
  examples: [
    {
      title: "The whole answer",
      in: "inbound-webhook",
      at: "/data_intake/0/create/!pipe/1/!jq",
      bad: '".hook | {hook_id: «.», hook_key: .key}"',
      good: '".hook | {hook_id: .id, hook_key: .key}"',
      fixed: '".hook | {hook_id: .id, hook_key: .key}"',
      also: ["unused/saved-key"],
    },
    {
      title: "A part of it",
      in: "inbound-webhook",
      at: "/data_intake/0/create/!pipe/1/!jq",
      bad: '"{hook_id: «.hook», hook_key: .hook.key}"',
      good: '"{hook_id: .hook.id, hook_key: .hook.key}"',
      fixed: '"{hook_id: .hook.id, hook_key: .hook.key}"',
      also: ["unused/saved-key"],
    },
  ],
  fixes: (finding, { document }) => rewriteTo(finding, document),
});

const module: RuleModule = {
  rules: [objectAsId],
  checks: {
    reach: "linked",
    program(program, report, model) {
      const { node, diagnostics } = program;
      if (diagnostics.length > 0 || !/(?:_|\b)id\b|Id\b|\bdisplay\b/.test(node.value)) return;
      for (const { entries } of nodesOfKind(program, "Object"))
        for (const { key, value } of entries) {
          const name = nameOf(key);
          if (name === undefined || value === undefined) continue;
          // What customers choose is sent later, most of all as an id.
          const isOption = name === "value" && entries.some((each) => nameOf(each.key) === "display");
          if (!isOption && !isIdName(name)) continue;
          // Where the record is known, it is told that options can't have it.
          if (isOption && isKnownObject(value, program, model)) continue;
          const path = bare(value);
          if (path.kind === "Identity") {
            const member =
              entries
                .map((each) => readDirectly(each.value, node.value))
                .find((text) => text !== undefined) ??
              (isOption ? undefined : memberMade(path, program, model));
            if (member !== undefined)
              report(
                objectAsId,
                { node, from: path.start, to: path.end },
                { name, text: ".", member, instead: ".id" },
              );
            continue;
          }
          const isRead = path.kind === "Postfix" && path.suffixes.every(({ kind }) => kind === "Field");
          if (!isRead && path.kind !== "Variable") continue;
          const text = node.value.slice(path.start, path.end);
          const member = memberRead(text, program);
          if (member !== undefined)
            report(
              objectAsId,
              { node, from: path.start, to: path.end },
              { name, text, member, instead: `${text}.id` },
            );
        }
    },
  },
};
export default module;

/** Whether a value certainly is an object, by what comes in. */
function isKnownObject(value: Expression, program: JqProgram, model: Model): boolean {
  const kind = bare(value).kind;
  if (kind !== "Identity" && kind !== "Variable") return false;
  const flow = flowOf(model);
  const { nodes } = inferNodes(program, flow.programInput(program), flow.holes(program));
  const parts = types.partsOf(nodes.get(value)?.output ?? types.unknown);
  return parts.length > 0 && parts.every((part) => part.kind === "object");
}

/** A member that `.` certainly has there: the step before made an object, and the program makes another one of it. */
function memberMade(value: Expression, program: JqProgram, model: Model): string | undefined {
  if (bare(program.tree.body).kind !== "Object") return undefined;
  const flow = flowOf(model);
  const { nodes } = inferNodes(program, flow.programInput(program), flow.holes(program));
  // In `[.items[] | {id: .}]` it is an item.
  const parts = types.partsOf(nodes.get(value)?.output ?? types.unknown);
  const [first] = parts;
  if (first?.kind !== "object" || parts.some(({ kind }) => kind !== "object")) return undefined;
  const [name] = first.members.keys();
  return name === undefined ? undefined : `.${name}`;
}

/** A member of the object construction's own input that an entry reads. */
function readDirectly(value: Expression | undefined, text: string): string | undefined {
  const path = value === undefined ? undefined : bare(value);
  // `"\(.number) (\(.keeper))"`
  if (path?.kind === "String")
    for (const part of path.parts) {
      const read = part.kind === "Interpolation" ? readDirectly(part.expression, text) : undefined;
      if (read !== undefined) return read;
    }
  const isRead =
    path?.kind === "Postfix" && path.head.kind === "Identity" && path.suffixes[0]?.kind === "Field";
  return isRead ? text.slice(path.start, path.end) : undefined;
}

/** A path of the same object construction's input that begins with another one. */
function memberRead(text: string, program: JqProgram): string | undefined {
  const { value } = program.node;
  return nodesOfKind(program, "Postfix")
    .filter(({ suffixes }) => suffixes.every(({ kind }) => kind === "Field"))
    .map(({ start, end }) => value.slice(start, end))
    .find((other) => other.startsWith(`${text}.`));
}
