import type { Command, IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { serviceOf } from "../../../flow/counted.ts";
import { commentedBelow, commentsAround, hasComments } from "../../../flow/documented-words.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { SyntaxNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { replaceInString } from "../../edits.ts";
import { verificationOf } from "./commands-of.ts";
import { registrationSent } from "./registration-body.ts";
import { algorithmsOfTwo } from "./two-hashes.ts";

const verification = (algorithm: string, name: string, secret: string): string =>
  `{"!pipe": [{"!jq": "{value_to_encrypt: .raw_body}"}, {"!sha": {"algorithm": ${algorithm}, "secret": ${secret}}}, {"!switch": {"jq": "if (\\"${name}=\\" + .hash) == \${piped_content.0.headers.x-signature} then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}]}`;

const said = (algorithm: string): string =>
  `{"!pipe": [{"!jq": "{value_to_encrypt: .raw_body}"}, {"!sha": {"algorithm": ${algorithm}, "secret": "<SIGNING_SECRET>"}}, {"!switch": {"jq": "if .hash == \${piped_content.0.headers.x-signature} then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}]}`;

const otherAlgorithm = defineRule<{
  algorithm: string;
  named: string;
  /** The member in which `create` asks for it. It is left out elsewhere, so that fingerprints of known findings stay. */
  asked?: string;
  /** A comment names it. */
  isSaid?: true;
  /** The header whose name has it. */
  header?: string;
  /** The hash by the other key is made with it. */
  isOfOtherKey?: true;
}>({
  id: "intake/other-algorithm",
  severity: "warning",
  summary: "A hash is compared as the hash of another algorithm",
  why: "The sender names the algorithm in front of its signature. The hash of another algorithm is never equal to it, so no delivery of any customer is ever accepted.",
  guards: ["D26", "D31"],
  message: ({ algorithm, named, asked, isSaid, header, isOfOtherKey }) =>
    isOfOtherKey
      ? `One signature is compared with a \`${algorithm}\` hash by one key and a \`${named}\` hash by another.`
      : header !== undefined
        ? `The header \`${header}\` has a \`${named}\` hash by its name, but the hash is made with \`${algorithm}\`.`
        : isSaid
          ? `A comment says that the signature is made with \`${named}\`, but the hash is made with \`${algorithm}\`.`
          : asked !== undefined
            ? `The service is asked for \`${named}\` signatures (\`${asked}\`), but the hash is made with \`${algorithm}\`.`
            : `The signature is compared with \`${named}=\`, but the hash is made with \`${algorithm}\`.`,
  because: ({ algorithm, named, isOfOtherKey }) =>
    isOfOtherKey
      ? [
          "the sender signs with one algorithm, whatever its key",
          `a \`${algorithm}\` hash never equals a \`${named}\` one`,
        ]
      : [`the sender signs with \`${named}\``, `this hashes with \`${algorithm}\`: the two are never equal`],
  help: ({ named, asked, isSaid, header, isOfOtherKey }) =>
    isOfOtherKey
      ? "Use the same algorithm for both."
      : header !== undefined
        ? `Use \`${named}\`.`
        : isSaid
          ? `Use \`${named}\`, or correct the comment.`
          : asked !== undefined
            ? "Ask for the algorithm that `verification` uses, or use the one that is asked for."
            : `Use the algorithm that the API signs with, here or in front of the hash: \`${named}\`.`,
  examples: [
    {
      title: "D26",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      bad: verification('«"sha512"»', "sha256", '"<SIGNING_SECRET>"'),
      good: verification('"sha256"', "sha256", '"<SIGNING_SECRET>"'),
    },
    {
      title: "D26: not the one that `create` asks for",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      with: {
        "/data_intake/0/create/!pipe/0/!http/body": '{"url": "${webhook.url}", "signing": "sha512"}',
      },
      bad: verification('«"sha256"»', "v1", '"<SIGNING_SECRET>"'),
      good: verification('"sha512"', "v1", '"<SIGNING_SECRET>"'),
    },
    {
      title: "D26: not the one that a comment names",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      with: {
        "/data_intake/0/_comment": '"Deliveries carry x-signature, the hex HMAC (SHA-512) of the body."',
      },
      bad: said('«"sha256"»'),
      good: said('"sha512"'),
    },
    {
      title: "D26: not the one in the header's name",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      bad: said('«"sha512"»').replace("x-signature", "x-signature-sha256"),
      good: said('"sha256"').replace("x-signature", "x-signature-sha256"),
    },
  ],
});

const patterned = (digits: number): string =>
  `{"!pipe": [{"!jq": "{value_to_encrypt: .raw_body, v1: (.headers[\\"x-signature\\"] // \\"\\" | capture(\\"v1=(?<v1>[0-9a-f]{${digits}})$\\") | .v1)}"}, {"!sha": {"algorithm": "sha256", "secret": "<SIGNING_SECRET>"}}, {"!switch": {"jq": "if .hash == \${piped_content.1.v1} then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}]}`;

const otherLength = defineRule<{ algorithm: string; length: number; digits: number }>({
  id: "intake/other-length",
  severity: "warning",
  summary: "A pattern for the signature has another number of digits than the hash",
  why: "Each algorithm gives hashes of one length. A pattern for another length never fits the whole signature, so nothing of it is compared, and no delivery of any customer is ever accepted.",
  guards: ["D26", "D31"],
  message: ({ algorithm, length, digits }) =>
    `The pattern has ${digits} digits, and a \`${algorithm}\` hash has ${length}.`,
  because: ({ algorithm, length, digits }) => [
    `a genuine delivery has the \`${algorithm}\` hash of its body: ${length} digits`,
    `the pattern looks for ${digits}`,
  ],
  help: ({ length }) => `Write \`{${length}}\`.`,
  examples: [
    {
      title: "D26",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      bad: patterned(32).replace("{32}", "{«32»}"),
      good: patterned(64),
      fixed: patterned(64),
    },
  ],
  fixes: ({ at, args: { length } }, { document }) =>
    "from" in at
      ? [
          {
            title: `Change to ${length}`,
            safe: false,
            edits: [replaceInString(document, at.node, at.from, at.to, `${length}`)],
          },
        ]
      : [],
});

const module: RuleModule = {
  rules: [otherAlgorithm, otherLength],
  checks: {
    reach: "saved",
    intake(intake, report, model) {
      const readable = verificationOf(intake, model);
      if (readable === undefined) return;
      const { root, all } = readable;
      const two = algorithmsOfTwo(all);
      if (two !== undefined)
        report(
          otherAlgorithm,
          two.one,
          { algorithm: two.one.value, named: two.other.value, isOfOtherKey: true },
          [{ message: "the other one", at: two.other }],
        );
      const [sha, ...others] = all.filter(({ key }) => key === "!sha");
      if (sha?.argument?.kind !== "object" || others.length > 0) return;
      const named = algorithmsNamed(all);
      const algorithm = sha.argument.get("algorithm");
      if (algorithm?.kind === "string" && named.length === 1 && algorithms.has(algorithm.value))
        if (named[0] !== algorithm.value)
          report(otherAlgorithm, algorithm, { algorithm: algorithm.value, named: named[0]! });
      const asked = named.length < 2 ? askedFor(intake) : undefined;
      if (
        algorithm?.kind === "string" &&
        asked !== undefined &&
        asked.hash !== algorithm.value &&
        named.every((each) => each === algorithm.value)
      )
        report(
          otherAlgorithm,
          algorithm,
          { algorithm: algorithm.value, named: asked.hash, asked: asked.name },
          [{ message: "asked for here", at: asked.node }],
        );
      const documented =
        algorithm?.kind === "string" && asked === undefined && named.length === 0
          ? documentedAlgorithm(root.node, model)
          : undefined;
      if (documented !== undefined && algorithm?.kind === "string" && documented.name !== algorithm.value)
        report(
          otherAlgorithm,
          algorithm,
          { algorithm: algorithm.value, named: documented.name, isSaid: true },
          [{ message: "the comment", at: documented.comment }],
        );
      const header =
        documented === undefined && asked === undefined && named.length === 0 ? headerNaming(all) : undefined;
      if (header !== undefined && algorithm?.kind === "string" && algorithms.has(algorithm.value))
        if (header.hash !== algorithm.value)
          report(otherAlgorithm, algorithm, {
            algorithm: algorithm.value,
            named: header.hash,
            header: header.name,
          });
      const length = algorithm?.kind === "string" ? lengths[algorithm.value] : undefined;
      const patterns = all.flatMap(({ program }) => (program === undefined ? [] : patternsIn(program)));
      if (length !== undefined && algorithm?.kind === "string")
        if (!patterns.some(({ digits }) => digits === length))
          for (const { digits, at } of patterns)
            report(otherLength, at, { algorithm: algorithm.value, length, digits });
    },
  },
};
export default module;

const algorithms: ReadonlySet<string> = new Set(["md5", "sha1", "sha224", "sha256", "sha384", "sha512"]);

/** How many hexadecimal digits a hash has. */
const lengths: Readonly<Record<string, number>> = {
  md5: 32,
  sha1: 40,
  sha224: 56,
  sha256: 64,
  sha384: 96,
  sha512: 128,
  sha3_224: 56,
  sha3_256: 64,
  sha3_384: 96,
  sha3_512: 128,
  blake2b: 128,
  blake2s: 64,
};

const isLength: ReadonlySet<number> = new Set(Object.values(lengths));

/** Patterns such as `v1=[0-9a-f]{64}`, with where their number stands. */
function patternsIn({ node }: JqProgram): readonly { readonly digits: number; readonly at: StringPart }[] {
  const pattern =
    /(?:\bv\d|\bs|sig(?:nature)?|hash|hmac|digest|sha\d*)(?:=\(?|>|=\(\?<\w+>)\[(?:0-9a-f|a-f0-9|0-9a-fA-F|a-fA-F0-9|0-9A-Fa-f)\]\{(\d+)\}/g;
  return [...node.value.matchAll(pattern)].flatMap((match) => {
    const digits = Number(match[1]);
    const to = match.index + match[0].length - 1;
    return isLength.has(digits) ? [{ digits, at: { node, from: to - match[1]!.length, to } }] : [];
  });
}

/** Whether a hash is compared as that of another algorithm: then no genuine delivery is accepted, and one finding is enough. */
export function hasOtherAlgorithm(all: readonly Command[]): boolean {
  const [sha, ...others] = all.filter(({ key }) => key === "!sha");
  const made = sha?.argument?.kind === "object" ? sha.argument.get("algorithm") : undefined;
  const [named, ...more] = others.length > 0 ? [] : algorithmsNamed(all);
  if (made?.kind !== "string" || more.length > 0) return false;
  const hash = named ?? (others.length > 0 ? undefined : headerNaming(all)?.hash);
  return hash !== undefined && hash !== made.value;
}

/** The one header of a signature that is read, where its name ends with an algorithm: `x-acme-hmac-sha256`, `x-hub-signature-256`. */
function headerNaming(all: readonly Command[]): { readonly name: string; readonly hash: string } | undefined {
  const names = new Set(
    all.flatMap(({ program }) =>
      [...(program?.node.value.matchAll(/(?<![\w-])[a-z]\w{0,40}(?:-\w{1,40}){1,8}(?![\w-])/gi) ?? [])].map(
        ([name]) => name.toLowerCase(),
      ),
    ),
  );
  const [name, ...others] = [...names].filter((each) =>
    /(?:^|[-_])(?:hmac|sig|signature|sign)(?:[-_]|$)/.test(each),
  );
  if (name === undefined || others.length > 0) return undefined;
  const [, md5, bits] = /[-_](?:(md5)|(?:sha[-_]?)?(1|224|256|384|512))$/.exec(name) ?? [];
  // A lone `-1` is the number of a version or of a key.
  const isVersion = bits === "1" && !/sha[-_]?1$/.test(name);
  if ((md5 ?? bits) === undefined || isVersion) return undefined;
  return { name, hash: md5 ?? `sha${bits}` };
}

/** The algorithms that the programs name as `sha256=`. */
function algorithmsNamed(all: readonly Command[]): readonly string[] {
  const found = all.flatMap(({ program }) =>
    [...(program?.node.value.matchAll(/\b(md5|sha(?:1|224|256|384|512))=(?!=)/g) ?? [])].map(
      ([, name]) => name!,
    ),
  );
  return [...new Set(found)];
}

const ofSigning = /\bsign|\bhmac\b|\bdigest\b/i;
const another =
  /\b(?:not|never|no longer|old|older|former|formerly|deprecated|was|were|instead|unlike|or|login|password|OAuth|PKCE|will|files?|documents?|checksums?|tokens? (?:is|are)|customers|(?:from|since) v(?:ersion )?\d)\b/i;

/** `of the body as it was sent` speaks of no other time. */
const asSent = /\bas (?:it|they) (?:was|were) (?:sent|received|delivered|posted)\b/gi;

/** The one algorithm that comments name where they speak of signatures: `the hex HMAC (SHA-512) of the body`. */
function documentedAlgorithm(place: SyntaxNode, model: Model) {
  if (!hasComments(model)) return undefined;
  const comments = commentsAround(place, [...commentedBelow(place), ...serviceOf(model)]);
  const found = comments.flatMap((comment) =>
    comment.value
      .split(/(?<=[.;])\s/)
      .filter((sentence) => ofSigning.test(sentence) && !another.test(sentence.replace(asSent, "")))
      .flatMap((sentence) => [...sentence.matchAll(/\b(?:md5|sha[-_]?(?:1|224|256|384|512))\b/gi)])
      .flatMap(([written]) => algorithmCalled(written) ?? [])
      .map((name) => ({ name, comment })),
  );
  return new Set(found.map(({ name }) => name)).size === 1 ? found[0] : undefined;
}

/** `checksum`, `file_hash`: that isn't of deliveries. */
const ofFiles = /file|checksum|content|image|document|etag/i;

/** The one algorithm that `create` asks the service for: `"signing": "sha512"`, `"algorithm": "HMAC-SHA256"`. */
function askedFor({ commands }: IntakeSymbol) {
  const create = commands.get("create");
  const sent = create === undefined ? undefined : registrationSent(create);
  const [found, ...others] = [...(sent ?? [])].flatMap(([name, { text, isText, node }]) => {
    const hash = isText ? algorithmCalled(text) : undefined;
    return hash === undefined ? [] : [{ name, node, hash }];
  });
  return found === undefined || others.length > 0 || ofFiles.test(found.name) ? undefined : found;
}

/** The algorithm that a text is the name of: `sha256` of `HMAC-SHA-256` and of `hmac_sha256`. */
function algorithmCalled(text: string): string | undefined {
  const [, family, version, bits] =
    /^(?:hmac[-_ ]?)?(md5|sha)[-_]?(?:(3)[-_])?(\d+)?(?:[-_]?(?:hex|hmac))?$/i.exec(text) ?? [];
  if (family === undefined) return undefined;
  const name = `${family.toLowerCase()}${version === undefined ? "" : `${version}_`}${bits ?? ""}`;
  return name in lengths ? name : undefined;
}
