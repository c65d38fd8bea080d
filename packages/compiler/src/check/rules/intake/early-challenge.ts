import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { outermostCommand } from "../../../bind/outermost-command.ts";
import { partOfUnit } from "../../../bind/unit-part.ts";
import { defineRule } from "../../../findings/rule.ts";
import { commentsBelow, hasComments } from "../../../flow/documented-words.ts";
import { savedKeys } from "../../../flow/flow.ts";
import { isReadable } from "../../../flow/protocol/readable.ts";
import type { SaveScope } from "../../../language/commands/save.ts";
import type { StringNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const verify = (before: readonly string[], cases: readonly string[], jq: string): string =>
  `{"_comment": "Before it answers create, the service calls the URL with a challenge.", "!pipe": [${[...before, `{"!switch": {"jq": "${jq}", "cases": [${cases.join(", ")}]}}`].join(", ")}]}`;
const hash = [
  '{"!jq": "{value_to_encrypt: .raw_body}"}',
  '{"!sha": {"algorithm": "sha256", "secret": "${data.workflow.secret}"}}',
] as const;
const answer =
  '{"!respond": {"code": 200, "process_payload": false, "body": {"challenge": "${piped_content.0.query.challenge | default}"}}}';
const signed = ".hash == ${piped_content.0.headers.x-signature | default}";
const yes = '{"!respond": {"code": 200, "process_payload": true}}';
const no = '{"!respond": {"code": 401, "process_payload": false}}';

const earlyChallenge = defineRule<{ key: string }>({
  id: "intake/early-challenge",
  severity: "warning",
  summary: "The answer to a challenge needs a value that isn't saved yet when the challenge comes",
  why: "A comment says that the service asks for proof of the URL while `create` still waits for its answer. What `create` saves of that answer isn't there yet. A step that reads it fails, the challenge isn't answered, and nothing is ever registered.",
  guards: ["webhook.verification", "webhook.create", "command.!save", "D24"],
  message: ({ key }) =>
    `The challenge comes before \`create\` saves \`${key}\`, and this step reads it before the challenge is answered.`,
  because: ({ key }) => [
    "`create` asks for the registration, and the service sends the challenge",
    `\`${key}\` isn't saved yet: the step fails`,
    "the service gets no answer, and refuses the registration",
  ],
  help: () => "Answer the challenge in a case of its own, before anything that is saved is read.",
  examples: [
    {
      title: "D24",
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      with: {
        "/data_intake/0/create/!pipe/1": '{"!jq": "{hook_id: .id, secret: .secret}"}',
      },
      bad: verify(
        [hash[0], hash[1].replace("secret}", "«secret»}")],
        [answer, yes, no],
        `if \${piped_content.0.method} == \\"GET\\" then 0 elif ${signed} then 1 else 2 end`,
      ),
      good: verify(
        [],
        [answer, verify(hash, [yes, no], `if ${signed} then 0 else 1 end`)],
        'if .method == \\"GET\\" then 0 else 1 end',
      ),
    },
  ],
});

const module: RuleModule = {
  rules: [earlyChallenge],
  checks: {
    // Other intakes may save the same key.
    reach: "saved",
    intake(intake, report, model) {
      const [create, update, verification] = ["create", "update", "verification"].map((name) =>
        intake.commands.get(name),
      );
      if (create === undefined || verification === undefined || !hasComments(model)) return;
      if (intake.type !== "webhook" || !isReadable(intake, model)) return;
      const comment = comesEarly(intake);
      const challenge = comment === undefined ? undefined : answerIn(verification, intake, model);
      if (comment === undefined || challenge === undefined) return;
      const before = new Set(stepsBefore(challenge));
      for (const { root, rootExact, syntax, command, node } of partOfUnit(intake, model).expansions) {
        const [, scope, key] = syntax.path;
        if (root !== "data" || !rootExact || command === undefined || key === undefined) continue;
        if (syntax.filters.length > 0 || !isWithin(command, before)) continue;
        const known = savedKeys(model).get(scope?.text as SaveScope);
        const saves = known?.complete === true ? (known.keys.get(key.text) ?? []) : [];
        const savers = saves.map(outermostCommand);
        // `update` may renew it later.
        if (!savers.includes(create) || !savers.every((each) => each === create || each === update)) continue;
        report(earlyChallenge, { node, from: key.start, to: key.end }, { key: key.text }, [
          { message: "the comment", at: comment },
        ]);
        return;
      }
    },
  },
};
export default module;

/** The comment that says that the service asks while `create` waits. */
function comesEarly({ node }: IntakeSymbol): StringNode | undefined {
  for (const comment of commentsBelow(node))
    if (isAsked.test(comment.value) && isEarly.test(comment.value)) return comment;
  return undefined;
}

const isAsked = /\b(?:challenge|handshake|validation|validates?|verifies|confirms?|calls the URL|ping)\b/i;
const isEarly =
  /\b(?:before (?:it|the (?:service|registration|request|call)|`?create`?|[A-Z]\w+)(?: \w+){0,3} (?:answers?|returns?|ends|responds|replies|is (?:answered|over|done|made|saved))|before (?:it|[A-Z]\w+) answers|before (?:the|its) answer|(?:while|as long as) (?:`?create`?|the (?:request|registration|call)|it) (?:still )?(?:waits|runs|is (?:open|pending|running|under way))|(?:while|as) (?:an?|the|our|its) (?:\w+ )?\w+ is (?:still )?being (?:made|created|registered|added|set up)|before `?create`? (?:has )?(?:saved|saves|stored|stores|kept|keeps)\b|during (?:`?create`?|(?:the )?registration)|(?:there is )?no (?:secret|key|id) (?:yet|is saved)|(?:isn't|not) (?:saved|there|known) yet)/i;

/** The `!respond` that gives back something of what came, without passing it on. */
function answerIn(verification: Command, intake: IntakeSymbol, model: Model): Command | undefined {
  const answers = partOfUnit(intake, model).commands.filter(
    (command) => command.key === "!respond" && outermostCommand(command) === verification,
  );
  return answers.find(({ argument }) => {
    if (argument?.kind !== "object") return false;
    const passes = argument.get("process_payload");
    const body = argument.get("body");
    const text = body === undefined ? "" : model.document.text.slice(body.start, body.end);
    return (
      passes?.kind === "boolean" &&
      !passes.value &&
      /piped_content\.\d+\.(?:query|body|headers)\b|\bchallenge\b/.test(text)
    );
  });
}

/** The steps and the conditions that certainly run before a command. */
function stepsBefore(command: Command): readonly Command[] {
  const found: Command[] = [];
  for (let at = command; at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (parent.key === "!pipe")
      found.push(...parent.children.slice(0, at.stepsRun).filter((each) => each !== undefined));
    else found.push(parent);
  }
  return found;
}

/** Whether a command is one of these, or certainly runs in one: not in a case. */
function isWithin(command: Command, all: ReadonlySet<Command>): boolean {
  if (all.has(command)) return true;
  return command.parent?.key === "!pipe" && isWithin(command.parent, all);
}
