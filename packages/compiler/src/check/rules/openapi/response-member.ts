import { types } from "@configc/jq";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { type Args, defineRule, type Finding, type Fix, type FixContext } from "../../../findings/rule.ts";
import { pathText } from "../../../flow/origin.ts";
import { misspellingOf } from "../../../samples/misspelling.ts";
import { describedRequests } from "../../../samples/openapi/described.ts";
import { describedPayloads } from "../../../samples/openapi/webhooks.ts";
import { withoutHiddenBody } from "../../../samples/response.ts";
import { describedTypes } from "../../../samples/response-type.ts";
import type { RuleModule } from "../../checks.ts";
import { allNames, didYouMean } from "../../message-text.ts";
import { type ReceivedRead, receivedReads } from "../response/received-reads.ts";
import { groupedReads, renameRead } from "../response/rename.ts";
import { described, optionsPointer } from "./example.ts";
import { namesOf } from "./operation.ts";

interface MemberArgs extends Args {
  readonly name: string;
  /** `.items[]` */
  readonly path: string;
  /** "GET /v1/items" */
  readonly sender: string;
  /** The name of a webhook, where it is no response. */
  readonly webhook?: string;
  readonly document: string;
  readonly suggestion: string | undefined;
  readonly members: readonly string[];
}

const misspelled = defineRule<MemberArgs>({
  id: "openapi/misspelled-member",
  severity: "warning",
  summary: "A response member looks misspelled, compared with the OpenAPI document",
  why: "The OpenAPI document in the settings describes this response. It has no such member, but one with a similar name. The value is then null: an empty label in the form, a field that stays empty for every customer.",
  guards: ["command.!http", "D20"],
  message: ({ name, path, sender, webhook, document, suggestion }) => {
    const place = path === "." ? "" : `\`${path}\` in `;
    const received =
      webhook === undefined ? `the response to \`${sender}\`` : `what the webhook \`${webhook}\` sends`;
    return `This reads \`${name}\` from ${place}${received}, but \`${document}\` has none there.${didYouMean(suggestion)}`;
  },
  help: ({ members }) => `It has ${allNames(members)}.`,
  fixes: ({ at, args }: Finding<MemberArgs>, { document, model }: FixContext): Fix[] => {
    const read = undescribedMembers(model).find((each) => each.at === at);
    return read === undefined ? [] : renameRead(read, args.suggestion, document);
  },
  examples: [
    described(optionsPointer, {
      bad: '{"!pipe": [{"!http": {"path": "/forms", "params": {"team": "sales"}}}, {"!jq": "[.items[] | {display: «.titel», value: .id}]"}]}',
      good: '{"!pipe": [{"!http": {"path": "/forms", "params": {"team": "sales"}}}, {"!jq": "[.items[] | {display: .title, value: .id}]"}]}',
      fixed:
        '{"!pipe": [{"!http": {"path": "/forms", "params": {"team": "sales"}}}, {"!jq": "[.items[] | {display: .title, value: .id}]"}]}',
    }),
  ],
});

const module: RuleModule = {
  rules: [misspelled],
  checks: {
    document(model, report) {
      for (const [first, ...others] of groupedReads(undescribedMembers(model))) {
        const related = others.map(({ at }) => ({ message: "also read here", at }));
        report(misspelled, first.at, first.args, related);
      }
    },
  },
};
export default module;

/** What is read of described responses by a name that is most likely a slip. A closed object's other members aren't told here. */
const undescribedMembers: (model: Model) => readonly (ReceivedRead & { readonly args: MemberArgs })[] =
  derived((model) =>
    receivedReads(model).flatMap((read) => {
      const { origin, name, target } = read;
      const described = descriptionOf(origin, model);
      if (described === undefined) return [];
      const objects = types.partsOf(withoutHiddenBody(target)).filter((part) => part.kind === "object");
      if (objects.some((part) => part.kind === "object" && part.rest === undefined)) return [];
      const members = objects.flatMap((part) => (part.kind === "object" ? [...part.members.keys()] : []));
      const suggestion = misspellingOf(name, members);
      if (suggestion === undefined) return [];
      const args = { name, path: pathText(origin.path), ...described, suggestion, members };
      return [{ ...read, args }];
    }),
  );

/** Who sends it, and the document that says what. */
function descriptionOf(
  origin: ReceivedRead["origin"],
  model: Model,
): Pick<MemberArgs, "sender" | "webhook" | "document"> | undefined {
  if (origin.kind === "payload") {
    const webhook = origin.intake.name ?? "";
    const payload = describedPayloads(model).get(origin.intake);
    return payload === undefined ? undefined : { sender: webhook, webhook, document: payload.document.name };
  }
  const operation = describedRequests(model).get(origin.command)?.operation;
  if (operation === undefined || !describedTypes(model).has(origin.command)) return undefined;
  const { operation: sender, document } = namesOf(operation);
  return { sender, document };
}
