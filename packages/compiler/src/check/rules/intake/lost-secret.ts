import { escapedPattern } from "@configc/jq/internal";
import type { IntakeSymbol } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { type DocumentedClause, documentedClauses } from "../../../flow/documented-clauses.ts";
import { commentedBelow, hasComments } from "../../../flow/documented-words.ts";
import { isSecretName } from "../../../flow/id-names.ts";
import { partAt } from "../../../flow/nodes.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import type { RuleModule } from "../../checks.ts";
import { isRead, savedIn } from "./unsaved-secret.ts";

const lostSecret = defineRule<{ key: string; text: string }>({
  id: "intake/lost-secret",
  severity: "warning",
  summary: "`update` saves the secret from an answer that, by a comment, doesn't have it",
  why: "Many services show the secret of a webhook once, when it is made. The answer to a change has no such member, so what is saved is null, in the place of the secret. From the first change of the setup on, every delivery is refused.",
  guards: ["webhook.update", "command.!save", "D24", "D32"],
  message: ({ key, text }) =>
    `A comment says that this answer doesn't show the secret again, so \`${text}\` is null and replaces the saved \`${key}\`.`,
  because: ({ key }) => [
    `\`create\` saves \`${key}\`, and \`verification\` reads it`,
    "a customer changes the setup: `update` saves null in its place, and every delivery is refused",
  ],
  help: ({ key }) => `Leave \`${key}\` out: \`!save\` keeps what it isn't given.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/update",
      with: {
        "/data_intake/0/_comment": '"A PUT keeps the secret and doesn\'t show it again."',
        "/data_intake/0/create":
          '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id, hook_secret: .secret}"}, {"!save": {"scope": "workflow"}}]}',
        "/data_intake/0/verification":
          '{"!switch": {"jq": "if .headers[\\"x-key\\"] == ${data.workflow.hook_secret} then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}',
      },
      bad: '{"!pipe": [{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id, hook_secret: «.secret»}"}, {"!save": {"scope": "workflow"}}]}',
      good: '{"!pipe": [{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id}"}, {"!save": {"scope": "workflow"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [lostSecret],
  checks: {
    intake(intake, report, model) {
      const [create, update] = ["create", "update"].map((name) => intake.commands.get(name));
      if (intake.type !== "webhook" || create === undefined || update === undefined) return;
      if (!hasComments(model) || !isReadable(intake, model)) return;
      const [made] = savedIn(create);
      for (const { members, program } of savedIn(update))
        for (const [key, { value, text }] of members) {
          if (!isSecretName(key) || made?.members.has(key) !== true || !isRead(key, intake, model)) continue;
          const clauses = clausesOf(intake);
          if (clauses.some((clause) => isRenewed(key, clause.text))) continue;
          const said = clauses.find((clause) => isHidden(key, clause.text));
          if (said === undefined) continue;
          report(lostSecret, partAt(program, value), { key, text }, [
            { message: "the comment", at: said.comment },
          ]);
        }
    },
  },
};
export default module;

/** What comments say of the intake as a whole, of `create` and the answer to it, and of `update`. */
function clausesOf(intake: IntakeSymbol): readonly DocumentedClause[] {
  const [create, update] = ["create", "update"].map((name) => intake.commands.get(name)?.node);
  if (create === undefined || update === undefined) return [];
  // “Only this answer shows it” speaks of the answer that it stands at.
  const ofUpdate = documentedClauses(update).filter(({ text }) => !thisAnswer.test(text));
  return [...documentedClauses(create, [...commentedBelow(create)]), ...ofUpdate];
}

const thisAnswer = /\bthis (?:answer|response|one)\b|\bthis once\b|\bhere\b/i;

const hides =
  /\b(?:does(?: not|n't)|do(?: not|n't)|never|isn't|is not|not|without|no longer)\b.{0,25}\b(?:show|shown|shows|return|returns|returned|repeat|repeats|repeated|give|gives|given|contain|contains|include|includes|included|send|sends|sent|tell|tells|told|reveal|reveals|revealed|answered|carry|carries)\b/i;
const once =
  /\b(?:shown|given|returned|told|sent|revealed|answered|seen|handed out) (?:only |just |this |exactly )?(?:once|when (?:it|the \w+) is (?:made|created|registered)|by the POST|at (?:its )?creation|on creation|then)\b|\bonly (?:shown|given|returned|told|sent|revealed|answered|seen)\b(?! (?:to|for|if)\b)|\b(?:is|are|stands?|comes?|shown|given|told) (?:only )?in (?:this answer|the answer to (?:the )?(?:first )?POST|the answer to create)(?: only| alone|,? and (?:never|nowhere|not))|\bonly in (?:this answer|the answer to (?:the )?(?:first )?POST)|\bnever (?:again|afterwards)\b/i;

/** Whether a sentence says that a change makes another secret: “PATCH gives a new token each time”, however `create` shows its own. */
function isRenewed(key: string, text: string): boolean {
  const word = escapedPattern(wordsOf(key).at(-1)!);
  const renewed = String.raw`\b(?:new|fresh|another|different|other|changed|next)\b(?: \w+){0,2} (?:\w*${word}s?|one)\b`;
  const rotates = String.raw`\b(?:renews?|rotates?|replaces|changes|regenerates?|reissues?)\b(?: \w+){0,3} \w*${word}s?\b`;
  return changing.test(text) && new RegExp(`${renewed}|${rotates}`, "i").test(text) && !denies.test(text);
}

const changing =
  /\b(?:PUT|PATCH|POST|updates?|(?:each|every|a|any) (?:change|time|call|request|answer)|again|each)\b/i;
const denies = /\b(?:not|no|never|without|neither)\b|n't\b/i;

/** Whether a sentence says that a secret is shown when it is made and at no other time. */
function isHidden(key: string, text: string): boolean {
  const word = wordsOf(key).at(-1)!;
  const subject = new RegExp(String.raw`\b\w*${escapedPattern(word)}s?\b`, "i").exec(text);
  if (subject === null) return false;
  const behind = text.slice(subject.index);
  if (once.test(behind)) return true;
  // What is said of a delivery or a challenge is said of another answer.
  return (
    /\b(?:PUT|PATCH|update|updates|change|changes|changed|again|later|afterwards|anymore|any more)\b/i.test(
      text,
    ) && hides.test(behind)
  );
}
