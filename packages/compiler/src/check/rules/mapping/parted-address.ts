import { defineRule } from "../../../findings/rule.ts";
import { textOf } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { excerpt } from "../../message-text.ts";
import { type Option, optionsOf, textIn } from "./options.ts";

const fields = (group: string): string =>
  `[{"title": "Email", "id": "email", "group": "person", "required": true}, {"title": "Company", "id": "company", "group": "office"}, {"title": "Street and number", "id": "street", "group": ${group}}, {"title": "Floor", "id": "floor", "group": "office"}]`;

const partedAddress = defineRule<{ title: string; group: string; other: string; beside: string }>({
  id: "mapping/parted-address",
  severity: "warning",
  summary: "The street is in the group of a person, and the rest of the address in another one",
  why: "Each group is an object of its own for the pipeline. A street that goes with the person's details isn't part of the address: what is delivered there has a town or a floor and no street.",
  guards: ["option.group", "events.5", "D37"],
  message: ({ title, group, other, beside }) =>
    `“${title}” is in the group \`${group}\`. The rest of the address, such as “${beside}”, is in \`${other}\`.`,
  because: ({ group, other }) => [
    `\`${other}\` has an address without a street`,
    `\`${group}\` has a street and nothing else of an address`,
  ],
  help: ({ other }) => `Write \`"group": "${other}"\`.`,
  examples: [
    {
      title: "D37",
      in: "outbound",
      at: "/workflows/0/setup/map/describe_target/options",
      with: { "/workflows/0/data_pipeline/target": '{"!jq": "{person: .person, office: .office}"}' },
      bad: fields('«"person"»'),
      good: fields('"office"'),
    },
  ],
});

const module: RuleModule = {
  rules: [partedAddress],
  checks: {
    map(map, report, model) {
      const options = optionsOf(map, "target", model)?.list ?? [];
      if (options.length < 3 || !options.every(({ group }) => textIn(group) !== undefined)) return;
      const [street, ...streets] = options.filter((option) => isStreet.test(nameOf(option)));
      const at = street?.group?.value;
      if (street === undefined || at === undefined || streets.length > 0) return;
      const group = textIn(street.group)!;
      const rest = options.filter((option) => ofAddress.test(nameOf(option)));
      const [beside] = rest;
      const other = textIn(beside?.group);
      const isParted =
        other !== undefined && other !== group && rest.every((each) => textIn(each.group) === other);
      const isPersons = options.some(
        (option) => textIn(option.group) === group && /^e-?mail\b/i.test(nameOf(option)),
      );
      const titleOf = ({ node }: Option): string =>
        excerpt(textOf(node, "title") ?? textOf(node, "id") ?? "", 60);
      if (isParted && isPersons)
        report(partedAddress, at, { title: titleOf(street), group, other, beside: titleOf(beside!) });
    },
  },
};
export default module;

const nameOf = ({ node }: Option): string => textOf(node, "id") ?? "";
const isStreet = /^(?:street|road|address_?line_?1?|street_?(?:address|name|and_number))$/i;
const ofAddress = /^(?:postcode|post_?code|zip|zip_?code|postal_?code|city|town|floor|building)$/i;
