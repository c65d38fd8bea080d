import { constantOf } from "@configc/jq/internal";
import type { Command, JqProgram } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentedBelow, commentsAround, hasComments } from "../../../flow/documented-words.ts";
import { bare, nodesOfKind, partAt, textAt } from "../../../flow/nodes.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { verificationOf } from "./commands-of.ts";

const world = (comment: string, program: string): Readonly<Record<string, string>> => ({
  "/data_intake/0/_comment": JSON.stringify(comment),
  "/data_intake/0/verification": `{"!pipe": [{"!jq": "{value_to_encrypt: .raw_body}"}, {"!sha": {"algorithm": "sha256", "secret": "<SIGNING_SECRET>"}}, {"!switch": {"jq": ${JSON.stringify(program)}, "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}]}`,
});
const listed = (test: string): string =>
  `"if (.hash as $mine | \${piped_content.0.headers.x-signature} | split(\\",\\") | ${test}) then 0 else 1 end"`;

const firstSignature = defineRule<{ text: string }>({
  id: "intake/first-signature",
  severity: "warning",
  summary: "Only the first of several signatures is compared",
  why: "While a key is renewed, services send a signature by each key. If ours has to be the first of them, genuine deliveries are refused until the old key is gone.",
  guards: ["D26", "D31"],
  message: ({ text }) =>
    `A comment says that there may be several signatures. \`${text}\` asks whether ours is the first one.`,
  because: () => [
    "the header has two signatures, ours is the second",
    "it isn't at index 0: the delivery is refused",
  ],
  help: () => "Ask whether it is there: `!= null`.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/verification/!pipe/2/!switch/jq",
      with: world("X-Signature has one or two signatures with a comma between.", ""),
      bad: listed("«index($mine) == 0»"),
      good: listed("index($mine) != null"),
    },
  ],
});

const headerOrder = defineRule<{ text: string; said: string }>({
  id: "intake/header-order",
  severity: "warning",
  summary: "A header is taken apart in another order than a comment gives",
  why: "A pattern only fits if all of it stands in its order. Otherwise nothing is found, no signature is compared, and each genuine delivery is refused.",
  guards: ["D26", "D31"],
  message: ({ text, said }) =>
    `A comment gives the header as “${said}”. \`${text}\` wants the parts the other way round.`,
  because: ({ said }) => [`the header: ${said}`, "the pattern doesn't fit"],
  help: () => "Put the parts in the order of the comment.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/verification/!pipe/2/!switch/jq",
      with: world("X-Signature: t=SECONDS,s=HEX", ""),
      bad: '"if .hash == (${piped_content.0.headers.x-signature} | capture(«\\"^s=(?<s>[0-9a-f]+),t=(?<t>[0-9]+)$\\"») | .s) then 0 else 1 end"',
      good: '"if .hash == (${piped_content.0.headers.x-signature} | capture(\\"^t=(?<t>[0-9]+),s=(?<s>[0-9a-f]+)$\\") | .s) then 0 else 1 end"',
    },
  ],
});

const module: RuleModule = {
  rules: [firstSignature, headerOrder],
  checks: {
    reach: "saved",
    intake(intake, report, model) {
      if (!hasComments(model)) return;
      const readable = verificationOf(intake, model);
      if (readable === undefined) return;
      const comments = commentsOf(readable.root);
      const several = comments.find(({ value }) => isSeveral.test(value) && !isOursFirst.test(value));
      for (const { program } of comments.length === 0 ? [] : readable.all) {
        if (program === undefined || program.diagnostics.length > 0) continue;
        const { value } = program.node;
        if (several !== undefined && /\bsplit\b/.test(value) && /\bindex\b/.test(value))
          for (const comparison of nodesOfKind(program, "Comparison")) {
            const text = textAt(comparison, program);
            if (comparison.operator !== "==" || constantOf(comparison.right) !== 0) continue;
            if (!/(?:^|\|\s*|\()index\([^()]{1,40}\)\)?\s*==\s*0$/.test(text)) continue;
            report(firstSignature, partAt(program, comparison), { text: excerpt(text, 50) }, [
              { message: "the comment", at: several },
            ]);
          }
        if (/\b(?:capture|match|scan)\b/.test(value))
          tellOrder(program, comments, (at, args, comment) => {
            report(headerOrder, at, args, [{ message: "the comment", at: comment }]);
          });
      }
    },
  },
};
export default module;

const commentsOf = ({ node }: Command): readonly StringNode[] =>
  commentsAround(node, [...commentedBelow(node)]);

/** `one or two signatures`, `has one or more HMACs` */
const isSeveral =
  /\b(?:one or (?:two|more|several)|two|several|all|both|some) (?:valid )?(?:signatures?|HMACs?|hashes|digests)\b|\bsignatures?, (?:one|two) (?:if|while|during)\b/i;

/** `Two signatures, the first is by our key` */
const isOursFirst =
  /\b(?:ours|our (?:own )?(?:signature|key|hash)|(?:the )?(?:newest|current|new|latest|valid|active)\b[^.;]{0,30}) (?:is |are |comes? |stands? )?(?:always )?first\b|\bfirst (?:one )?(?:is|has|by|of|with|belongs)\b|\bonly the first\b|\bours\b[^.;]{0,40}\bthen\b|\b(?:new|newest|current)\b[^.;]{0,40}\bbefore\b|\bof the (?:raw )?(?:body|payload),? (?:and )?(?:then|of)\b/i;

function tellOrder(
  program: JqProgram,
  comments: readonly StringNode[],
  tell: (
    at: ReturnType<typeof partAt>,
    args: { readonly text: string; readonly said: string },
    comment: StringNode,
  ) => void,
): void {
  for (const { name, arguments: given } of nodesOfKind(program, "Call")) {
    const [first] = given;
    const pattern =
      /^(?:capture|match|scan)$/.test(name.text) && first !== undefined ? constantOf(bare(first)) : undefined;
    if (first === undefined || typeof pattern !== "string") continue;
    const [one, two, ...others] = [...pattern.matchAll(/(?<!\w)([A-Za-z]\w{0,11})=(?=[([\\])/g)].map(
      ([, key]) => key!,
    );
    if (one === undefined || two === undefined || others.length > 0 || one === two) continue;
    const pairs = comments.flatMap((comment) =>
      [
        ...comment.value.matchAll(
          /(?<![\w.])([A-Za-z]\w{0,11})=[\w<>{}…]{1,40}[,;&] ?([A-Za-z]\w{0,11})=[\w<>{}…]{1,40}/g,
        ),
      ].map(([said, before, behind]) => ({ comment, said, before, behind })),
    );
    const turned = pairs.find(({ before, behind }) => before === two && behind === one);
    if (turned === undefined || pairs.some(({ before, behind }) => before === one && behind === two))
      continue;
    tell(
      partAt(program, first),
      { text: excerpt(pattern, 50), said: excerpt(turned.said, 50) },
      turned.comment,
    );
  }
}
