import type { Command } from "../bind/bound-nodes.ts";
import { derivedOf } from "../bind/derived.ts";
import type { Model } from "../bind/model.ts";
import { type SyntaxNode, textOf, toJson } from "../parse/syntax-tree.ts";
import { graphqlQuery } from "../samples/graphql.ts";
import { flowOf } from "./flow.ts";
import { expansionTrails, type Origin, trailsOf } from "./origin.ts";
import type { ReadValue, ShapeRead, ShapeSubject } from "./shape-reads.ts";
import type { ValuePath } from "./value-path.ts";

/** @see ShapeSubject.id */
export function subjectId(key: string, path: ValuePath): string {
  // With its length before it, a text needs no escapes.
  let id = `${key.length}:${key}`;
  for (const name of path) id += `${name.length}:${name}`;
  return id;
}

/** What a read value may be a part of; none where that isn't known of all that it may be. */
export const subjectsOf = ({ from }: ShapeRead, model: Model): readonly ShapeSubject[] =>
  (from.subjects ??= subjectsFound(from, model));

function subjectsFound(from: ReadValue, model: Model): readonly ShapeSubject[] {
  const flow = flowOf(model);
  const trails =
    "program" in from
      ? trailsOf(flow, from.program, from.head, from.path)
      : expansionTrails(flow, from.expansion, from.length);
  const subjects: ShapeSubject[] = [];
  for (const { origin } of trails) {
    const subject = subjectOf(origin, model);
    if (subject === undefined) return [];
    subjects.push(subject);
  }
  return subjects;
}

function subjectOf(origin: Origin, model: Model): ShapeSubject | undefined {
  if (origin.kind === "response") {
    const { command } = origin;
    const known = requestKeyOf(command, model);
    if (known === undefined) return undefined;
    const { key, text } = known;
    const path = origin.path[0] === "body" ? origin.path.slice(1) : origin.path;
    return { key, text, request: command, path, id: subjectId(key, path) };
  }
  if (origin.kind !== "place" || origin.command.place.input !== "payload") return undefined;
  const { unit } = origin.command;
  const intake = unit?.kind === "workflow" ? unit.intake?.target : unit?.kind === "intake" ? unit : undefined;
  if (intake?.type !== "webhook") return undefined;
  const name = intake.name ?? "";
  const [key, { path }] = [`webhook ${name}`, origin];
  return { key, text: `what \`${name}\` sends`, request: undefined, path, id: subjectId(key, path) };
}

const hole = /\$(?:\{[^}]*\}|<[^>]*>)/g;
/** Parameters that say what is asked for, where one address is for everything. */
const verbs =
  /^(?:action|method|operation|operationName|call|cmd|command|function|do|resource|object|entity|type)$/;

/** A fixed word in a body may say it, too, whatever its member is called: `{"op": "office.show", …}`. */
const isWord = (value: SyntaxNode): boolean => value.kind === "string" && !/\$[{<]/.test(value.value);

const requestKeyOf = derivedOf((command: Command) => requestKey(command));

function requestKey(command: Command): Pick<ShapeSubject, "key" | "text"> | undefined {
  const query = graphqlQuery(command);
  if (query !== undefined) {
    const text = query.value.replace(/\s+/g, " ").trim();
    return { key: `graphql ${text}`, text: "the query" };
  }
  const { argument } = command;
  const where = textOf(argument, "path") ?? textOf(argument, "url");
  if (where === undefined || argument?.kind !== "object") return undefined;
  const path = where
    .replace(hole, "{}")
    .replace(/[?#].*$/, "")
    .replace(/\/+$/, "");
  // What stands first says what is asked for.
  if (/^\/?\{\}/.test(path)) return undefined;
  const method = (textOf(argument, "method") ?? "GET").toUpperCase();
  const said = ["params", "body"].flatMap((part) => {
    const node = argument.get(part);
    if (node?.kind !== "object") return [];
    return node.members.flatMap(({ name, value }) =>
      value !== undefined && (verbs.test(name) || (part === "body" && isWord(value)))
        ? [`${name}=${JSON.stringify(toJson(value))}`]
        : [],
    );
  });
  const query_ = /\?[^#]*\b(?:action|method|operation)=[^&#]*/.exec(where)?.[0] ?? "";
  return {
    key: [method, path, query_, ...said].join(" "),
    text: `\`${method} ${where.replace(/\?.*$/, "")}\``,
  };
}
