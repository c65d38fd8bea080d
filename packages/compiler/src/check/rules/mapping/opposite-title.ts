import type { MapSymbol } from "../../../bind/bound-nodes.ts";
import { defineRule } from "../../../findings/rule.ts";
import { areOfOthers, areOpposite, type Pole, poleOf } from "../../../flow/poles.ts";
import { objectItems, textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";

const oppositeTitle = defineRule<{ title: string; id: string }>({
  id: "mapping/opposite-title",
  severity: "warning",
  summary: "The title of a field says the opposite of its id",
  why: "Customers map fields by their titles, and the app by their ids. “Last name” for `first_name` exchanges the two in every record.",
  guards: ["option.title", "option.id"],
  message: ({ title, id }) =>
    `Customers read “${title}”, and the field is \`${id}\`, which says the opposite.`,
  because: ({ title, id }) => [`customers map “${title}”`, `the value of \`${id}\` is written there`],
  help: () => "Write the title and the id of the same field.",
  examples: [
    {
      in: "inbound-webhook",
      at: "/workflows/0/setup/map/describe_source/options",
      with: {
        "/workflows/0/data_pipeline/source": '{"!jq": "{email: .email, first_name: .first_name}"}',
      },
      bad: '[{"title": "Email", "id": "email"}, {"title": «"Last name"», "id": "first_name"}]',
      good: '[{"title": "Email", "id": "email"}, {"title": "First name", "id": "first_name"}]',
    },
  ],
});

function saysOpposite(shown: Pole, own: Pole | undefined): boolean {
  return own !== undefined && areOpposite(shown, own) && !(own.kind === "window" && areOfOthers(shown, own));
}

const module: RuleModule = {
  rules: [oppositeTitle],
  checks: {
    map({ node }: MapSymbol, report) {
      for (const side of ["describe_source", "describe_target"]) {
        const described = node.get(side);
        const options = described?.kind === "object" ? described.get("options") : undefined;
        for (const option of objectItems(options)) {
          const at = option.get("title");
          const title = at?.kind === "string" ? at.value : undefined;
          const shown = title === undefined ? undefined : poleOf(title);
          if (at === undefined || title === undefined || shown === undefined) continue;
          const id = textOf(option, "id");
          if (id !== undefined && saysOpposite(shown, poleOf(id))) report(oppositeTitle, at, { title, id });
        }
      }
    },
  },
};
export default module;
