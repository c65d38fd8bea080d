import type { Expression } from "@configc/jq";
import type { Command, IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow } from "../../../flow/documented-words.ts";
import { finalObject, literalMembers } from "../../../flow/literal-object.ts";
import { bare, partAt, textAt } from "../../../flow/nodes.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";

const unsavedSecret = defineRule<{ key: string; text: string; saved: string; as: string | undefined }>({
  id: "intake/unsaved-secret",
  severity: "warning",
  summary: "`update` saves a part of what `create` saves, without the secret",
  why: "A webhook that is made or replaced has a new secret. `!save` keeps the keys that it isn't given, so `verification` goes on with the old secret: from the first change of the setup on, every delivery is refused.",
  guards: ["webhook.update", "command.!save", "D24", "D32"],
  message: ({ key, text, saved, as }) =>
    as === undefined
      ? `\`create\` saves \`${text}\` as \`${key}\`, which \`verification\` reads. \`update\` saves \`${saved}\` from its answer, but not \`${key}\`.`
      : `\`create\` saves \`${text}\` as \`${key}\`, which \`verification\` reads. \`update\` saves it as \`${as}\`.`,
  because: ({ key }) => [
    "`update` gets a new secret",
    `\`${key}\` is still the old one, and every delivery is refused`,
  ],
  help: ({ key, text }) => `Save \`${key}: ${text}\` here too.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/update",
      with: {
        "/data_intake/0/_comment": '"Each change gives the hook a new secret."',
        "/data_intake/0/create":
          '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id, hook_secret: .secret}"}, {"!save": {"scope": "workflow"}}]}',
        "/data_intake/0/verification":
          '{"!switch": {"jq": "if .headers[\\"x-key\\"] == ${data.workflow.hook_secret} then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}',
      },
      bad: '{"!pipe": [{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}, {"!jq": "«{hook_id: .id}»"}, {"!save": {"scope": "workflow"}}]}',
      good: '{"!pipe": [{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id, hook_secret: .secret}"}, {"!save": {"scope": "workflow"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [unsavedSecret],
  checks: {
    intake(intake, report, model) {
      const [create, update] = ["create", "update"].map((name) => intake.commands.get(name));
      if (intake.type !== "webhook" || create === undefined || update === undefined) return;
      if (!isReadable(intake, model)) return;
      const [made, ...more] = savedIn(create);
      const [changed, ...others] = savedIn(update);
      if (made === undefined || changed === undefined || more.length > 0 || others.length > 0) return;
      const both = [...changed.members].find(([key, { text }]) => made.members.get(key)?.text === text);
      for (const [key, { text }] of made.members) {
        if (changed.members.has(key) || !isRead(key, intake, model)) continue;
        const renamed = [...changed.members].find(
          ([other, each]) => each.text === text && !made.members.has(other),
        );
        if (renamed === undefined && (both === undefined || !saysNew(intake))) continue;
        const at = partAt(changed.program, renamed === undefined ? changed.object : renamed[1].value);
        report(unsavedSecret, at, { key, text, saved: both?.[0] ?? "", as: renamed?.[0] });
      }
    },
  },
};
export default module;

/** Whether a comment says that a change makes a new secret: some services keep the old one. */
const saysNew = ({ node }: IntakeSymbol): boolean =>
  [...commentsBelow(node)].some(({ value }) =>
    value
      .split(/(?<=[.;])\s/)
      .some(
        (sentence) =>
          /\b(?:secret|key|token)\b/i.test(sentence) &&
          /\b(?:new|another|own|fresh|renew(?:s|ed)?|rotate[sd]?|replace[sd]?|changes)\b/.test(sentence),
      ),
  );

interface Saved {
  readonly program: JqProgram;
  readonly object: Expression;
  /** What is read for each key. */
  readonly members: ReadonlyMap<string, Read>;
}

interface Read {
  readonly value: Expression;
  readonly text: string;
}

/** The objects that are saved by the steps of a command, as the programs before them make these. */
export const savedIn = (command: Command): readonly Saved[] =>
  (allIn(command) ?? []).flatMap((save): Saved[] => {
    const steps = save.key === "!save" && save.parent?.key === "!pipe" ? save.parent.children : [];
    const program = steps[steps.indexOf(save) - 1]?.program;
    if (program === undefined || program.diagnostics.length > 0) return [];
    const object = finalObject(program);
    const members = object === undefined ? undefined : literalMembers(object);
    if (object === undefined || members === undefined) return [];
    const read = [...members].flatMap(([key, value]): readonly (readonly [string, Read])[] => {
      // `{signing_key}` is `{signing_key: .signing_key}`.
      if (value === undefined) return [[key, { value: object, text: `.${key}` }]];
      return bare(value).kind === "Postfix" ? [[key, { value, text: textAt(bare(value), program) }]] : [];
    });
    return [{ program, object, members: new Map(read) }];
  });

/** Whether verification reads a saved key. */
export const isRead = (key: string, intake: IntakeSymbol, model: Model): boolean => {
  const verification = intake.commands.get("verification");
  return partOfUnit(intake, model).expansions.some(
    ({ command, root, syntax }) =>
      root === "data" &&
      syntax.path[2]?.text === key &&
      command !== undefined &&
      outermostCommand(command) === verification,
  );
};
