import { defineRule } from "../../../findings/rule.ts";
import { hashAlgorithms, unkeyedHashes, weakHashes } from "../../../language/commands/sha.ts";
import { spanOf } from "../../../parse/document.ts";
import { changeToString } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";
import { removeMember } from "../../edits.ts";
import { oneOfNames } from "../../message-text.ts";

const STRONG = "sha256";

const weakHash = defineRule<{ algorithm: string }>({
  id: "command/weak-hash",
  severity: "warning",
  summary: "The hash can be forged",
  why: "Anyone can make two strings with the same md5 or sha1 hash, so such a signature proves little about who sent a customer's data. Some APIs still identify records by such a hash; then suppress the finding with a `configc-ignore` comment.",
  guards: ["D26"],
  message: ({ algorithm }) => `\`${algorithm}\` can be forged; \`${STRONG}\` can't.`,
  help: ({ algorithm }) =>
    `If the API requires \`${algorithm}\`, suppress this with \`"_comment": "configc-ignore command/weak-hash: REASON"\`.`,
  examples: [
    {
      title: "D26: md5",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!jq": "{value_to_encrypt: .email}"}, {"!sha": {"algorithm": «"md5"»}}, {"!jq": "{key: .hash}"}]}',
      good: '{"!pipe": [{"!jq": "{value_to_encrypt: .email}"}, {"!sha": {"algorithm": "sha256"}}, {"!jq": "{key: .hash}"}]}',
      fixed:
        '{"!pipe": [{"!jq": "{value_to_encrypt: .email}"}, {"!sha": {"algorithm": "sha256"}}, {"!jq": "{key: .hash}"}]}',
    },
    {
      title: "D26: sha1",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!jq": "{value_to_encrypt: .email}"}, {"!sha": {"algorithm": «"sha1"», "secret": "<SIGNING_SECRET>"}}]}',
      good: '{"!pipe": [{"!jq": "{value_to_encrypt: .email}"}, {"!sha": {"algorithm": "sha3_256", "secret": "<SIGNING_SECRET>"}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{value_to_encrypt: .email}"}, {"!sha": {"algorithm": "sha256", "secret": "<SIGNING_SECRET>"}}]}',
    },
  ],
  // Whoever compares the hash has to change with it.
  fixes: ({ at }, { document }) => [changeToString(document, at, STRONG, false)],
});

const shakeSecret = defineRule<{ algorithm: string }>({
  id: "command/shake-secret",
  severity: "error",
  summary: "`secret` is given to a hash that takes none",
  why: "With `secret`, `!sha` makes an HMAC, and the shake hashes have none. The command fails for every customer.",
  guards: ["D26"],
  message: ({ algorithm }) => `\`${algorithm}\` takes no \`secret\`.`,
  help: () =>
    `For a signature use one of ${oneOfNames(hashAlgorithms.filter((name) => !unkeyedHashes.includes(name) && !weakHashes.includes(name)))}.`,
  examples: [
    {
      title: "D26",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!pipe": [{"!jq": "{value_to_encrypt: .email}"}, {"!sha": {"algorithm": "shake_128", «"secret"»: "<SIGNING_SECRET>"}}]}',
      good: '{"!pipe": [{"!jq": "{value_to_encrypt: .email}"}, {"!sha": {"algorithm": "blake2b", "secret": "<SIGNING_SECRET>"}}]}',
      fixed:
        '{"!pipe": [{"!jq": "{value_to_encrypt: .email}"}, {"!sha": {"algorithm": "sha256", "secret": "<SIGNING_SECRET>"}}]}',
    },
  ],
  fixes: ({ at }, { document, model }) => {
    const key = spanOf(document, at);
    const sha = model.commands.find(
      ({ key: name, node }) => name === "!sha" && node.start < key.start && key.end <= node.end,
    )?.argument;
    if (sha?.kind !== "object") return [];
    const algorithm = sha.get("algorithm")!;
    const secret = sha.member("secret")!;
    return [
      {
        title: `Change the algorithm to \`${STRONG}\``,
        safe: false,
        edits: [{ start: algorithm.start, end: algorithm.end, newText: JSON.stringify(STRONG) }],
      },
      { title: "Remove `secret`", safe: false, edits: [removeMember(document, secret)] },
    ];
  },
});

const module: RuleModule = {
  rules: [weakHash, shakeSecret],
  checks: {
    command: {
      "!sha"({ argument }, report) {
        if (argument?.kind !== "object") return;
        const algorithm = argument.get("algorithm");
        const secret = argument.member("secret");
        if (algorithm?.kind !== "string") return;
        const { value } = algorithm;
        if (weakHashes.includes(value)) report(weakHash, algorithm, { algorithm: value });
        if (unkeyedHashes.includes(value) && secret !== undefined)
          report(shakeSecret, secret.key, { algorithm: value }, [{ message: "takes no key", at: algorithm }]);
      },
    },
  },
};
export default module;
