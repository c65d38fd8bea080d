import type { RuleModule } from "../../checks.ts";
import commandForm from "./command-form.ts";
import contradictedType from "./contradicted-type.ts";
import lists from "./lists.ts";
import missingMember from "./missing-member.ts";
import unknownCommand from "./unknown-command.ts";
import unknownMember from "./unknown-member.ts";
import values from "./values.ts";

/** What the language table alone decides. The binder finds the differences; these rules put them into words. */
export const structureRules: readonly RuleModule[] = [
  commandForm,
  contradictedType,
  lists,
  missingMember,
  unknownCommand,
  unknownMember,
  values,
];
