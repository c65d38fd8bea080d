import { defineRule } from "../../../findings/rule.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { singular } from "../../../flow/nouns.ts";
import { objectsSent } from "../../../flow/objects-sent.ts";
import { wordsOf } from "../../../flow/protocol/bound-names.ts";
import { roleOf } from "../../../flow/value-role.ts";
import type { MemberNode, ObjectNode } from "../../../parse/syntax-tree.ts";
import { parseTemplate } from "../../../parse/template.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { crossedIn, isDirection, membersOf } from "../jq/crossed-members.ts";
import { entriesOf, exchangeIn } from "../jq/exchanged-values.ts";
import { memberOf, valueAt } from "./at.ts";

const ownMember = defineRule<{ member: string; text: string; own: string; other: string }>({
  id: "http/own-member",
  severity: "warning",
  summary: "A value goes to one member, and the member with its name gets something else",
  why: "A page number that is sent as the page size, or a callback URL that is sent as the version, is most often exchanged with the member beside it. Many services ignore what they don't understand: they send the first page, or no event at all.",
  guards: ["command.!http", "D17"],
  message: ({ member, text, own, other }) =>
    `\`${member}\` gets \`${text}\`, while \`${own}\` gets \`${other}\`.`,
  because: ({ member, text, own, other }) => [
    `\`${text}\` belongs to \`${own}\` by its name`,
    `\`${member}\` gets it, and \`${own}\` gets \`${other}\``,
  ],
  help: () => "Exchange the two.",
  examples: [
    {
      title: "The page and its size",
      in: "inbound-polling",
      at: "/data_intake/0/request/!pipe/0/!http/params",
      bad: '{"since": "${polling_state.since}", "page": 50, "per": «"${polling_state.page}"»}',
      good: '{"since": "${polling_state.since}", "page": "${polling_state.page}", "per": 50}',
      fixed: '{"since": "${polling_state.since}", "page": "${polling_state.page}", "per": 50}',
    },
    {
      title: "The URL of a registration",
      in: "inbound-webhook",
      at: "/data_intake/0/create/!pipe/0/!http/body",
      bad: '{"event": "submission.created", "version": «"${webhook.url}"», "target_url": "2026-01"}',
      good: '{"event": "submission.created", "version": "2026-01", "target_url": "${webhook.url}"}',
      fixed: '{"event": "submission.created", "version": "2026-01", "target_url": "${webhook.url}"}',
    },
  ],
  fixes: ({ at, args: { own } }, { document }) => {
    const value = valueAt(document, at);
    const other = memberOf(value)?.parent.get(own);
    if (value === undefined || other === undefined) return [];
    const { text } = document;
    const [one, two] = [value, other].map(({ start, end }) => text.slice(start, end)) as [string, string];
    return [
      {
        title: `Exchange it with \`${own}\``,
        safe: false,
        edits: [
          { start: value.start, end: value.end, newText: two },
          { start: other.start, end: other.end, newText: one },
        ],
      },
    ];
  },
});

const module: RuleModule = {
  rules: [ownMember],
  checks: {
    command: {
      "!http"({ argument }, report) {
        if (argument?.kind !== "object") return;
        for (const values of objectsSent(argument)) {
          if (values.members.length < 2) continue;
          const found = misplacedIn(values);
          // Where each has what belongs to the other, that is told as such.
          if (found !== undefined && (crossedIn(membersOf(values)) ?? exchangeIn(entriesOf(values))))
            continue;
          if (found !== undefined) report(ownMember, found.at, found.args);
        }
      },
    },
  },
};
export default module;

/** What a member gets: an expansion by itself, or a constant. */
interface Sent {
  readonly member: MemberNode;
  readonly text: string;
  /** The name of what is read. */
  readonly read: string | undefined;
  readonly root: string | undefined;
}

function misplacedIn({ members }: ObjectNode) {
  const all = members.flatMap((member) => sentBy(member) ?? []);
  // What isn't known may have the value, too.
  if (all.length < 2) return undefined;
  for (const one of all) {
    if (one.read === undefined || one.member.value?.kind !== "string") continue;
    const name = one.member.name;
    const own = all.find((each) => each !== one && isOwn(each.member.name, one));
    if (own === undefined || isDirection(name) || isDirection(own.member.name)) continue;
    if (isOwn(name, one) || areAlike(name, own.member.name) || areAlike(name, one.read)) continue;
    if (!isMisplaced(own, one)) continue;
    return {
      at: one.member.value,
      args: {
        member: name,
        text: excerpt(one.text, 60),
        own: own.member.name,
        other: excerpt(own.text, 60),
      },
    };
  }
  return undefined;
}

function sentBy(member: MemberNode): Sent | undefined {
  const { value } = member;
  if (value?.kind === "number" || value?.kind === "boolean")
    return { member, text: `${value.value}`, read: undefined, root: undefined };
  if (value?.kind !== "string") return undefined;
  const text = value.value;
  const { expansions = [] } = text.includes("$") ? (parseTemplate(text) ?? {}) : {};
  const [expansion, ...others] = expansions;
  if (expansion === undefined)
    return text.includes("$") ? undefined : { member, text, read: undefined, root: undefined };
  if (others.length > 0 || expansion.start > 0 || expansion.end < text.length) return undefined;
  const [root, ...names] = expansion.path.map((each) => each.text);
  const own = root === "custom_data" ? names[0] : names.at(-1);
  return own === undefined || /^\d+$/.test(own) ? undefined : { member, text, read: own, root };
}

/** Whether a member is called as what is read: `after_seq` and `seq`. */
function isOwn(name: string, { read, root }: Sent): boolean {
  if (root === "webhook") return read === "url" && (roleOf(name) === "url" || isAddress.test(name));
  return root === "polling_state" ? endsWith(name, read!) : name.toLowerCase() === read!.toLowerCase();
}

const isAddress = /^(?:endpoint|callback|target|address|destination)(?:_?ur[li])?$/i;

function endsWith(name: string, read: string): boolean {
  const [words, own] = [wordsOf(name), wordsOf(read)];
  return own.length > 0 && own.every((word, at) => words[words.length - own.length + at] === word);
}

/** Whether what a member gets surely belongs elsewhere, as its own value goes to another one. */
function isMisplaced(own: Sent, one: Sent): boolean {
  // A URL of the customer's may stand beside that of the webhook.
  if (one.root === "webhook") return isNoUrl(own, one.member.name);
  if (own.read !== undefined && areAlike(own.member.name, own.read)) return false;
  if (one.root === "polling_state") return own.root !== "polling_state";
  return own.read !== undefined && isOwn(one.member.name, own);
}

function isNoUrl({ text, read, root }: Sent, name: string): boolean {
  if (read === undefined) return !/:\/\/|^\//.test(text);
  return root === "custom_data" && (areAlike(read, name) || isIdName(name));
}

/** Whether two names have a word in common. */
function areAlike(one: string, other: string): boolean {
  const words = new Set(wordsOf(other).map(singular));
  return wordsOf(one).some((word) => words.has(singular(word)));
}
