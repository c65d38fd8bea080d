import type { RuleModule } from "../../checks.ts";
import documentedElsewhere from "./documented-elsewhere.ts";
import documentedShape from "./documented-shape.ts";
import iteratedObject from "./iterated-object.ts";
import listNotIterated from "./list-not-iterated.ts";
import memberOfSearch from "./member-of-search.ts";
import neverList from "./never-list.ts";
import oneOrMany from "./one-or-many.ts";
import otherOfTwo from "./other-of-two.ts";
import payloadMember from "./payload-member.ts";
import recordAsList from "./record-as-list.ts";
import twoShapes from "./two-shapes.ts";
import undocumentedMember from "./undocumented-member.ts";
import unknownMember from "./unknown-member.ts";

/** What is read of responses, by their samples. */
export const responseRules: readonly RuleModule[] = [
  unknownMember,
  undocumentedMember,
  documentedShape,
  documentedElsewhere,
  iteratedObject,
  listNotIterated,
  neverList,
  otherOfTwo,
  payloadMember,
  recordAsList,
  twoShapes,
  oneOrMany,
  memberOfSearch,
];
