import type { Expression, Node } from "@configc/jq";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { finalObject, literalMembers, nameOf } from "../../../flow/literal-object.ts";
import { bare, isExpression, nodesIn, nodesOfKind } from "../../../flow/nodes.ts";
import { definitionOfInput } from "../../../flow/protocol/definition-site.ts";
import { type StringPart, spanOf } from "../../../parse/document.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";

const place = { in: "inbound-webhook", at: "/data_intake/0/verification" } as const;
const rest =
  '{"!sha": {"algorithm": "sha256", "secret": "<SIGNING_SECRET>"}}, {"!switch": {"jq": "if .hash == ${piped_content.0.headers.x-signature} then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}';

const parsedBody = defineRule<Record<string, never>>({
  id: "intake/parsed-body-signed",
  severity: "warning",
  summary: "A signature is computed from the parsed body instead of the bytes that were sent",
  why: "The sender signs the bytes of the body. After parsing and writing it again, spaces, the order of members, escapes or numbers may differ. One different byte changes the signature, so genuine deliveries are refused.",
  guards: ["D26", "D31"],
  message: () => "This hashes the body after parsing. The sender signed its bytes, which are in `.raw_body`.",
  because: () => [
    'the sender signs `{"a": 1}`, with a space',
    'this hashes `{"a":1}`: the two are never equal',
  ],
  help: () => "Hash `.raw_body`.",
  examples: [
    {
      title: "D31",
      ...place,
      bad: `{"!pipe": [{"!jq": "{value_to_encrypt: («.body | tojson»)}"}, ${rest}]}`,
      good: `{"!pipe": [{"!jq": "{value_to_encrypt: (.raw_body)}"}, ${rest}]}`,
      fixed: `{"!pipe": [{"!jq": "{value_to_encrypt: (.raw_body)}"}, ${rest}]}`,
    },
    {
      title: "D26: parsed on the way",
      ...place,
      bad: `{"!pipe": [{"!jq": "{value_to_encrypt: .raw_body}"}, {"!extract": {"item_keys": ["value_to_encrypt"], "to_json": «true»}}, ${rest}]}`,
      good: `{"!pipe": [{"!jq": "{value_to_encrypt: .raw_body}"}, {"!extract": {"item_keys": ["value_to_encrypt"], "to_json": false}}, ${rest}]}`,
      fixed: `{"!pipe": [{"!jq": "{value_to_encrypt: .raw_body}"}, {"!extract": {"item_keys": ["value_to_encrypt"], "to_json": false}}, ${rest}]}`,
    },
  ],
  fixes: ({ at }, { document }) => {
    const newText = "from" in at ? ".raw_body" : "false";
    const title = "from" in at ? "Hash `.raw_body`" : "Don’t parse it";
    return [{ title, safe: false, edits: [{ ...spanOf(document, at), newText }] }];
  },
});

const headerCase = defineRule<{ name: string }>({
  id: "intake/header-case",
  severity: "warning",
  summary: "`verification` reads a header by a name with capitals",
  why: "Header names reach `verification` in lower case, however the sender wrote them. A name with capitals finds nothing, so genuine deliveries are refused.",
  guards: ["D31"],
  message: ({ name }) => `Header names arrive in lower case, so \`${name}\` is never there.`,
  because: ({ name }) => [
    `the sender writes \`${name}\`; it arrives as \`${name.toLowerCase()}\``,
    `\`${name}\` is null: no delivery is genuine`,
  ],
  help: ({ name }) => `Write \`${name.toLowerCase()}\`.`,
  examples: [
    {
      title: "D31",
      ...place,
      bad: '{"!switch": {"jq": "if .headers[\\"«X-Token»\\"] == \\"<TOKEN>\\" then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}',
      good: '{"!switch": {"jq": "if .headers[\\"x-token\\"] == \\"<TOKEN>\\" then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}',
      fixed:
        '{"!switch": {"jq": "if .headers[\\"x-token\\"] == \\"<TOKEN>\\" then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}',
    },
  ],
  fixes: ({ at, args: { name } }, { document }) => [
    {
      title: `Change to \`${name.toLowerCase()}\``,
      safe: true,
      edits: [{ ...spanOf(document, at), newText: name.toLowerCase() }],
    },
  ],
});

