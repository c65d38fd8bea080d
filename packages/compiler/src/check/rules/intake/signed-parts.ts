import { children, type Expression, type Node } from "@configc/jq";
import { constantOf } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type DocumentedSigned, documentedSigned, type SignedPart } from "../../../flow/documented-signed.ts";
import { commentedBelow, commentsAround, hasComments } from "../../../flow/documented-words.ts";
import { bare, nodesOfKind, textAt } from "../../../flow/nodes.ts";
import { stepBefore } from "../../../flow/producers.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { definitionInStep, memberMade } from "../../../flow/protocol/definition-site.ts";
import { boundTo } from "../../../flow/protocol/dependence.ts";
import { stepsOf } from "../../../flow/value-path.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { verificationOf } from "./commands-of.ts";

const place = { in: "inbound-webhook", at: "/data_intake/0/verification/!pipe/0/!jq" } as const;
const world = (comment: string, compared = ".hash"): Readonly<Record<string, string>> => ({
  "/data_intake/0/_comment": JSON.stringify(comment),
  "/data_intake/0/verification": `{"!pipe": [{"!jq": ""}, {"!sha": {"algorithm": "sha256", "secret": "<SIGNING_SECRET>"}}, {"!switch": {"jq": "if ${compared} == \${piped_content.0.headers.x-signature} then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}]}`,
});

const signedParts = defineRule<{
  said: string;
  missing: string | undefined;
  /** What stands between the parts instead of what is said. */
  between: string | undefined;
}>({
  id: "intake/signed-parts",
  severity: "warning",
  summary: "What is hashed isn't what a comment says is signed",
  why: "A hash is only equal to the sender's if both are made of the same bytes in the same order. If a part is missing or two are exchanged, each genuine delivery is refused.",
  guards: ["D26", "D31"],
  message: ({ said, missing, between }) =>
    between !== undefined
      ? `A comment says that the hash is over “${said}”. Here \`${between}\` stands between the parts.`
      : missing === undefined
        ? `A comment says that the hash is over “${said}”. Here the parts have another order.`
        : `A comment says that the hash is over “${said}”. This lacks “${missing}”.`,
  because: ({ missing, between }) => [
    between !== undefined
      ? `\`${between}\` stands between the parts`
      : missing === undefined
        ? "the parts stand in another order"
        : `“${missing}” isn't in what is hashed`,
    "the hashes are never equal: a genuine delivery is refused",
  ],
  help: ({ missing, between }) =>
    between !== undefined
      ? "Put between them what the comment says."
      : missing === undefined
        ? "Put the parts in the order of the comment."
        : "Put it where the comment says.",
  examples: [
    {
      title: "A part is missing",
      ...place,
      with: world("X-Signature is the hex HMAC-SHA256 of nonce, line feed and raw body."),
      bad: '"{value_to_encrypt: «.raw_body»}"',
      good: '"{value_to_encrypt: (.headers[\\"x-nonce\\"] + \\"\\\\n\\" + .raw_body)}"',
    },
    {
      title: "Another character between them",
      ...place,
      with: world("X-Signature is the hex HMAC-SHA256 of nonce, a colon and the raw body."),
      bad: '"{value_to_encrypt: («.headers[\\"x-nonce\\"] + \\".\\" + .raw_body»)}"',
      good: '"{value_to_encrypt: (.headers[\\"x-nonce\\"] + \\":\\" + .raw_body)}"',
    },
    {
      title: "Two are exchanged",
      ...place,
      with: world(
        "X-Signature is the hex HMAC-SHA256 of delivery, nonce and raw body, joined by full stops.",
      ),
      bad: '"{value_to_encrypt: («[.headers[\\"x-nonce\\"], .headers[\\"x-delivery\\"], .raw_body] | join(\\".\\")»)}"',
      good: '"{value_to_encrypt: ([.headers[\\"x-delivery\\"], .headers[\\"x-nonce\\"], .raw_body] | join(\\".\\"))}"',
    },
  ],
});

