import { nearest } from "@configc/jq";
import { authEntry } from "../../../language/sections/auth.ts";
import type { RuleModule } from "../../checks.ts";
import { defineRule } from "../../rule.ts";
import { excerpt, oneOfNames } from "../../words.ts";

const known = Object.keys(authEntry.variants);

const unknownType = defineRule<{ type: string }>({
  id: "auth/unknown-type",
  severity: "warning",
  summary: "A type of authorisation that isn't known here",
  why: "A platform may have more types than those known here. But the members of such an entry can't be checked, and if the type is a slip, no customer can connect.",
  guards: ["auth.type", "D27"],
  message: ({ type }) =>
    `The members of an auth entry of the type \`${type}\` can't be checked: known are ${oneOfNames(known).replace(" or ", " and ")}.`,
  help: () =>
    'If your platform has this type, silence it with `"_comment": "configc-ignore auth/unknown-type: REASON"`.',
  examples: [
    {
      in: "outbound",
      at: "/auth/acme/type",
      bad: '«"saml"»',
      good: '"oauth2"',
    },
  ],
});

const module: RuleModule = {
  rules: [unknownType],
  checks: {
    auth({ node }, report) {
      const type = node?.kind === "object" ? node.get("type") : undefined;
      if (type?.kind !== "string" || !type.valid || known.includes(type.value)) return;
      // A near miss is taken for a misspelling of that type (`structure/unknown-value`).
      if (nearest(type.value, known) === undefined) report(unknownType, type, { type: excerpt(type.value) });
    },
  },
};
export default module;
