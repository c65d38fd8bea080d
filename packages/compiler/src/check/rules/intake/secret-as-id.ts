import { escapedPattern } from "@configc/jq/internal";
import type { Expansion, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { isIdName, isSecretName } from "../../../flow/id-names.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import type { StringPart } from "../../../parse/document.ts";
import type { RuleModule } from "../../checks.ts";
import { isSigningSecret } from "../security/signing-secret.ts";
import { isRead, savedIn } from "./unsaved-secret.ts";

const secretAsId = defineRule<{ key: string; id: string; command: string }>({
  id: "intake/secret-as-id",
  severity: "warning",
  summary: "`update` or `delete` names the registration by its secret instead of its id",
  why: "A registration has one id. What deliveries are proved with is none: the API answers 404, which counts as deleted, and events keep coming. And a secret in a path is written into logs.",
  guards: ["webhook.update", "webhook.delete", "expansion.data", "D32"],
  message: ({ key, id }) =>
    `\`${key}\` proves deliveries: \`verification\` reads it. The registration's id is saved as \`${id}\`.`,
  because: ({ command, key }) => [
    `\`${command}\` asks for the registration whose id is \`${key}\``,
    command === "delete" ? "404 counts as deleted, and events keep coming" : "404: the change isn't made",
  ],
  help: ({ id }) => `Name it by \`${id}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/delete/!http/path",
      with: {
        "/data_intake/0/create":
          '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id, hook_token: .token}"}, {"!save": {"scope": "workflow"}}]}',
        "/data_intake/0/update": undefined,
        "/data_intake/0/verification":
          '{"!switch": {"jq": "if .headers[\\"x-token\\"] == ${data.workflow.hook_token} then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}',
      },
      bad: '"/hooks/${data.workflow.«hook_token»}"',
      good: '"/hooks/${data.workflow.hook_id}"',
      also: ["unused/saved-key"],
    },
  ],
});

const module: RuleModule = {
  rules: [secretAsId],
  checks: {
    intake(intake, report, model) {
      for (const { at, ...args } of secretsAsIds(intake, model)) report(secretAsId, at, args);
    },
  },
};
export default module;

/** Whether a comment shows a path with the last word of a key, or says that something is named by it. */
const isKeyOf = (key: string, comment: string): boolean => {
  const word = escapedPattern(wordsOf(key).at(-1) ?? key);
  return new RegExp(
    `/[:{<$]{0,2}${word}\\b|\\b(?:addressed|named|known|found|removed|deleted) by (?:its|the|their|this) ${word}\\b`,
    "i",
  ).test(comment);
};

/** Where `update` or `delete` names the registration by its secret. */
export function secretsAsIds(
  intake: IntakeSymbol,
  model: Model,
): readonly {
  readonly key: string;
  readonly id: string;
  readonly command: string;
  readonly at: StringPart;
}[] {
  const create = intake.type === "webhook" ? intake.commands.get("create") : undefined;
  if (create === undefined || !isReadable(intake, model)) return [];
  const comments = hasComments(model) ? commentsBelow(intake.node).map(({ value }) => value) : [];
  return partOfUnit(intake, model).expansions.flatMap((expansion) => {
    const command = /^intake\.(update|delete)$/.exec(expansion.command?.place.name ?? "")?.[1];
    const segment = expansion.syntax.path[2];
    if (command === undefined || segment === undefined || !namesSecret(expansion, intake, model)) return [];
    const [made, ...others] = savedIn(create);
    const ids = others.length > 0 ? [] : [...(made?.members.keys() ?? [])].filter(isIdName);
    const id = made?.members.has(segment.text) === true && ids.length === 1 ? ids[0] : undefined;
    if (id === undefined) return [];
    // `A hook is addressed by its token: DELETE /hooks/{token}`
    if (comments.some((comment) => isKeyOf(segment.text, comment))) return [];
    const at = { node: expansion.node, from: segment.start, to: segment.end };
    return [{ key: segment.text, id, command, at }];
  });
}

/** Whether a path has a saved secret alone as a segment, one that `verification` reads. */
function namesSecret(expansion: Expansion, intake: IntakeSymbol, model: Model): boolean {
  const { root, position, syntax, node } = expansion;
  const [, , key, ...below] = syntax.path;
  if (root !== "data" || position !== "path" || syntax.problem !== undefined) return false;
  if (key === undefined || below.length > 0 || !isSecretName(key.text)) return false;
  // The secret of a signature is told as that.
  if (isSigningSecret(expansion, model)) return false;
  const isSegment = node.value[syntax.start - 1] === "/" && /^(?:$|[/?])/.test(node.value.slice(syntax.end));
  // `/hooks/ID/secrets/SECRET` names both.
  const isAlone = (node.value.match(/\$[{<]\s*data[.:]/g) ?? []).length === 1;
  return isSegment && isAlone && isRead(key.text, intake, model);
}
