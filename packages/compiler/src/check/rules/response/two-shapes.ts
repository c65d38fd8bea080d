import { groupBy } from "@configc/jq/internal";
import { defineRule } from "../../../findings/rule.ts";
import { hasComments } from "../../../flow/documented-words.ts";
import { derivedByPart } from "../../by-part.ts";
import type { RuleModule } from "../../checks.ts";
import { asksGraphql } from "../http/graphql-requests.ts";
import { programsTold } from "../setup/list-as-option.ts";
import {
  bareConflicts,
  conflictsOf,
  documentedBare,
  mayDiffer,
  mergeUses,
  type Shape,
  usesByName,
} from "./shape-conflict.ts";
import { shapeReads, shapeReadsOf } from "./shape-reads.ts";

const twoShapes = defineRule<{ name: string; here: Shape; there: Shape; how: string; of: string }>({
  id: "response/two-shapes",
  severity: "warning",
  summary: "Two places read the same value as two things: a list and an object, an object and a text",
  why: "A value has one shape. If one place reads its first item and another one a member by name, one of the two fails or gets null, for every record.",
  guards: ["command.!jq", "command.!http", "D8", "D9", "D20", "D23"],
  message: ({ name, here, there, how, of }) =>
    `\`${name}\` of ${of} is read as ${here} here, and as ${there} elsewhere: \`${how}\`.`,
  because: ({ name, here, there }) => [
    `\`${name}\` is ${there}`,
    here === "one value"
      ? "the request is refused, or asks for something else"
      : `what is read of it as ${here} fails, or is null`,
  ],
  help: ({ how }) => `Read it as \`${how}\` does, or change that one.`,
  examples: [
    {
      title: "An object is read as a list",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.people.rows | length) == 0 then 0 else 1 end", "cases": [{"!error": "Nobody has this address."}, {"!http": {"method": "PATCH", "path": "/people/${piped_content.1.«people».0.id}", "body": {"list": "${custom_data.list.value}"}}}]}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.people.rows | length) == 0 then 0 else 1 end", "cases": [{"!error": "Nobody has this address."}, {"!http": {"method": "PATCH", "path": "/people/${piped_content.1.people.rows.0.id}", "body": {"list": "${custom_data.list.value}"}}}]}}]}',
    },
    {
      title: "An object is read as a text",
      in: "inbound-webhook",
      at: "/workflows/0/data_pipeline/source",
      bad: '{"!jq": "{email: («.buyer» | ascii_downcase), name: .buyer.name, phone: .buyer.phone}"}',
      good: '{"!jq": "{email: (.buyer.email | ascii_downcase), name: .buyer.name, phone: .buyer.phone}"}',
    },
    {
      title: "A list in a path",
      in: "outbound",
      at: "/workflows/0/data_pipeline/target",
      bad: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.people | length) == 0 then 0 else 1 end", "cases": [{"!error": "Nobody has this address."}, {"!http": {"method": "PATCH", "path": "/people/${piped_content.1.«people»}", "body": {"list": "${custom_data.list.value}"}}}]}}]}',
      good: '{"!pipe": [{"!http": {"path": "/people", "params": {"email": "${piped_content.0.email}"}}}, {"!switch": {"jq": "if (.people | length) == 0 then 0 else 1 end", "cases": [{"!error": "Nobody has this address."}, {"!http": {"method": "PATCH", "path": "/people/${piped_content.1.people.0.id}", "body": {"list": "${custom_data.list.value}"}}}]}}]}',
    },
  ],
});

const module: RuleModule = {
  rules: [twoShapes],
  checks: {
    document(model, report) {
      const isOfGraphql = asksGraphql(model);
      const names = mergeUses(usesOfNames(model));
      const differing = new Set(names.filter((uses) => mayDiffer(uses, isOfGraphql)).map(({ name }) => name));
      const readsBody = names.some(({ name }) => name === "body");
      if (differing.size === 0 && !readsBody && !hasComments(model)) return;
      const all = shapeReads(model);
      const bodies = readsBody ? all.filter(({ name }) => name === "body") : [];
      for (const { at, here, there, how, of, related } of bareConflicts(bodies, all, model))
        report(twoShapes, at, { name: "body", here, there, how, of }, [{ message: there, at: related }]);
      for (const { at, of, related } of hasComments(model) ? documentedBare(all, model) : [])
        report(twoShapes, at, { name: "body", here: "an object", there: "a list", how: "body[0]", of }, [
          { message: "the comment", at: related },
        ]);
      const read = all.filter(({ name }) => differing.has(name));
      for (const [name, reads] of groupBy(read, (each) => each.name)) {
        for (const { at, here, there, how, of, related } of conflictsOf(reads, model)) {
          if (programsTold(model).has(at.node) || programsTold(model).has(related.node)) continue;
          report(twoShapes, at, { name, here, there, how, of }, [{ message: `${there}`, at: related }]);
        }
      }
    },
  },
};
export default module;

const usesOfNames = derivedByPart(
  (part, model) => usesByName(shapeReadsOf(part, model)),
  "linked",
  mergeUses,
);
