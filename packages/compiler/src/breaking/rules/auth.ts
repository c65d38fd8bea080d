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
  why: "Connections are saved under the name of the entry that made them. Under a new name they aren't found: every customer must connect again, and until then every request fails. Hosts that embed the app save credentials under that name, too.",
  guards: ["document.auth", "authentication.1", "D40"],
  message: ({ auth, now }) =>
    `\`${auth}\` was removed from \`auth\`, and \`${now}\` is new. Connections made with \`${auth}\` aren't found, so customers' runs fail until they connect again.`,
  help: ({ auth }) => `Keep the name \`${auth}\`. Customers never see it.`,
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
  why: "Customers connected with the entry that the workflow named when they set it up. They have no connection for another entry, so every request of the workflow fails until they connect again.",
  guards: ["workflow.auth", "authentication.1", "D40"],
  message: ({ workflow, before, now }) =>
    `\`${workflow}\` now uses the auth \`${now}\` instead of \`${before}\`. Its customers are connected with \`${before}\`, so their runs fail until they connect again.`,
  help: ({ before }) => `Keep \`${before}\`, or use the other entry in a new workflow.`,
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
  why: "The saved credentials of a connection depend on its type: tokens for `oauth2`, a name and a password for `basic`. They don't fit another type, so every customer must connect again.",
  guards: ["auth.type", "D27", "D40"],
  message: ({ auth, before, now }) =>
    `\`${auth}\` changed from \`${before}\` to \`${now}\`. Customers' saved credentials don't fit, so their runs fail until they connect again.`,
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