const module: RuleModule = {
  rules: [parsedBody, headerCase],
  checks: {
    intake(intake, report) {
      const verification = intake.type === "webhook" ? intake.commands.get("verification") : undefined;
      const all = verification === undefined ? undefined : allIn(verification);
      if (all === undefined) return;
      const made = madeBefore(all);
      if (made !== undefined) report(parsedBody, made, {});
      for (const command of all) {
        const { program } = command;
        const parsed = isHashed(command, all) ? parsing(command) : undefined;
        if (parsed !== undefined) report(parsedBody, parsed, {});
        if (program === undefined || program.diagnostics.length > 0) continue;
        const signed = command.key === "!jq" && isHashed(command, all) ? wholeBody(program) : undefined;
        if (signed !== undefined)
          report(parsedBody, { node: program.node, from: signed.start, to: signed.end }, {});
        for (const { name, start } of capitalHeaders(program))
          report(headerCase, { node: program.node, from: start, to: start + name.length }, { name });
      }
    },
  },
};
export default module;

/** The parsed body in what a step makes under another name, which the next one hashes: `{signed: (.t + (.body | tojson))}`. */
function madeBefore(all: readonly Command[]): StringPart | undefined {
  for (const { key, program } of all) {
    const value =
      key === "!jq" && program !== undefined ? memberValue(program, "value_to_encrypt") : undefined;
    const defined = value === undefined ? undefined : definitionOfInput(value, program!);
    const parsed = defined === undefined ? undefined : parsedIn(defined.node, defined.program);
    if (defined !== undefined && parsed !== undefined)
      return { node: defined.program.node, from: parsed.start, to: parsed.end };
  }
  return undefined;
}

/** Whether a command of a verification has one of the slips that are told here. */
export function slipsIn(command: Command, all: readonly Command[]): boolean {
  const { key, program } = command;
  if (isHashed(command, all) && parsing(command) !== undefined) return true;
  if (program === undefined || program.diagnostics.length > 0) return false;
  const isParsed = key === "!jq" && isHashed(command, all) && wholeBody(program) !== undefined;
  return isParsed || capitalHeaders(program).length > 0;
}

/** Whether what a command gives is hashed by the step behind it, or behind steps that only hand it on. */
function isHashed(command: Command, all: readonly Command[]): boolean {
  const behind = command.pipe?.children.slice(command.stepsRun + 1) ?? [];
  const next = behind.find((other) => other?.key !== "!extract" && other?.key !== "!print_c");
  return next?.key === "!sha" && next.pipe === command.pipe && all.includes(next);
}

/** What says that an `!extract` parses what is to be hashed. */
function parsing({ key, argument }: Command): JsonNode | undefined {
  if (key !== "!extract" || argument?.kind !== "object") return undefined;
  const [keys, parses] = [argument.get("item_keys"), argument.get("to_json")];
  const isMeant =
    keys?.kind === "array" &&
    keys.items.some((item) => item?.kind === "string" && item.value === "value_to_encrypt");
  return isMeant && parses?.kind === "boolean" && parses.value ? parses : undefined;
}

/** `.body | tojson` in what is hashed. */
function wholeBody(program: JqProgram): Node | undefined {
  const value = memberValue(program, "value_to_encrypt");
  return value === undefined ? undefined : parsedIn(value, program);
}

function memberValue(program: JqProgram, name: string): Expression | undefined {
  const made = program.diagnostics.length > 0 ? undefined : finalObject(program);
  return made === undefined ? undefined : literalMembers(made)?.get(name);
}