const encodedHash = defineRule<{ text: string; format: string }>({
  id: "intake/encoded-hash",
  severity: "warning",
  summary: "A hash is encoded as base64, though a comment says that the signature is hex",
  why: "`!sha` gives the hash as hex. As base64 it is another text, which never equals a signature in hex: each genuine delivery is refused.",
  guards: ["D26", "D31"],
  message: ({ text, format }) =>
    `A comment says that the signature is hex, which \`.hash\` is. \`${text}\` is ${format} of it.`,
  because: () => ["the sender writes hex", "base64 of it never equals that"],
  help: () => "Compare the hash as it is.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/verification/!pipe/2/!switch/jq",
      with: {
        ...world("X-Signature is the hex HMAC-SHA256 of the raw body."),
        "/data_intake/0/verification/!pipe/0/!jq": '"{value_to_encrypt: .raw_body}"',
      },
      bad: '"if («.hash | @base64») == ${piped_content.0.headers.x-signature} then 0 else 1 end"',
      good: '"if .hash == ${piped_content.0.headers.x-signature} then 0 else 1 end"',
    },
  ],
});

const module: RuleModule = {
  rules: [signedParts, encodedHash],
  checks: {
    reach: "saved",
    intake(intake, report, model) {
      if (!hasComments(model)) return;
      const readable = verificationOf(intake, model);
      const hashes = readable?.all.filter(({ key }) => key === "!sha") ?? [];
      const [hash, ...others] = hashes;
      if (readable === undefined || hash === undefined || others.length > 0) return;
      const said = documentedSigned(readable.root.node);
      const made = said === undefined ? undefined : hashedText(hash);
      const found = said === undefined || made === undefined ? undefined : differenceOf(said, made);
      if (said !== undefined && made !== undefined && found !== undefined)
        report(signedParts, made.at, { said: said.text, ...found }, [
          { message: "the comment", at: said.comment },
        ]);
      if (!isSaidHex(readable.root)) return;
      for (const { program } of readable.all)
        for (const { stages, start, end } of program === undefined ? [] : nodesOfKind(program, "Pipeline")) {
          const [first, last, ...more] = stages as readonly Expression[];
          if (program === undefined || first === undefined || last?.kind !== "Format" || more.length > 0)
            continue;
          if (last.name !== "base64" || !/\.hash$/.test(textAt(bare(first), program))) continue;
          const text = excerpt(program.node.value.slice(start, end).trim());
          report(encodedHash, { node: program.node, from: start, to: end }, { text, format: "base64" });
        }
    },
  },
};
export default module;

/** Whether the comments around say that the signature is written in hex, and nothing of base64. */
function isSaidHex({ node }: Command): boolean {
  const said = commentsAround(node, [...commentedBelow(node)]).map(({ value }) => value);
  return (
    said.some((text) => /\bhex(?:adecimal)?\b/i.test(text)) && !said.some((text) => /base-?64/i.test(text))
  );
}

/** A part of what is hashed: the name of what is read, or undefined where that isn't known. */
type HashedPart = { readonly kind: "body" } | { readonly kind: "value"; readonly name: string };

interface Hashed {
  readonly parts: readonly HashedPart[];
  /** Single characters that are written in it. */
  readonly constants: readonly string[];
  readonly at: StringPart;
}

/** What a hash is made of, as far as each part is read by a name. */
function hashedText(hash: Command): Hashed | undefined {
  const made = memberMade(stepBefore(hash), "value_to_encrypt");
  if (made === undefined) return undefined;
  const { node, program } = made;
  const own = partsOf(node, program, 0);
  const parts = own?.flatMap((part) => (part === "constant" ? [] : [part]));
  const inner = bare(node);
  const at = { node: program.node, from: inner.start, to: inner.end };
  const constants = constantsIn(inner).filter(({ length }) => length === 1);
  return parts === undefined ? undefined : { parts, constants, at };
}

/** Texts that are written between the parts; what stands for a part that is missing is none. */
function constantsIn(node: Node): readonly string[] {
  if (node.kind === "StringText") return [node.value];
  return (node.kind === "Alternative" ? node.operands.slice(0, 1) : children(node)).flatMap(constantsIn);
}

/** So many definitions are followed. */
const DEPTH = 4;

