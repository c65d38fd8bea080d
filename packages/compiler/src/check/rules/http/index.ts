import type { RuleModule } from "../../checks.ts";
import body from "./body.ts";
import deletesChosen from "./deletes-chosen.ts";
import deletesList from "./deletes-list.ts";
import documentedNullSegment from "./documented-null-segment.ts";
import documentedRange from "./documented-range.ts";
import emptySegment from "./empty-segment.ts";
import fixedChoice from "./fixed-choice.ts";
import formFields from "./form-fields.ts";
import graphql from "./graphql.ts";
import graphqlDirection from "./graphql-direction.ts";
import graphqlMade from "./graphql-made.ts";
import graphqlMethod from "./graphql-method.ts";
import graphqlSelection from "./graphql-selection.ts";
import graphqlValues from "./graphql-values.ts";
import headers from "./headers.ts";
import hostValue from "./host-value.ts";
import idAtHand from "./id-at-hand.ts";
import idempotency from "./idempotency.ts";
import keyBasis from "./key-basis.ts";
import latestOfPage from "./latest-of-page.ts";
import listFormField from "./list-form-field.ts";
import listInBrackets from "./list-in-brackets.ts";
import looseSearch from "./loose-search.ts";
import noCredentials from "./no-credentials.ts";
import ownMember from "./own-member.ts";
import pagination from "./pagination.ts";
import pathSlips from "./path-slips.ts";
import pathText from "./path-text.ts";
import platformHost from "./platform-host.ts";
import readsByPost from "./reads-by-post.ts";
import recordInPath from "./record-in-path.ts";
import repeatedItem from "./repeated-item.ts";
import repeatedRequest from "./repeated-request.ts";
import sendsEmpty from "./sends-empty.ts";
import shownInPath from "./shown-in-path.ts";
import skippedList from "./skipped-list.ts";
import skippedSegment from "./skipped-segment.ts";
import target from "./target.ts";
import unaimedLookup from "./unaimed-lookup.ts";
import uncheckedErrors from "./unchecked-errors.ts";
import wholeOutputAsId from "./whole-output-as-id.ts";
import wholeUrl from "./whole-url.ts";

/** Requests: where they go, what they carry, how pages are read (D17–D22). */
export const httpRules: readonly RuleModule[] = [
  target,
  noCredentials,
  hostValue,
  pathText,
  pathSlips,
  platformHost,
  deletesChosen,
  deletesList,
  documentedNullSegment,
  documentedRange,
  emptySegment,
  headers,
  body,
  pagination,
  latestOfPage,
  formFields,
  graphql,
  graphqlDirection,
  graphqlMethod,
  graphqlMade,
  graphqlSelection,
  graphqlValues,
  idempotency,
  unaimedLookup,
  listFormField,
  listInBrackets,
  looseSearch,
  idAtHand,
  keyBasis,
  readsByPost,
  recordInPath,
  repeatedItem,
  sendsEmpty,
  shownInPath,
  repeatedRequest,
  wholeOutputAsId,
  skippedSegment,
  skippedList,
  uncheckedErrors,
  wholeUrl,
  fixedChoice,
  ownMember,
];
