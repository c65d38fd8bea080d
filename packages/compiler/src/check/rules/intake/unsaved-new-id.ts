import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow } from "../../../flow/documented-words.ts";
import { savedKeys } from "../../../flow/flow.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import type { RuleModule } from "../../checks.ts";

const unsavedNewId = defineRule<{ key: string; reader: string }>({
  id: "intake/unsaved-new-id",
  severity: "warning",
  summary: "`update` gets another registration and doesn't save its id",
  why: "`!save` keeps the keys that it isn't given. After the first change of the setup the saved id is that of a registration which is gone: the next change and `delete` name nothing, and the new registration sends on for ever.",
  guards: ["webhook.update", "command.!save", "D24", "D32"],
  message: ({ key, reader }) =>
    `\`update\` gets a new registration, but doesn't save its id as \`${key}\`, by which \`${reader}\` names it.`,
  because: ({ key, reader }) => [
    "the comment says that a change gives a new registration",
    `\`${key}\` is still the old one: \`${reader}\` names one that is gone`,
  ],
  help: ({ key }) => `Save \`${key}\` from the answer, as \`create\` does.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/update",
      with: {
        "/data_intake/0/_comment": '"A PUT makes a new hook with its own id and secret."',
        "/data_intake/0/create":
          '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id, hook_secret: .secret}"}, {"!save": {"scope": "workflow"}}]}',
        "/data_intake/0/verification":
          '{"!switch": {"jq": "if .headers[\\"x-key\\"] == ${data.workflow.hook_secret} then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}',
      },
      bad: '{«"!pipe"»: [{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_secret: .secret}"}, {"!save": {"scope": "workflow"}}]}',
      good: '{"!pipe": [{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id, hook_secret: .secret}"}, {"!save": {"scope": "workflow"}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [unsavedNewId],
  checks: {
    // What is saved is looked up over all parts.
    reach: "saved",
    intake(intake, report, model) {
      const [create, update] = ["create", "update"].map((name) => intake.commands.get(name));
      if (intake.type !== "webhook" || create === undefined || update === undefined) return;
      if (intake.scope === undefined || !isReadable(intake, model)) return;
      if (!saysNewOne(intake, update)) return;
      const known = savedKeys(model).get(intake.scope);
      if (known?.complete !== true) return;
      for (const [key, saves] of known.keys) {
        const savers = saves.map(outermostCommand);
        if (!savers.includes(create) || savers.includes(update)) continue;
        const reader = readerOf(key, intake, model);
        if (reader !== undefined) report(unsavedNewId, update.member.key, { key, reader });
      }
    },
  },
};
export default module;

/** The command whose request names the registration by a saved key. */
function readerOf(key: string, intake: IntakeSymbol, model: Model): string | undefined {
  const names = partOfUnit(intake, model).expansions.flatMap(({ root, position, syntax, command }) => {
    const isKey = root === "data" && position === "path" && syntax.path[2]?.text === key;
    return isKey ? (/^intake\.(update|delete)$/.exec(command?.place.name ?? "")?.[1] ?? []) : [];
  });
  return names.find((name) => name === "delete") ?? names[0];
}

// `A new callback is probed` speaks of the address.
const noun = "(?:hook|webhook|registration|subscription|endpoint|listener)";
/** `/hooks/ID changes the address` says nothing of the id. */
const saidNew = new RegExp(
  [
    `\\b(?:new|another|other|different|fresh|own) (?!version|revision|request)(?:\\w+ (?:and (?:a )?)?)?(?:id|${noun})s?\\b`,
    // `The address must be sent, ours is a new one`: that is no registration.
    "(?<!\\b(?:address|url|ours)\\b[^.;]{0,40})(?:\\b(?:a|the) new one\\b|(?<!(?:be|is|are) )\\banother one\\b)",
    // `POST to the id changes an endpoint`
    "(?<![/{])\\bid (?:also |then )?(?:changes(?! (?:an?|the|its|it)\\b)|is (?:new|replaced|another))",
    "\\b(?:change|renew)s? (?:its|the) (?:\\w+ )?id\\b",
    `\\bold ${noun} (?:is|stops|goes|will be|gets) `,
  ].join("|"),
);
const saidKept =
  /\b(?:keeps?|same|stays?|remains?|leaves?)\b[^.;]{0,40}\bids?\b|\bids?\b[^.;]{0,30}\b(?:stays?|same|remains?|kept|never|what it was|as it was)\b|\b(?:no|not an?|never an?|without an?) (?:new|other)\b/i;
/** What a sentence is about that says what a change does. */
const isOfChange = /\b(?:PUT|PATCH|update|updating|(?:re-?)?(?:chang|edit|replac)(?:e|es|ed|ing))\b/;
const isOfOne = new RegExp(`\\b${noun}`, "i");

/** `The token is rotated with every change. Keep the new one.` */
const isOnlyPronoun = (sentence: string): boolean =>
  /\b(?:new|another) one\b/.test(sentence) && !isOfOne.test(sentence) && !/\bids?\b/i.test(sentence);
const isOfSecret = /\b(?:token|secret|key|password|signature)s?\b/i;

/** Whether a comment says that a change makes another registration: most services keep the one. */
function saysNewOne({ node }: IntakeSymbol, update: Command): boolean {
  const all = [...commentsBelow(node)];
  if (all.some(({ value }) => saidKept.test(value))) return false;
  return all.some(({ value, start }) => {
    const isOwn = update.node.start <= start && start < update.node.end;
    return value
      .split(/(?<=[.;])\s/)
      .some(
        (sentence, index, sentences) =>
          saidNew.test(sentence) &&
          !(isOnlyPronoun(sentence) && isOfSecret.test(sentences[index - 1] ?? "")) &&
          (isOwn || (isOfChange.test(sentence) && isOfOne.test(sentence))),
      );
  });
}