function partsOf(
  given: Expression,
  program: JqProgram,
  depth: number,
): readonly (HashedPart | "constant")[] | undefined {
  if (depth > DEPTH) return undefined;
  const node = bare(given);
  if (constantOf(node) !== undefined) return ["constant"];
  switch (node.kind) {
    case "Arithmetic":
      return node.rest.every(({ operator }) => operator === "+")
        ? all([node.first, ...node.rest.map(({ operand }) => operand)], program, depth)
        : undefined;
    case "Alternative":
      return partsOf(node.operands[0]!, program, depth);
    case "Array": {
      const items = node.body === undefined ? [] : node.body.kind === "Comma" ? node.body.items : [node.body];
      return all(items, program, depth);
    }
    case "String":
      return node.format !== undefined
        ? undefined
        : all(
            node.parts.flatMap((part) => (part.kind === "Interpolation" ? [part.expression] : [])),
            program,
            depth,
          );
    case "Pipeline": {
      const [first, ...rest] = node.stages as readonly Expression[];
      const isJoined = rest.every((stage) => stage.kind === "Call" && keepsOrder.test(stage.name.text));
      return first !== undefined && isJoined ? partsOf(first, program, depth) : undefined;
    }
    case "Variable": {
      const source = boundTo(program, node);
      return source === undefined ? undefined : (partsOf(source, program, depth + 1) ?? undefined);
    }
    case "Hole": {
      const hole = program.holes[node.hole];
      const defined = hole === undefined ? undefined : definitionInStep(hole);
      if (defined !== undefined) return partsOf(defined.node, defined.program, depth + 1);
      return hole === undefined ? undefined : named(hole.syntax.path.at(-1)?.text);
    }
    case "Postfix": {
      const path = stepsOf(node.suffixes);
      const name = path?.at(-1);
      const before = program.command;
      const defined =
        node.head.kind === "Identity" && path?.length === 1
          ? memberMade(stepBefore(before), path[0]!)
          : undefined;
      if (defined !== undefined) return partsOf(defined.node, defined.program, depth + 1);
      return named(name);
    }
    default:
      return undefined;
  }
}

const keepsOrder = /^(?:join|add|map|tostring|first)$/;

function named(name: string | undefined): readonly HashedPart[] | undefined {
  if (name === undefined || name === "[]") return undefined;
  return [name === "raw_body" || name === "body" ? { kind: "body" } : { kind: "value", name }];
}

function all(items: readonly Expression[], program: JqProgram, depth: number) {
  const found = items.map((item) => partsOf(item, program, depth));
  return found.every((each) => each !== undefined) ? found.flat() : undefined;
}

/** How what is hashed differs from what is said: a part that is missing, or another order. */
function differenceOf(
  { parts }: DocumentedSigned,
  { parts: hashed, constants }: Hashed,
): { readonly missing: string | undefined; readonly between: string | undefined } | undefined {
  const wanted = parts.filter(({ kind }) => kind !== "separator");
  if (hashed.filter(({ kind }) => kind === "body").length !== 1) return undefined;
  const places = wanted.map((part) => placeOf(part, hashed));
  if (wanted.length > hashed.length) {
    // Those that are there have to be known, or another one may be it.
    const known = new Set(places.filter((each) => each !== undefined));
    const lacking = wanted.filter((_, index) => places[index] === undefined);
    const [missing] = lacking;
    if (known.size !== hashed.length || missing?.kind !== "value") return undefined;
    return { missing: missing.text, between: undefined };
  }
  if (wanted.length !== hashed.length || places.some((each) => each === undefined)) return undefined;
  if (new Set(places).size !== places.length) return undefined;
  if (!places.every((each, index) => index === 0 || places[index - 1]! < each!))
    return { missing: undefined, between: undefined };
  const separators = parts.flatMap((part) => (part.kind === "separator" ? [part.character] : []));
  const [said, ...others] = new Set(separators);
  const [written, ...more] = new Set(constants);
  if (said === undefined || others.length > 0 || written === undefined || more.length > 0) return undefined;
  return said === written ? undefined : { missing: undefined, between: JSON.stringify(written) };
}

/** The part of what is hashed that a comment names; undefined where none is it, or several may be. */
function placeOf(part: SignedPart, hashed: readonly HashedPart[]): number | undefined {
  const scores = hashed.map((each) => {
    if (part.kind === "body" || each.kind === "body") return part.kind === each.kind ? 1 : 0;
    if (part.kind !== "value") return 0;
    if (part.words.includes(each.name.toLowerCase())) return 10;
    const said = part.words.flatMap((word) => wordsOf(word));
    return wordsOf(each.name).filter((word) => said.includes(word)).length;
  });
  const best = Math.max(...scores);
  const found = scores.flatMap((score, index) => (score === best ? [index] : []));
  return best > 0 && found.length === 1 ? found[0] : undefined;
}
