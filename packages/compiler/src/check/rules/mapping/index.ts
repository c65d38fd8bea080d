import type { RuleModule } from "../../checks.ts";
import defaultGroup from "./default-group.ts";
import email from "./email.ts";
import groups from "./groups.ts";
import listForText from "./list-for-text.ts";
import lostField from "./lost-field.ts";
import misspelledFixedValue from "./misspelled-fixed-value.ts";
import nameAsKey from "./name-as-key.ts";
import namesForIds from "./names-for-ids.ts";
import noOptions from "./no-options.ts";
import oppositeTitle from "./opposite-title.ts";
import otherGroup from "./other-group.ts";
import otherOutput from "./other-output.ts";
import otherPrefix from "./other-prefix.ts";
import partedAddress from "./parted-address.ts";
import schema from "./schema.ts";
import shownForKey from "./shown-for-key.ts";
import targetOnly from "./target-only.ts";
import unreadField from "./unread-field.ts";
import unreadGroup from "./unread-group.ts";

/** The `map` step: which fields there are on each side. */
export const mappingRules: readonly RuleModule[] = [
  defaultGroup,
  email,
  groups,
  listForText,
  lostField,
  misspelledFixedValue,
  nameAsKey,
  namesForIds,
  noOptions,
  otherGroup,
  otherOutput,
  otherPrefix,
  partedAddress,
  oppositeTitle,
  schema,
  shownForKey,
  targetOnly,
  unreadGroup,
  unreadField,
];
