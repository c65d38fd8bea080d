import { escapedPattern } from "@configc/jq/internal";
import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { finalObject, literalMembers } from "../../../flow/literal-object.ts";
import { bare, partAt, textAt } from "../../../flow/nodes.ts";
import { stepAt, stepBefore } from "../../../flow/producers.ts";
import { memberMade } from "../../../flow/protocol/definition-site.ts";
import type { Location } from "../../../parse/document.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { allIn } from "../workflow/commands.ts";
import { verificationOf } from "./commands-of.ts";
import { registrationSent } from "./registration-body.ts";

type Setting = "value" | "algorithm" | "secret";

const made = (value: string): string => `{"!jq": "{value_to_encrypt: ${value}}"}`;
const sha = '{"!sha": {"algorithm": "sha256", "secret": "<HOOK_SECRET>"}}';
const verify = (value: string): string =>
  `{"!pipe": [${made(value)}, ${sha}, {"!switch": {"jq": "if .hash == \${piped_content.0.headers.x-hook-token} then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}]}`;

const otherToken = defineRule<{ name: string; setting: Setting; sent: string; hashed: string }>({
  id: "intake/other-token",
  severity: "warning",
  summary: "The token that deliveries carry is compared with a hash of something else",
  why: "`create` gives the service a token that it made as a hash, and each delivery brings that token back, whatever is in it. A hash of another text, or one made in another way, is never equal to it: no delivery of any customer is accepted.",
  guards: ["D26", "webhook.create", "command.!sha"],
  message: ({ name, setting, sent, hashed }) =>
    `\`create\` sends as \`${name}\` a hash ${madeOf[setting]} \`${sent}\`, but deliveries are compared with one ${madeOf[setting]} \`${hashed}\`.`,
  because: ({ name, setting, sent, hashed }) => [
    `\`create\`: \`${name}\` is the hash ${madeOf[setting]} \`${sent}\``,
    `a delivery brings it back, and is compared with the hash ${madeOf[setting]} \`${hashed}\``,
  ],
  help: ({ sent }) => `Use \`${sent}\` here too.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/verification",
      with: {
        "/data_intake/0/create": `{"!pipe": [${made("${webhook.url}")}, ${sha}, {"!http": {"method": "POST", "path": "/hooks", "body": {"url": "\${webhook.url}", "token": "\${piped_content.2.hash}"}}}, {"!jq": "{hook_id: .id}"}, {"!save": {"scope": "workflow"}}]}`,
      },
      bad: verify("«.raw_body»"),
      good: verify("${webhook.url}"),
    },
  ],
});

const checked = `{"!pipe": [{"!switch": {"jq": "if .headers[\\"x-hook-token\\"] == \\"\${data.workflow.token}\\" then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}]}`;
const saves = (token: string): string =>
  `{"!pipe": [${made("${webhook.url}")}, ${sha}, {"!http": {"method": "POST", "path": "/hooks", "body": {"url": "\${webhook.url}", "token": "\${piped_content.2.hash}"}}}, {"!jq": "{hook_id: .id, token: \${${token}}}"}, {"!save": {"scope": "workflow"}}]}`;

const savedUnhashed = defineRule<{ saved: string; member: string; name: string; sent: string }>({
  id: "intake/token-saved-unhashed",
  severity: "warning",
  summary: "The service gets a hash as its token, and what was hashed is saved",
  why: "Each delivery brings back the token that the service was given: the hash. Compared with the text that the hash was made of, it is never equal, and no delivery is accepted.",
  guards: ["D26", "webhook.create", "command.!sha", "command.!save"],
  message: ({ saved, member, name, sent }) =>
    `\`${member}\` is saved as \`${saved}\`, but \`${sent}\` was sent as \`${name}\`, and deliveries bring that back.`,
  because: ({ saved, sent, member }) => [
    `the service has \`${sent}\``,
    `\`verification\` compares it with the saved \`${member}\`, which is \`${saved}\``,
  ],
  help: ({ sent }) => `Save \`\${${sent}}\`.`,
  examples: [
    {
      in: "inbound-webhook",
      at: "/data_intake/0/create",
      with: { "/data_intake/0/verification": checked },
      bad: saves("«piped_content.1.value_to_encrypt»"),
      good: saves("piped_content.2.hash"),
    },
  ],
});

const madeOf: Readonly<Record<Setting, string>> = {
  value: "of",
  algorithm: "by the algorithm",
  secret: "with the secret",
};

const module: RuleModule = {
  rules: [otherToken, savedUnhashed],
  checks: {
    intake(intake, report, model) {
      for (const found of unhashedSaved(intake, model)) report(savedUnhashed, found.at, found.args);
      const sent = intake.type === "webhook" ? tokenSent(intake) : undefined;
      const readable = sent === undefined ? undefined : verificationOf(intake, model);
      if (sent === undefined || readable === undefined) return;
      const { all } = readable;
      const hashes = all.filter(({ key }) => key === "!sha");
      const own = hashes.length === 1 ? hashOf(hashes[0]!) : undefined;
      if (own === undefined || !comparesToken(all, sent.name)) return;
      const settings = (["value", "algorithm", "secret"] as const).filter(
        (setting) => own[setting] !== sent.hash[setting],
      );
      const [setting, ...others] = settings;
      // Where more than one differs, another thing may be meant.
      if (setting === undefined || others.length > 0) return;
      const [before, after] = [sent.hash[setting], own[setting]];
      if (setting === "value" && !(isOfDelivery.test(after) || (isOneValue(before) && isOneValue(after))))
        return;
      report(otherToken, own.at[setting], {
        name: sent.name,
        setting,
        sent: excerpt(before, 40),
        hashed: excerpt(after, 40),
      });
    },
  },
};
export default module;

/** What is saved under a name that deliveries are compared with, where the registration sends the hash of it. */
function* unhashedSaved(intake: IntakeSymbol, model: Model) {
  const create = intake.type === "webhook" ? intake.commands.get("create") : undefined;
  const all = create === undefined ? [] : (allIn(create) ?? []);
  if (!all.some(({ key }) => key === "!sha")) return;
  const sent = all.flatMap((request) =>
    request.key !== "!http"
      ? []
      : [...(registrationSent(request) ?? [])].flatMap(([name, { text }]) => {
          const [, index] = /^\$[{<]piped_content\.(\d+)\.hash[}>]$/.exec(text) ?? [];
          const hash = index === undefined ? undefined : stepAt(request, Number(index));
          return hash?.key === "!sha" ? [{ name, hash, sent: text.slice(2, -1) }] : [];
        }),
  );
  if (sent.length === 0) return;
  const verification = verificationOf(intake, model);
  // What verification makes a hash of itself may be that very text.
  if (verification === undefined || verification.all.some(({ key }) => key === "!sha")) return;
  for (const { program, key } of all) {
    const object = key === "!jq" && program?.diagnostics.length === 0 ? finalObject(program) : undefined;
    if (program === undefined || object === undefined) continue;
    for (const [member, value] of literalMembers(object) ?? []) {
      const node = value === undefined ? undefined : bare(value);
      const hole = node?.kind === "Hole" ? program.holes[node.hole] : undefined;
      const [root, index, last, ...below] = hole?.syntax.path.map(({ text }) => text) ?? [];
      if (hole === undefined || root !== "piped_content" || last !== "value_to_encrypt" || below.length > 0)
        continue;
      const step = stepAt(program.command, Number(index));
      const found = sent.find(({ hash }) => step !== undefined && stepBefore(hash) === step);
      const reads = new RegExp(`data\\.(?:workflow|connection)\\.${escapedPattern(member)}(?![\\w-])`);
      if (found === undefined || !verification.all.some((each) => reads.test(each.program?.node.value ?? "")))
        continue;
      const saved = hole.syntax.path.map(({ text }) => text).join(".");
      const [first, end] = [hole.syntax.path[0]!, hole.syntax.path.at(-1)!];
      yield {
        at: { node: hole.node, from: first.start, to: end.end },
        args: { saved, member, name: found.name, sent: found.sent },
      };
    }
  }
}

const isOfDelivery = /^\.(?:raw_body|body)\b/;
const isOneValue = (text: string): boolean => /^\$[{<][^{}<>]+[}>]$/.test(text);

interface Hash extends Readonly<Record<Setting, string>> {
  readonly at: Readonly<Record<Setting, Location>>;
}

/** What a `!sha` makes its hash of, and how; undefined where not all of it is written there. */
function hashOf(command: Command): Hash | undefined {
  const { argument } = command;
  const value = memberMade(stepBefore(command), "value_to_encrypt");
  const [algorithm, secret] = ["algorithm", "secret"].map((name) => textOf(argument, name));
  const [algorithmAt, secretAt] = ["algorithm", "secret"].map((name) =>
    argument?.kind === "object" ? argument.get(name) : undefined,
  );
  if (value === undefined || algorithm === undefined || secret === undefined) return undefined;
  if (algorithmAt === undefined || secretAt === undefined) return undefined;
  const node = bare(value.node);
  return {
    value: textAt(node, value.program).replace(/\s+/g, " "),
    algorithm,
    secret,
    at: { value: partAt(value.program, node), algorithm: algorithmAt, secret: secretAt },
  };
}

/** The token that `create` sends beside the URL, where it is a hash of what it knows before any delivery. */
function tokenSent({ commands }: IntakeSymbol) {
  const create = commands.get("create");
  const all = create === undefined ? [] : (allIn(create) ?? []);
  const hashes = all.filter(({ key }) => key === "!sha");
  const [hash, ...others] = hashes;
  if (create === undefined || hash === undefined || others.length > 0) return undefined;
  const requests = all.filter(({ key }) => key === "!http");
  for (const request of requests)
    for (const [name, { text }] of registrationSent(request) ?? []) {
      const [, index] = /^\$[{<]piped_content\.(\d+)\.hash[}>]$/.exec(text) ?? [];
      const isHash = index !== undefined && stepAt(request, Number(index)) === hash;
      const known = isHash && /token|password/i.test(name) ? hashOf(hash) : undefined;
      if (known !== undefined) return { name, hash: known };
    }
  return undefined;
}

/** Whether a verification compares a hash as it is with a header that is called as the token. */
function comparesToken(all: readonly Command[], name: string): boolean {
  const word = /password/i.test(name) ? "password" : "token";
  const header = new RegExp(String.raw`headers(?:\.|\[\\?")[\w-]*${word}`, "i");
  const texts = all.map(({ program }) => program?.node.value ?? "");
  // A hash beside it may be that of a signature.
  if (texts.some((text) => /headers(?:\.|\[\\?")[\w-]*(?:sig|hmac|digest|hash)/i.test(text))) return false;
  return texts.some((text) => /\bhash\b/.test(text) && header.test(text));
}
