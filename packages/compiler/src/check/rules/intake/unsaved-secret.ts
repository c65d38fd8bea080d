import type { Expression } from "@configc/jq";
import type { Command, IntakeSymbol, JqProgram } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow } from "../../../flow/documented-words.ts";
import { entryOf, finalObject, literalMembers } from "../../../flow/literal-object.ts";
import { bare, partAt, textAt } from "../../../flow/nodes.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import { type JsonNode, textOf } from "../../../parse/syntax-tree.ts";
import type { Report, RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";

const unsavedSecret = defineRule<{
  key: string;
  text: string;
  /** What `update` saves instead; undefined where it saves nothing. */
  saved: string | undefined;
  as: string | undefined;
}>({
  id: "intake/unsaved-secret",
  severity: "warning",
  summary: "`update` saves a part of what `create` saves, without the secret",
  why: "A webhook that is made or replaced has a new secret. `!save` keeps the keys that it isn't given, so `verification` goes on with the old secret: from the first change of the setup on, every delivery is refused.",
  guards: ["webhook.update", "command.!save", "D24", "D32"],
  message: ({ key, text, saved, as }) =>
    saved === undefined
      ? `\`create\` saves \`${text}\` as \`${key}\`, which \`verification\` reads. A comment says that a change makes a new one, but \`update\` saves nothing.`
      : as === undefined
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
    {
      title: "Nothing is saved",
      in: "inbound-webhook",
      at: "/data_intake/0/update",
      with: {
        "/data_intake/0/_comment": '"A PUT rolls the secret."',
        "/data_intake/0/create":
          '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id, hook_secret: .secret}"}, {"!save": {"scope": "workflow"}}]}',
        "/data_intake/0/verification":
          '{"!switch": {"jq": "if .headers[\\"x-key\\"] == ${data.workflow.hook_secret} then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}',
      },
      bad: '{«"!http"»: {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}',
      good: '{"!pipe": [{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_secret: .secret}"}, {"!save": {"scope": "workflow"}}]}',
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
      const [first, ...more] = savedIn(create);
      const made = first === undefined ? undefined : together([first, ...more]);
      const [changed, ...others] = savedIn(update);
      if (made !== undefined && more.length === 0) tellUnsaved(made, intake, update, report, model);
      // What steps behind one another save, a comment on `update` speaks of as one.
      if (made !== undefined && more.length > 0 && !renewsInUpdate(intake, update)) return;
      if (made === undefined || changed === undefined || others.length > 0) return;
      const both = [...changed.members].find(([key, { text }]) => made.members.get(key)?.text === text);
      for (const [key, { text }] of made.members) {
        // Where another key gets the new one, this may keep the one that was saved before.
        const isSaved =
          changed.object.kind === "Object" &&
          entryOf(changed.object, key) !== undefined &&
          [...changed.members.values()].some((each) => each.text === text);
        if (isSaved || changed.members.has(key) || !isRead(key, intake, model)) continue;
        const renamed = [...changed.members].find(
          ([other, each]) => each.text === text && !made.members.has(other),
        );
        const isNewOne = both !== undefined && isSecretName(key) && registersNew(create, update);
        if (renamed === undefined && !isNewOne && (both === undefined || !saysNew(intake, update))) continue;
        const at = partAt(changed.program, renamed === undefined ? changed.object : renamed[1].value);
        report(unsavedSecret, at, { key, text, saved: both?.[0] ?? "", as: renamed?.[0] });
      }
    },
  },
};
export default module;

/** An `update` that saves nothing, although a comment says that its request gives the webhook a new secret. */
function tellUnsaved(made: Saved, intake: IntakeSymbol, update: Command, report: Report, model: Model): void {
  const all = allIn(update);
  if (all === undefined || all.some(({ key }) => key === "!save")) return;
  const [request, ...others] = all.filter(({ key }) => key === "!http");
  if (request === undefined || others.length > 0) return;
  const said = renewalSaid(intake, update, request);
  if (said === undefined) return;
  for (const [key, { text }] of made.members)
    if (isSecretName(key) && isRead(key, intake, model))
      report(unsavedSecret, request.member.key, { key, text, saved: undefined, as: undefined }, [
        { message: "the comment", at: said },
      ]);
}

/** Whether `update` makes one more registration where `create` made its own, and removes that: the secret of the new one is another. */
function registersNew(create: Command, update: Command): boolean {
  const paths = (command: Command, method: string): readonly string[] =>
    (allIn(command) ?? []).flatMap((each) =>
      each.key === "!http" && methodOf(each) === method ? (textOf(each.argument, "path") ?? []) : [],
    );
  const [made, ...others] = paths(create, "POST");
  const again = paths(update, "POST");
  return (
    made !== undefined &&
    others.length === 0 &&
    again.length === 1 &&
    again[0] === made &&
    paths(update, "DELETE").length > 0
  );
}

const isSecretName = (key: string): boolean => /secret|key|token/i.test(key);

function methodOf({ argument }: Command): string {
  const method = argument?.kind === "object" ? argument.get("method") : undefined;
  return method?.kind === "string" ? method.value.toUpperCase() : "GET";
}

/** The comment that says that a change of the webhook makes a new secret: `A PUT rolls the secret`, or in `update` itself. */
function renewalSaid({ node }: IntakeSymbol, update: Command, request: Command): JsonNode | undefined {
  const [method, path] = [methodOf(request), textOf(request.argument, "path") ?? ""];
  return [...commentsBelow(node)].find((comment) => {
    const isOwn = update.node.start <= comment.start && comment.end <= update.node.end;
    return comment.value.split(/(?<=[.;])\s/).some((sentence) => {
      if (!renews.test(sentence) || keeps.test(sentence)) return false;
      const [named, ...others] = new Set(sentence.match(methods));
      // `PUT /hooks/ID/rotate rolls the secret`: another request does.
      const [, part] = /\b(?:PUT|PATCH|POST) \/\S*\/([a-z][a-z_-]*)(?![\w/}])/.exec(sentence) ?? [];
      if (part !== undefined && !path.split("/").includes(part)) return false;
      if (named !== undefined) return named === method && others.length === 0;
      return isOwn || ofChange.test(sentence);
    });
  });
}

