import type { ObjectConstruction } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { literalMembers } from "../../../flow/literal-object.ts";
import { bare } from "../../../flow/nodes.ts";
import { plainBody } from "../../../flow/plain-body.ts";
import { type JsonNode, type StringNode, toJson } from "../../../parse/syntax-tree.ts";
import { allIn } from "../workflow/commands.ts";

/** A value that a request sends. */
export interface SentValue {
  /** As it is written: a text without its quotes, anything else as JSON or as the expression of a program. */
  readonly text: string;
  /** Whether it is a text, or one expansion. */
  readonly isText: boolean;
  /** Where it stands, or the program that makes it. */
  readonly node: JsonNode;
}

/** What a request sends below `body`, by the names of its members joined with dots: `data.attributes.url`. Lists count as one value. */
export type Sent = ReadonlyMap<string, SentValue>;

/** What a request sends; undefined where its body isn't an object that can be read, here or in the step that makes it. */
export function sentBy(request: Command): Sent | undefined {
  const { argument } = request;
  const body = argument?.kind === "object" ? argument.get("body") : undefined;
  const sent = new Map<string, SentValue>();
  if (body?.kind === "object") collect(body, "", sent);
  const program = body?.kind === "string" ? builtBy(body, request) : undefined;
  const made = program === undefined ? undefined : plainBody(program);
  if (program !== undefined && made?.kind === "Object" && !collectMade(made, "", program, sent))
    return undefined;
  return body?.kind === "object" || made?.kind === "Object" ? sent : undefined;
}

/** The program of the step that gives all of a body: `${piped_content.1}`. */
export function builtBy({ value }: StringNode, { pipe, stepsRun }: Command): JqProgram | undefined {
  const [, index] = /^\$[{<]\s*piped_content\.(\d+)\s*[}>]$/.exec(value) ?? [];
  const at = Number(index);
  const step = at > 0 && at <= stepsRun ? pipe?.children[at - 1] : undefined;
  const { program } = step?.key === "!jq" ? step : {};
  return program?.diagnostics.length === 0 ? program : undefined;
}

function collect(node: JsonNode, name: string, sent: Map<string, SentValue>): void {
  if (node.kind !== "object") {
    const isText = node.kind === "string";
    sent.set(name, { text: isText ? node.value : JSON.stringify(toJson(node)), isText, node });
    return;
  }
  for (const member of node.members)
    if (member.value !== undefined)
      collect(member.value, name === "" ? member.name : `${name}.${member.name}`, sent);
}

/** @returns false where not all names are written */
function collectMade(
  object: ObjectConstruction,
  before: string,
  program: JqProgram,
  sent: Map<string, SentValue>,
): boolean {
  const members = literalMembers(object);
  if (members === undefined) return false;
  for (const [member, given] of members) {
    const name = before === "" ? member : `${before}.${member}`;
    const value = given === undefined ? undefined : bare(given);
    if (value?.kind === "Object") {
      if (!collectMade(value, name, program, sent)) return false;
      continue;
    }
    const { node } = program;
    const constant = value === undefined ? undefined : constantOf(value);
    const text =
      typeof constant === "string"
        ? constant
        : value === undefined
          ? member
          : node.value.slice(value.start, value.end);
    sent.set(name, { text, isText: typeof constant === "string" || value?.kind === "Hole", node });
  }
  return true;
}

/** What `create` sends with the webhook's URL; undefined where none of its requests, or several, send it in their body. */
export function registrationSent(create: Command): Sent | undefined {
  const [sent, ...others] = (allIn(create) ?? []).flatMap((command) => {
    const own = command.key === "!http" ? sentBy(command) : undefined;
    return own !== undefined && [...own.values()].some((value) => holds(value, "webhook.url")) ? [own] : [];
  });
  return others.length === 0 ? sent : undefined;
}

/** Whether a value has a text in it. */
export const holds = ({ text }: SentValue, part: string): boolean => text.includes(part);
