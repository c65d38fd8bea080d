import type { Expansion } from "../../../bind/bound-nodes.ts";
import { derived, derivedInPart } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { defineRule } from "../../../findings/rule.ts";
import { flowOf } from "../../../flow/flow.ts";
import { isIdName } from "../../../flow/id-names.ts";
import { expansionTrails } from "../../../flow/origin.ts";
import type { RuleModule } from "../../checks.ts";

const signingSecretInUrl = defineRule<{ key: string }>({
  id: "security/signing-secret-in-url",
  severity: "warning",
  summary: "The secret that deliveries are signed with goes into a URL",
  why: "Who knows the secret can sign forged deliveries, and every server and proxy on the way logs URLs. In the place of an id it also names no registration: the request is answered with 404.",
  guards: ["http.path", "http.url", "http.params", "D24", "D29", "D32"],
  message: ({ key }) =>
    `\`${key}\` is the secret that \`!sha\` checks deliveries with, and this puts it into a URL.`,
  because: ({ key }) => [`\`!sha\` signs with \`${key}\``, `a request sends \`${key}\` in its URL`],
  help: () => "Name the registration by its id.",
  examples: [
    {
      title: "D32",
      in: "inbound-webhook",
      at: "/data_intake/0/update/!http/path",
      with: {
        "/data_intake/0/create":
          '{"!pipe": [{"!http": {"method": "POST", "path": "/hooks", "body": {"url": "${webhook.url}"}}}, {"!jq": "{hook_id: .id, hook_secret: .secret}"}, {"!save": {"scope": "workflow"}}]}',
        "/data_intake/0/verification":
          '{"!pipe": [{"!jq": "{value_to_encrypt: .raw_body}"}, {"!sha": {"algorithm": "sha256", "secret": "${data.workflow.hook_secret}"}}, {"!switch": {"jq": "if .hash == ${piped_content.0.headers.x-signature} then 0 else 1 end", "cases": [{"!respond": {"process_payload": true}}, {"!respond": {"code": 401}}]}}]}',
        "/data_intake/0/update":
          '{"!http": {"method": "PUT", "path": "/hooks/${data.workflow.hook_id}", "body": {"url": "${webhook.url}"}}}',
        "/data_intake/0/delete": '{"!http": {"method": "DELETE", "path": "/hooks/${data.workflow.hook_id}"}}',
      },
      bad: '"/hooks/«${data.workflow.hook_secret}»"',
      good: '"/hooks/${data.workflow.hook_id}"',
    },
  ],
});

const module: RuleModule = {
  rules: [signingSecretInUrl],
  checks: {
    // What is saved may be checked with in another part.
    reach: "saved",
    expansion(expansion, report, model) {
      const { root, position, syntax, node } = expansion;
      if (root !== "data" || (position !== "path" && position !== "url" && position !== "parameter")) return;
      const signed = secrets(model).get(keyOf(expansion)) ?? sameAs(expansion, model);
      // An id that deliveries are checked with is told as that.
      if (signed === undefined || isIdName(syntax.path[2]?.text ?? "")) return;
      const at = { node, from: syntax.start, to: syntax.end };
      report(signingSecretInUrl, at, { key: syntax.path[2]?.text ?? "" }, [
        {
          message: "checked with here",
          at: { node: signed.node, from: signed.syntax.start, to: signed.syntax.end },
        },
      ]);
    },
  },
};
export default module;

/** The expansions of saved values that are the secret of a `!sha`. */
const secrets = derived(
  ({ parts }): ReadonlyMap<string, Expansion> =>
    new Map(parts.flatMap(secretsIn).map((expansion) => [keyOf(expansion), expansion])),
);

const secretsIn = derivedInPart(({ expansions }) =>
  expansions.filter(
    ({ root, command, syntax }) => root === "data" && command?.key === "!sha" && syntax.path.length === 3,
  ),
);

/** The secret of a `!sha` that is the same member of the same answer, saved under another name. */
function sameAs(expansion: Expansion, model: Model): Expansion | undefined {
  const known = [...secrets(model).values()];
  const [own, ...others] = known.length === 0 ? [] : expansionTrails(flowOf(model), expansion);
  const from = own?.origin;
  if (from?.kind !== "response" || others.length > 0) return undefined;
  // What is called an id may be both.
  if (isIdName(from.path.at(-1) ?? "")) return undefined;
  return known.find((secret) =>
    expansionTrails(flowOf(model), secret).some(
      ({ origin }) =>
        origin.kind === "response" &&
        origin.command === from.command &&
        origin.path.join("\n") === from.path.join("\n"),
    ),
  );
}

/** Whether a saved value is what `!sha` checks deliveries with. */
export const isSigningSecret = (expansion: Expansion, model: Model): boolean =>
  expansion.root === "data" &&
  secrets(model).has(keyOf(expansion)) &&
  !isIdName(expansion.syntax.path[2]?.text ?? "");

/** Scope and key. */
const keyOf = ({ syntax }: Expansion): string =>
  syntax.path
    .slice(1, 3)
    .map(({ text }) => text)
    .join(".");
