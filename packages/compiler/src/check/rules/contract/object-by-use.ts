import { demandedPaths, types } from "@configc/jq";
import type { Command, Expansion, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { documentedAt } from "../../../flow/documented-records.ts";
import { flowOf } from "../../../flow/flow.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { sourcesOf } from "../../../flow/value-sources.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { scalarVariable } from "./object-in-text.ts";

const objectByUse = defineRule<{
  expansion: string;
  path: string;
  member: string;
  place: string;
  /** Whether only a comment shows the member. */
  isShown: boolean;
  /** Whether it is read of the same record as another step gives it. */
  isOther?: boolean;
}>({
  id: "expansion/object-by-use",
  severity: "warning",
  summary: "An object is sent where a string belongs, although a member of it is read or shown elsewhere",
  why: "In a path, a header, a parameter or a form a value becomes text, and an object has none: the request is refused at run time. A path that ends one name too early gives the object around the value.",
  guards: ["D9", "D18", "D19", "expansion.piped_content"],
  message: ({ expansion, path, member, place, isShown, isOther = false }) =>
    isShown
      ? `\`${expansion}\` is an object with \`${member}\` by a comment, but ${place} takes one value.`
      : `\`${expansion}\` is an object, since \`${below(path)}.${member}\` is read from ${isOther ? "another step" : `the same ${path === "" ? "value" : "answer"}`}, but ${place} takes one value.`,
  because: ({ expansion, path, member, isShown }) => [
    `${isShown ? "a comment shows" : ""} \`${below(path)}.${member}\`${isShown ? "" : " is read"}, so \`${path === "" ? expansion : below(path)}\` is an object`.trim(),
    "the request is refused",
  ],
  help: ({ member }) => `Read \`${member}\` of it.`,
  examples: [
    {
      title: "D18",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people"}}, {"!jq": "{name: .person.name}"}, {"!http": {"method": "POST", "path": "/people/«${piped_content.1.person}»/notes", "body": {"note": "${piped_content.2.name}", "list": "${custom_data.list.value}"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people"}}, {"!jq": "{name: .person.name}"}, {"!http": {"method": "POST", "path": "/people/${piped_content.1.person.id}/notes", "body": {"note": "${piped_content.2.name}", "list": "${custom_data.list.value}"}}}]}',
    },
    {
      title: "All of a payload",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!http": {"path": "/people/«${piped_content.0}»"}}, {"!jq": "{email: .email, name: .name, kind: ${piped_content.0.kind}}"}]}',
      good: '{"!pipe": [{"!http": {"path": "/people/${piped_content.0.person_id}"}}, {"!jq": "{email: .email, name: .name, kind: ${piped_content.0.kind}}"}]}',
    },
    {
      title: "A record that a later step gives, too",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people/by-email", "params": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "PATCH", "path": "/people/«${piped_content.1.person}»", "body": {"note": "${custom_data.note.value | default}"}}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": {"person_id": "${piped_content.2.person.id}"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people/by-email", "params": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "PATCH", "path": "/people/${piped_content.1.person.id}", "body": {"note": "${custom_data.note.value | default}"}}}, {"!http": {"method": "POST", "path": "/lists/${custom_data.list.value}/people", "body": {"person_id": "${piped_content.2.person.id}"}}}]}',
    },
    {
      title: "By a comment",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      with: { "/workflows/0/data_pipeline/_comment": '"The search answers {matches: [{id, email}]}."' },
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/people/«${piped_content.1.matches.0}»/notes", "body": {"list": "${custom_data.list.value}"}}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!http": {"method": "POST", "path": "/people/${piped_content.1.matches.0.id}/notes", "body": {"list": "${custom_data.list.value}"}}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [objectByUse],
  checks: {
    expansion(expansion, report, model) {
      const found = useAsObject(expansion, model);
      if (found === undefined) return;
      const { node, syntax } = expansion;
      const { start, end } = syntax;
      const text = excerpt(node.value.slice(start, end));
      report(objectByUse, { node, from: start, to: end }, { expansion: text, ...found });
    },
  },
};
export default module;

/** Where an expansion has an object by what is read of it elsewhere, and that becomes text. */
export function useAsObject(expansion: Expansion, model: Model) {
  const place = placeOf(expansion);
  const read = place === undefined ? undefined : readOf(expansion);
  const { command } = expansion;
  if (place === undefined || read === undefined || command?.pipe === undefined) return undefined;
  // Of a whole answer the type says it.
  if (read.path === "" && isKnownObject(expansion, model)) return undefined;
  const used = memberRead(command.pipe, read, model);
  const other = used ?? idOfOther(command.pipe, read, model);
  const member = other ?? memberShown(read, command, model);
  if (member === undefined) return undefined;
  const isShown = other === undefined;
  return { path: read.path, member, place, isShown, isOther: used === undefined && other !== undefined };
}

const isKnownObject = (expansion: Expansion, model: Model): boolean =>
  types.partsOf(flowOf(model).expansion(expansion)).every(({ kind }) => kind === "object");

const below = (path: string): string => (path === "" ? "" : `.${path}`);

/** Where a value becomes text, and an object has none. */
function placeOf(expansion: Expansion): string | undefined {
  const { position, command, node } = expansion;
  if (position === "path" || position === "url" || position === "baseUrl") return "a path";
  if (position === "header") return "a header";
  const argument =
    command?.key === "!http" && command.argument?.kind === "object" ? command.argument : undefined;
  const [params, body, headers] = ["params", "body", "headers"].map((name) => argument?.get(name));
  const isIn = (object: typeof params): boolean =>
    object?.kind === "object" && object.members.some(({ value }) => value === node);
  if (isIn(params)) return "a parameter";
  const variable = scalarVariable(expansion);
  if (variable !== undefined) return variable;
  const isForm =
    headers?.kind === "object" &&
    headers.members.some(
      ({ name, value }) =>
        /^content-type$/i.test(name) && value?.kind === "string" && /urlencoded/i.test(value.value),
    );
  return isForm && isIn(body) ? "a field of a form" : undefined;
}

interface StepRead {
  readonly step: number;
  /** `person.address` */
  readonly path: string;
}

/** What an expansion reads of what comes in or of an earlier step; an empty path for the whole of it. */
function readOf({ root, rootExact, syntax, command }: Expansion): StepRead | undefined {
  const [, index = "", ...path] = syntax.path.map(({ text }) => text);
  if (root !== "piped_content" || rootExact !== true || syntax.problem !== undefined) return undefined;
  // A step that hasn't run yet is a slip of its own.
  if (!/^\d+$/.test(index) || Number(index) > (command?.stepsRun ?? 0)) return undefined;
  return { step: Number(index), path: path.join(".") };
}

/** A member that comments show of what stands at that path, where they show an object there: `{matches: [{id, email}]}`. */
function memberShown({ step, path }: StepRead, command: Command, model: Model): string | undefined {
  // Only an answer has what comments show of the service.
  if (command.pipe?.children[step - 1]?.key !== "!http") return undefined;
  const names = path.split(".");
  const isItem = /^\d+$/.test(names.at(-1)!);
  const name = names.at(isItem ? -2 : -1);
  const shown = name === undefined || name === "" ? [] : (documentedAt(command, model).get(name) ?? []);
  const [members = []] = shown.map((each) => each.members);
  const isObject = shown.every(
    ({ kind, members: own }) => kind === (isItem ? "list" : "object") && own !== undefined && own.length > 0,
  );
  if (shown.length === 0 || !isObject) return undefined;
  return (members.find((each) => each.name === "id") ?? members[0])?.name;
}

/** The id that an expansion reads of what another step of the pipe gives under the same name: the record as it was made or changed. */
function idOfOther(pipe: Command, { step, path }: StepRead, model: Model): string | undefined {
  // One path in several answers is a name that people gave; only an answer has a record as it is.
  if (!/^[a-z]\w*$/i.test(path) || pipe.children[step - 1]?.key !== "!http") return undefined;
  const other = partAround(pipe, model).expansions.find((each) => {
    const read = each.command?.pipe === pipe ? readOf(each) : undefined;
    return read !== undefined && read.step > step && read.path === `${path}.id`;
  });
  return other === undefined ? undefined : "id";
}

/** A member that something else in the pipe reads of what stands at that path, by its name. */
function memberRead(pipe: Command, { step, path }: StepRead, model: Model): string | undefined {
  const prefix = path === "" ? "" : `${path}.`;
  const next = pipe.children[step];
  const own = next?.key === "!jq" || next?.key === "!switch" ? next.program : undefined;
  const around = partAround(pipe, model);
  const deeper = (read: readonly string[]): string | undefined =>
    read.find(
      (each) => each !== "" && each.startsWith(prefix) && !/^(?:\d|\[)/.test(each.slice(prefix.length)),
    );
  const found =
    deeper([
      ...(own === undefined || own.diagnostics.length > 0 ? [] : pathsOf(own)),
      ...around.expansions.flatMap((each) => {
        const other = each.command?.pipe === pipe ? readOf(each) : undefined;
        return other?.step === step ? [other.path] : [];
      }),
    ]) ??
    deeper(
      around.programs.flatMap((program) =>
        program.command.pipe === pipe && program.diagnostics.length === 0
          ? pathsBelow(program, step, program === own)
          : [],
      ),
    );
  return found?.slice(prefix.length).split(".")[0];
}

/** What a program reads of a step through its expansions, also by way of variables: `${piped_content.1.person} as $p | $p.name`. */
function pathsBelow(program: JqProgram, step: number, isInput: boolean): readonly string[] {
  const reads = program.holes.some((hole) => readsStep(hole, step));
  if (!reads && !(isInput && program.node.value.includes("$"))) return [];
  return nodesOfKind(program, "Postfix").flatMap((node) => {
    if (!node.suffixes.some(({ kind }) => kind === "Field")) return [];
    return sourcesOf(program, node, []).flatMap((source) => {
      if (source.kind === "input") return isInput ? [source.path.join(".")] : [];
      if (source.kind !== "hole") return [];
      const hole = program.holes[source.hole];
      if (hole === undefined || !readsStep(hole, step)) return [];
      return [[...hole.syntax.path.slice(2).map(({ text }) => text), ...source.path].join(".")];
    });
  });
}

const readsStep = ({ root, rootExact, syntax }: Expansion, step: number): boolean =>
  root === "piped_content" && rootExact && syntax.problem === undefined && syntax.path[1]?.text === `${step}`;

function partAround({ unit }: Command, model: Model): Pick<Model, "expansions" | "programs"> {
  return unit?.kind === "intake" || unit?.kind === "workflow" ? partOfUnit(unit, model) : model;
}

function pathsOf({ tree }: JqProgram): readonly string[] {
  return demandedPaths(tree).flatMap(({ segments }) =>
    segments.every(({ key }) => typeof key === "string") ? [segments.map(({ key }) => key).join(".")] : [],
  );
}
