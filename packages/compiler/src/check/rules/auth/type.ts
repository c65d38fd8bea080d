import { nearest } from "@configc/jq/internal";
import { defineRule } from "../../../findings/rule.ts";
import { authEntry } from "../../../language/sections/auth.ts";
import { changeToString } from "../../change-fix.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames, didYouMean, excerpt } from "../../message-text.ts";

const known = Object.keys(authEntry.variants);

const unknownType = defineRule<{ type: string; suggestion: string | undefined }>({
  id: "auth/unknown-type",
  severity: "warning",
  summary: "The auth type is unknown",
  why: "A platform may have more types than configc knows, but configc can't check the members of such an entry. If the type is a typo, no customer can connect.",
  guards: ["auth.type", "D27"],
  message: ({ type, suggestion }) =>
    suggestion === undefined
      ? `The auth type \`${type}\` is unknown, so its members can't be checked. Known types: ${allNames(known)}.`
      : `There is no auth type \`${type}\`.${didYouMean(suggestion)} Known types: ${allNames(known)}.`,
  help: () =>
    'If your platform has this type, suppress this with `"_comment": "configc-ignore auth/unknown-type: REASON"`.',
  examples: [
    {
      in: "outbound",
      at: "/auth/acme/type",
      bad: '«"saml"»',
      good: '"oauth2"',
    },
    {
      title: "a misspelling",
      in: "outbound",
      at: "/auth/acme/type",
      bad: '«"oaut2"»',
      good: '"oauth2"',
      fixed: '"oauth2"',
    },
  ],
  fixes: ({ at, args }, { document }) => {
    if (args.suggestion === undefined) return [];
    return [changeToString(document, at, args.suggestion, true)];
  },
});

const module: RuleModule = {
  rules: [unknownType],
  checks: {
    auth({ node }, report) {
      const type = node?.kind === "object" ? node.get("type") : undefined;
      if (type?.kind !== "string" || !type.valid || known.includes(type.value)) return;
      report(unknownType, type, { type: excerpt(type.value), suggestion: nearest(type.value, known) });
    },
  },
};
export default module;
