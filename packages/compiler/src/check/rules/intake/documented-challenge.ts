import { defineRule } from "../../../findings/rule.ts";
import { documentedChallenge } from "../../../flow/documented-challenges.ts";
import { commentedBelow, commentsAround, hasComments } from "../../../flow/documented-words.ts";
import type { ObjectNode, StringNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames, excerpt } from "../../message-text.ts";
import { allIn } from "../workflow/commands.ts";
import { type Read, readsAnswered } from "./body-of-get.ts";

const check = (body: string, more = ""): string =>
  `{"!switch": {"jq": "if .body.type == \\"check\\" then 0 else 1 end", "cases": [{"!respond": {"code": 200, ${more}"body": ${body}}}, {"!respond": {"process_payload": true}}]}}`;

const challengePlace = defineRule<{ read: string }>({
  id: "intake/query-of-post",
  severity: "warning",
  summary: "The challenge is read from the address, but a comment says that it is posted",
  why: "A service that checks the URL with a POST has its challenge in the body. The address has none, so the answer is empty, the URL is never confirmed, and no delivery comes.",
  guards: ["command.!respond", "D3", "D31"],
  message: ({ read }) => `A comment says that the challenge is posted in the body: \`${read}\` is missing.`,
  because: ({ read }) => ["the service posts its challenge", `\`${read}\` isn't there, so the check fails`],
  help: () => "Read it from `body`.",
  examples: [
    {
      title: "D31",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      with: {
        "/data_intake/0/_comment":
          '"Before it takes a URL, the service posts {\\"type\\": \\"check\\", \\"challenge\\": \\"…\\"} and wants the challenge back."',
      },
      bad: check('{"challenge": "${«piped_content.0.query.challenge»}"}')
        .replace(/^/, '{"!pipe": [')
        .replace(/$/, "]}"),
      good: check('{"challenge": "${piped_content.0.body.challenge}"}')
        .replace(/^/, '{"!pipe": [')
        .replace(/$/, "]}"),
    },
  ],
});

const challengeAnswer = defineRule<{ wanted: "text" | readonly string[]; given: readonly string[] }>({
  id: "intake/documented-challenge",
  severity: "warning",
  summary: "The answer to the check of the URL has another form than a comment says",
  why: "The service compares the answer with what it sent. An object where it wants plain text, or a member of another name, isn't that: the URL is never confirmed, and no delivery comes.",
  guards: ["command.!respond", "respond.body", "D3", "D31"],
  message: ({ wanted, given }) =>
    wanted === "text"
      ? "A comment says that the challenge is wanted back as plain text, but this answers with an object."
      : given.length === 0
        ? `A comment says that the answer has ${allNames(wanted)}, but this answers with a text.`
        : `A comment says that the answer has ${allNames(wanted)}, but this one has ${allNames(given)}.`,
  because: () => ["the service sends its challenge", "the answer isn't what it waits for: the check fails"],
  help: ({ wanted }) =>
    wanted === "text"
      ? "Give the challenge itself as `body`."
      : `Answer with an object that has ${allNames(wanted)}.`,
  examples: [
    {
      title: "Plain text",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      with: {
        "/data_intake/0/_comment":
          '"It first posts {type: check, challenge} and wants the challenge back as text/plain."',
      },
      bad: `{"!pipe": [${check('«{"challenge": "${piped_content.0.body.challenge}"}»')}]}`,
      good: `{"!pipe": [${check('"${piped_content.0.body.challenge}"', '"headers": {"content-type": "text/plain"}, ')}]}`,
    },
    {
      title: "A member of another name",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      with: {
        "/data_intake/0/_comment": '"It first posts {type: check, nonce} and wants {echo: nonce} back."',
      },
      bad: `{"!pipe": [${check('«{"nonce": "${piped_content.0.body.nonce}"}»')}]}`,
      good: `{"!pipe": [${check('{"echo": "${piped_content.0.body.nonce}"}')}]}`,
    },
  ],
});

const module: RuleModule = {
  rules: [challengePlace, challengeAnswer],
  checks: {
    reach: "saved",
    intake(intake, report, model) {
      const root = intake.type === "webhook" ? intake.commands.get("verification") : undefined;
      const all = root === undefined || !hasComments(model) ? undefined : allIn(root);
      if (root === undefined || all === undefined) return;
      const comments = commentsAround(root.node, [...commentedBelow(root.node), ...commentedIn(intake.node)]);
      if (comments.length === 0) return;
      const { place, wanted } = documentedChallenge(
        [...new Set(comments.map(({ value }) => value))].join("\n"),
      );
      if (place !== "body" && wanted === undefined) return;
      const reads = readsAnswered(intake, all, model);
      if (place === "body" && reads.every(({ member }) => member === "query" || member === "query_params"))
        for (const { expansion } of reads) {
          const { node, syntax } = expansion;
          const [first, last] = [syntax.path[0]!, syntax.path.at(-1)!];
          const read = syntax.path.map(({ text }) => text).join(".");
          report(challengePlace, { node, from: first.start, to: last.end }, { read: excerpt(read) });
        }
      if (wanted === undefined) return;
      for (const body of new Set(reads.flatMap(bodyAround))) {
        const given = body.kind === "object" ? body.members.map(({ name }) => name) : [];
        const isOther =
          wanted === "text"
            ? body.kind === "object"
            : body.kind === "string" || wanted.every((name) => !given.includes(name));
        if (isOther) report(challengeAnswer, body, { wanted, given });
      }
    },
  },
};
export default module;

/** The registration and what changes it, as far as they have comments: many say there what is asked meanwhile. */
const commentedIn = (intake: ObjectNode): readonly ObjectNode[] =>
  ["create", "update"].flatMap((name) => {
    const command = intake.get(name);
    return command === undefined ? [] : [...commentedBelow(command)];
  });

/** The body of the answer in which a read stands: whole, or as a member of an object. */
function bodyAround({ expansion: { node, syntax } }: Read): readonly (ObjectNode | StringNode)[] {
  const owner = node.parent;
  if (owner?.kind !== "member" || syntax.start !== 0 || syntax.end !== node.value.length) return [];
  // What is read below a member of the request is a text.
  if (owner.name === "body") return syntax.path.length > 3 ? [node] : [];
  const object = owner.parent;
  const body = object?.kind === "object" ? object.parent : undefined;
  return body?.kind === "member" && body.name === "body" && object?.kind === "object" ? [object] : [];
}