function parsedIn(value: Expression, program: JqProgram): Node | undefined {
  for (const node of nodesIn(value)) {
    if (node.kind === "Pipeline") {
      const [body, text] = node.stages.slice(-2);
      // `${piped_content.0} | .body | tojson`
      const isWhole = node.stages
        .slice(0, -2)
        .every((stage) => isExpression(stage) && isRequest(stage, program));
      if (isWhole && body !== undefined && isBody(body, program) && text !== undefined && isText(text))
        return node;
    }
    if (node.kind === "Interpolation" && isBody(node.expression, program)) return node.expression;
  }
  return undefined;
}

/** `.`, or the whole request that the first step gets. */
function isRequest(node: Expression, { holes }: JqProgram): boolean {
  const read = bare(node);
  if (read.kind === "Identity") return true;
  const path = read.kind === "Hole" ? holes[read.hole]?.syntax.path.map(({ text }) => text).join(".") : "";
  return path === "piped_content.0";
}

function isBody(given: Node, { holes }: JqProgram): boolean {
  const node = given.kind === "Group" ? given.body : given;
  if (node.kind === "Hole")
    return holes[node.hole]?.syntax.path.map(({ text }) => text).join(".") === "piped_content.0.body";
  if (node.kind !== "Postfix") return false;
  if (node.head.kind !== "Identity" && !isRequest(node.head as Expression, { holes } as JqProgram))
    return false;
  const [suffix, ...others] = node.suffixes;
  return (
    others.length === 0 &&
    suffix?.kind === "Field" &&
    suffix.key.kind === "Name" &&
    suffix.key.text === "body"
  );
}

function isText(node: Node): boolean {
  if (node.kind === "Format") return node.name === "json" || node.name === "text";
  return node.kind === "Call" && (node.name.text === "tojson" || node.name.text === "tostring");
}

interface HeaderName {
  readonly name: string;
  readonly start: number;
}

/** Constant names with capitals that a program looks up in `headers`. */
function capitalHeaders(program: JqProgram): readonly HeaderName[] {
  const { node, holes } = program;
  // Who changes the names of all headers knows what they are then.
  if (/ascii_upcase|with_entries|from_entries/.test(node.value)) return [];
  const found: HeaderName[] = [];
  const known = new Set<string>();
  for (const at of nodesOfKind(program, "Postfix")) {
    for (const [index, suffix] of at.suffixes.entries()) {
      const before = at.suffixes[index - 1];
      const isHeader =
        index === 0
          ? endsWithHeaders(at.head, holes)
          : before?.kind === "Field" && nameIn(before.key) === "headers";
      if (!isHeader) continue;
      const key = suffix.kind === "Field" ? suffix.key : suffix.kind === "Index" ? suffix.index : undefined;
      const name = key === undefined ? undefined : nameIn(key);
      if (key === undefined || name === undefined) continue;
      known.add(name);
      const start = node.value.indexOf(name, key.start);
      if (/[A-Z]/.test(name) && start >= 0) found.push({ name, start });
    }
  }
  // `${piped_content.0.headers.X-Token}`
  for (const { syntax } of holes)
    for (const [index, { text, start }] of syntax.path.entries())
      if (syntax.path[index - 1]?.text === "headers") {
        known.add(text);
        if (/[A-Z]/.test(text)) found.push({ name: text, start });
      }
  // Both ways of writing were thought of.
  return found.filter(({ name }) => !known.has(name.toLowerCase()));
}

/** `${piped_content.0.headers}` */
function endsWithHeaders(head: Node, holes: JqProgram["holes"]): boolean {
  return head.kind === "Hole" && holes[head.hole]?.syntax.path.at(-1)?.text === "headers";
}

function nameIn(key: Node): string | undefined {
  return key.kind === "Name" || key.kind === "String" ? nameOf(key) : undefined;
}