/** Whether a comment says that the one request of `update` gives the webhook a new secret. */
function renewsInUpdate(intake: IntakeSymbol, update: Command): boolean {
  const [request, ...others] = (allIn(update) ?? []).filter(({ key }) => key === "!http");
  return request !== undefined && others.length === 0 && renewalSaid(intake, update, request) !== undefined;
}

const methods = /\b(?:POST|PUT|PATCH|DELETE|GET)\b/g;
const ofChange = /\b(?:updates?|changes?|edits?|re-?registrations?)\b/i;
const secretWord = String.raw`(?:\w+[_ ])?(?:secret|signing key|key|token)s?`;
/** `rolls the secret`, `issues a new signing key`, `the secret is renewed`, `gets a new token` */
const renews = new RegExp(
  String.raw`\b(?:rolls?|renews?|rotates?|replaces?|regenerates?|resets?|changes) (?:over )?(?:the|its|that|our|also the) (?:hook's |webhook's )?${secretWord}\b|\b(?:new|fresh|another|different) ${secretWord}\b|\b${secretWord} is (?:rolled|renewed|rotated|replaced|regenerated|reset|a new one|new)\b`,
  "i",
);
/** What says that it stays, or when else it is renewed. */
const keeps =
  /\b(?:not|never|no|n't|keeps?|stays?|same|without|unless|only|if|when|once|on request|may|can|rather|instead)\b|n't\b/i;

/** Whether a comment says that a change makes a new secret: some services keep the old one. */
function saysNew({ node }: IntakeSymbol, update: Command): boolean {
  // `Each hook has its own secret`: one that is changed by its id stays the same hook.
  const isSame = (allIn(update) ?? []).every(
    (each) => each.key !== "!http" || /^(?:PUT|PATCH)$/.test(methodOf(each)),
  );
  return [...commentsBelow(node)].some(({ value }) =>
    value
      .split(/(?<=[.;])\s/)
      .some(
        (sentence) =>
          /\b(?:secret|key|token)\b/i.test(sentence) &&
          !/\b(?:API key|access token|customers? (?:may |can )?(?:changes?|renews?|replaces?))\b/i.test(
            sentence,
          ) &&
          (isSame ? isNew : isNewOrOwn).test(sentence),
      ),
  );
}

const isNew = /\b(?:new|another|fresh|renew(?:s|ed)?|rotate[sd]?|replace[sd]?|changes)\b/;
const isNewOrOwn = new RegExp(`${isNew.source}|\\bown\\b`);

/** What several steps save, each under names of its own. */
const together = (all: readonly [Saved, ...Saved[]]): Saved => ({
  ...all[0],
  members: new Map(all.flatMap(({ members }) => [...members])),
});

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
