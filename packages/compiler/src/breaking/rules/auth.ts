import type { AuthSymbol } from "../../bind/bound-nodes.ts";
import { ownerOf } from "../../check/locate.ts";
import { defineRule } from "../../findings/rule.ts";
import { comparison } from "../comparison.ts";
import { likelyRename } from "../versions.ts";

const renamed = defineRule<{ auth: string; now: string }>({
  id: "breaking/auth-renamed",
  severity: "error",
  concerns: ["setups", "embedders"],
  summary: "An `auth` entry that published workflows use was renamed",
  why: "Connections are kept by the name of the entry that made them. Under another name they aren't found: every customer has to authorise again, and until then every request fails. Who embeds the app keeps credentials by that name too.",
  guards: ["document.auth", "authentication.1", "D40"],
  message: ({ auth, now }) =>
    `\`${auth}\` isn't in \`auth\` any more, and \`${now}\` is new: connections that customers authorised as \`${auth}\` aren't found, and their runs fail until they connect again.`,
  help: ({ auth }) => `Keep the name \`${auth}\`; customers never see it.`,
  examples: [
    {
      title: "D40",
      in: "outbound",
      at: "/auth",
      published: '{"acme": {"type": "oauth2", "configuration": {"client_id": "<CLIENT_ID>"}}}',
      bad: '{«"acme-oauth"»: {"type": "oauth2", "configuration": {"client_id": "<CLIENT_ID>"}}}',
      good: '{"acme": {"type": "oauth2", "configuration": {"client_id": "<NEW_CLIENT_ID>"}}}',
    },
  ],
});

const otherAuth = defineRule<{ workflow: string; before: string; now: string }>({
  id: "breaking/workflow-auth",
  severity: "error",
  concerns: ["setups"],
  summary: "A published workflow uses another `auth` entry",
  why: "Customers authorised the entry that the workflow named when they set it up. For another one they have no connection, so every request of the workflow fails until they connect again.",
  guards: ["workflow.auth", "authentication.1", "D40"],
  message: ({ workflow, before, now }) =>
    `\`${workflow}\` was published with the auth \`${before}\`, and uses \`${now}\` now: its customers are connected to \`${before}\`, and their runs fail until they connect again.`,
  help: ({ before }) => `Keep \`${before}\`, or offer the new way to authorise in a new workflow.`,
  examples: [
    {
      title: "D40",
      in: "outbound",
      at: "/workflows/0/auth",
      with: {
        "/auth/token": '{"type": "token", "configuration": {"header_key": "X-Token"}}',
      },
      published: '"acme"',
      bad: '«"token"»',
      good: '"acme"',
    },
  ],
});

const type = defineRule<{ auth: string; before: string; now: string }>({
  id: "breaking/auth-type",
  severity: "error",
  concerns: ["setups"],
  summary: "An `auth` entry changed its type",
  why: "What is kept of a connection depends on the way it was authorised: tokens for `oauth2`, a name and a password for `basic`. The kept credentials don't fit another type, so every customer has to connect again.",
  guards: ["auth.type", "D27", "D40"],
  message: ({ auth, before, now }) =>
    `\`${auth}\` was published as \`${before}\`, and is \`${now}\` now: the credentials that are kept for customers don't fit, and their runs fail until they connect again.`,
  help: ({ before, now }) =>
    `Keep the entry as \`${before}\`, and add one of type \`${now}\` for new workflows.`,
  examples: [
    {
      title: "D40",
      in: "outbound",
      at: "/auth/acme/type",
      published: '"oauth2"',
      bad: '«"token"»',
      good: '"oauth2"',
    },
  ],
});

export const authRules = comparison([renamed, otherAuth, type], ({ auths, workflows }, report) => {
  const renames = new Map<string, string>();
  for (const auth of auths.removed) {
    const now = likelyRename(auth, auths, sameType);
    if (auth.references.length === 0 || now === undefined) continue;
    renames.set(auth.name, now.name);
    report(renamed, now.member.key, { auth: auth.name, now: now.name });
  }
  for (const { previous, current, name } of workflows.pairs) {
    const before = previous.auth?.name;
    const now = current.auth?.name;
    if (before === undefined || now === undefined || before === now) continue;
    if (current.auth === undefined || renames.get(before) === now) continue;
    report(otherAuth, current.auth.node, { workflow: name, before, now });
  }
  for (const { previous, current, name } of auths.pairs) {
    if (previous.references.length === 0) continue;
    if (previous.type === undefined || current.type === undefined || previous.type === current.type) continue;
    const at =
      current.node?.kind === "object"
        ? (current.node.get("type") ?? ownerOf(current.node))
        : current.member.key;
    report(type, at, { auth: name, before: previous.type, now: current.type });
  }
});

function sameType(previous: AuthSymbol, current: AuthSymbol): boolean {
  return previous.type === current.type;
}
