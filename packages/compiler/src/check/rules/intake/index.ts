import type { RuleModule } from "../../checks.ts";
import absentParameter from "./absent-parameter.ts";
import bodyOfGet from "./body-of-get.ts";
import changedRegistration from "./changed-registration.ts";
import chosenRegistration from "./chosen-registration.ts";
import deleteByGet from "./delete-by-get.ts";
import deleteByPost from "./delete-by-post.ts";
import deleteUnnamed from "./delete-unnamed.ts";
import deletesNew from "./deletes-new.ts";
import deliveryId from "./delivery-id.ts";
import deliveryPlaces from "./delivery-places.ts";
import documentedChallenge from "./documented-challenge.ts";
import earlyChallenge from "./early-challenge.ts";
import everyEvent from "./every-event.ts";
import exchangedChallenge from "./exchanged-challenge.ts";
import hashSettings from "./hash-settings.ts";
import historyEvent from "./history-event.ts";
import idAsSecret from "./id-as-secret.ts";
import ignoredImport from "./ignored-import.ts";
import leftOutEvent from "./left-out-event.ts";
import longTolerance from "./long-tolerance.ts";
import lostSecret from "./lost-secret.ts";
import missingDelete from "./missing-delete.ts";
import movedAnswer from "./moved-answer.ts";
import otherEvent from "./other-event.ts";
import otherMember from "./other-member.ts";
import otherToken from "./other-token.ts";
import overwrittenSave from "./overwritten-save.ts";
import refusedChallenge from "./refused-challenge.ts";
import refusedEvent from "./refused-event.ts";
import reversedCheck from "./reversed-check.ts";
import routing from "./routing.ts";
import savedLate from "./saved-late.ts";
import savedOtherId from "./saved-other-id.ts";
import savedRecord from "./saved-record.ts";
import savedText from "./saved-text.ts";
import savedValues from "./saved-values.ts";
import secretAsId from "./secret-as-id.ts";
import siblingRegistrations from "./sibling-registrations.ts";
import signature from "./signature.ts";
import signatureList from "./signature-list.ts";
import signedParts from "./signed-parts.ts";
import switchedOff from "./switched-off.ts";
import uncheckedAge from "./unchecked-age.ts";
import unnumbered from "./unnumbered.ts";
import unreadHash from "./unread-hash.ts";
import unreadRegistration from "./unread-registration.ts";
import unregisteredEvent from "./unregistered-event.ts";
import unregisteredOption from "./unregistered-option.ts";
import unregisteredUrl from "./unregistered-url.ts";
import unsavedNewId from "./unsaved-new-id.ts";
import unsavedSecret from "./unsaved-secret.ts";
import unsavedUpdate from "./unsaved-update.ts";
import updateSetup from "./update-setup.ts";
import updateTarget from "./update-target.ts";
import verdict from "./verdict.ts";
import verification from "./verification.ts";

/** How data comes in: webhooks that are registered and removed, and polls. */
export const intakeRules: readonly RuleModule[] = [
  absentParameter,
  deleteByGet,
  ignoredImport,
  missingDelete,
  otherToken,
  overwrittenSave,
  routing,
  unnumbered,
  unreadRegistration,
  deleteByPost,
  deleteUnnamed,
  unregisteredUrl,
  changedRegistration,
  chosenRegistration,
  unregisteredEvent,
  unregisteredOption,
  historyEvent,
  otherEvent,
  savedValues,
  verification,
  signature,
  reversedCheck,
  verdict,
  refusedEvent,
  longTolerance,
  bodyOfGet,
  documentedChallenge,
  hashSettings,
  idAsSecret,
  siblingRegistrations,
  updateSetup,
  updateTarget,
  otherMember,
  savedText,
  savedLate,
  savedOtherId,
  unreadHash,
  signedParts,
  signatureList,
  switchedOff,
  deliveryId,
  deliveryPlaces,
  earlyChallenge,
  exchangedChallenge,
  refusedChallenge,
  uncheckedAge,
  deletesNew,
  movedAnswer,
  unsavedSecret,
  leftOutEvent,
  lostSecret,
  secretAsId,
  unsavedNewId,
  unsavedUpdate,
  savedRecord,
  everyEvent,
];
