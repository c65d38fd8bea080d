import type { Command } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { savedKeys } from "../../../flow/flow.ts";
import { isIdName, isSecretName } from "../../../flow/id-names.ts";
import { nodesOfKind } from "../../../flow/nodes.ts";
import { resolved } from "../../../flow/protocol/forms.ts";
import type { Location } from "../../../parse/document.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { readsOf } from "../state/reads.ts";
import { verificationOf } from "./commands-of.ts";

const registered = (saved: string) => ({
  "/data_intake/0/create": `{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "\${webhook.url}"}}}, {"!jq": "${saved}"}, {"!save": {"scope": "workflow"}}]}`,
});
const hashed = (secret: string): string =>
  `{"!pipe": [{"!jq": "{value_to_encrypt: .raw_body}"}, {"!sha": {"algorithm": "sha256", "secret": ${secret}}}, {"!switch": {"jq": "if .hash == \${piped_content.0.headers.x-signature} then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}]}`;
const compared = (key: string): string =>
  `{"!switch": {"jq": "if .headers[\\"x-hook-token\\"] == ${key} then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}`;

const idAsSecret = defineRule<{ key: string; secret: string; scope: string; isCompared: boolean }>({
  id: "intake/id-as-secret",
  severity: "warning",
  summary: "Another saved value is used as the secret of deliveries, and the saved secret isn't read",
  why: "The sender proves with its secret or token that a delivery is its own. The id of the registration, or a word of our own, is something else, so no delivery of any customer is ever accepted.",
  guards: ["D24", "D26", "D31"],
  message: ({ key, secret }) =>
    isIdName(key)
      ? `\`${key}\` is an id, and nothing reads the saved \`${secret}\`.`
      : `This hashes with \`${key}\`, and nothing reads the saved \`${secret}\`.`,
  because: ({ key, secret, isCompared }) =>
    isCompared
      ? [`the sender sends \`${secret}\``, `this compares it with \`${key}\`: the two are never equal`]
      : [`the sender signs with \`${secret}\``, `this hashes with \`${key}\`: the two are never equal`],
  help: ({ secret, scope }) => `Use \`\${data.${scope}.${secret}}\`.`,
  examples: [
    {
      title: "D26",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      with: registered("{hook_id: .id, hook_secret: .secret}"),
      also: ["unused/saved-key"],
      bad: hashed('«"${data.workflow.hook_id}"»'),
      good: hashed('"${data.workflow.hook_secret}"'),
    },
    {
      title: "D26: a word of our own",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      with: registered("{hook_id: .id, hook_key: .key, check_word: .word}"),
      also: ["unused/saved-key"],
      bad: hashed('«"${data.workflow.check_word}"»'),
      good: hashed('"${data.workflow.hook_key}"'),
    },
    {
      title: "D31: a token",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      with: registered("{hook_id: .id, hook_token: .token}"),
      also: ["unused/saved-key"],
      bad: compared("«${data.workflow.hook_id}»"),
      good: compared("${data.workflow.hook_token}"),
    },
  ],
});

const module: RuleModule = {
  rules: [idAsSecret],
  checks: {
    reach: "saved",
    intake(intake, report, model) {
      const readable = verificationOf(intake, model);
      if (readable === undefined) return;
      for (const use of readable.all.flatMap(idsIn)) {
        const { scope, key, at, isCompared } = use;
        const secret = unreadSecret(scope, model);
        // `x-hook-key has the id of the hook`
        if (
          use.isCompared &&
          hasComments(model) &&
          commentsBelow(intake.node).some(({ value }) => hasId.test(value))
        )
          continue;
        if (secret !== undefined) report(idAsSecret, at, { key, secret, scope, isCompared });
      }
    },
  },
};
export default module;

const hasId = /\b(?:header|x-[\w-]+|deliver(?:y|ies))\b[^.;]{0,60}\b(?:the|its) (?:id|number)\b/i;

interface Use {
  readonly scope: string;
  /** The saved id, or another value that says no secret. */
  readonly key: string;
  readonly at: Location;
  /** Whether it is compared with what was sent, instead of hashed with. */
  readonly isCompared: boolean;
}

/** The saved values that say no secret with which a command hashes, or with which it compares a header that has a secret. */
function idsIn({ key: command, argument, program }: Command): readonly Use[] {
  if (command === "!sha" && argument?.kind === "object") {
    const secret = argument.get("secret");
    const [, scope, key] = /^\$[{<]data\.(\w+)\.(\w+)[}>]$/.exec(textOf(argument, "secret") ?? "") ?? [];
    if (secret === undefined || scope === undefined || key === undefined || isSecretName(key)) return [];
    return [{ scope, key, at: secret, isCompared: false }];
  }
  if (program === undefined || program.diagnostics.length > 0) return [];
  return nodesOfKind(program, "Comparison").flatMap((node): readonly Use[] => {
    // `(.headers["x-token"] // "") as $token | … $token == …`
    const [left, right] = [resolved(node.left, program)!, resolved(node.right, program)!];
    const [hole, other] = left.kind === "Hole" ? [left, right] : [right, left];
    const syntax = hole.kind === "Hole" ? program.holes[hole.hole]?.syntax : undefined;
    const [root, scope, key, ...rest] = syntax?.path.map(({ text }) => text) ?? [];
    if (syntax === undefined || root !== "data" || key === undefined || rest.length > 0 || !isIdName(key))
      return [];
    if (!ofSecret.test(program.node.value.slice(other.start, other.end))) return [];
    const { start, end } = syntax;
    return [{ scope: scope!, key, at: { node: program.node, from: start, to: end }, isCompared: true }];
  });
}

/** What reads a header that has a secret. */
const ofSecret = /\bheaders(?:\.|\[")[\w-]*(?:token|secret|key|auth)[\w-]*/;

/** The only saved secret of a scope that nothing reads. */
function unreadSecret(scope: string, model: Model): string | undefined {
  const reads = readsOf(model, "data").filter(({ path }) => path.length === 0 || path[0]?.text === scope);
  if (reads.some(({ path }) => path.length < 2)) return undefined;
  const saved = [...savedKeys(model)].find(([name]) => name === scope)?.[1];
  const [unread, ...others] = [...(saved?.keys.keys() ?? [])].filter(
    (name) => isSecretName(name) && !reads.some(({ path }) => path[1]?.text === name),
  );
  return others.length === 0 ? unread : undefined;
}
