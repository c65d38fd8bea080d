import type { Command, IntakeSymbol } from "../../../bind/bound-nodes.ts";
import { documentedSigned } from "../../../flow/documented-signed.ts";
import { type Verdict, verdictOn } from "../../../flow/machine/verification.ts";
import type { TimeForm } from "../../../flow/time-form.ts";
import type { JsonNode } from "../../../parse/syntax-tree.ts";
import type { RuleModule } from "../../checks.ts";
import { allIn } from "../workflow/commands.ts";
import { verificationOf } from "./commands-of.ts";
import { joinsChecksByEither } from "./either-check.ts";
import { exchangedChallenges } from "./exchanged-challenge.ts";
import { comparesText, isHashRead } from "./hash-reads.ts";
import { hasOtherAlgorithm } from "./hash-settings.ts";
import { comparesAge, comparesCapitals, refusesYoung } from "./never-accepted.ts";
import { reversedIn } from "./reversed-check.ts";
import { slipsIn } from "./signature.ts";
import {
  isUseless,
  joinsAges,
  keepsOut,
  reckoning,
  refusedInAll,
  saidForm,
  timeForms,
  YEAR,
} from "./signed-times.ts";
import { unkeyedOfTwo } from "./two-hashes.ts";
import { unsignedAnswers } from "./unsigned-answers.ts";
import {
  acceptsForged,
  acceptsOld,
  refusedAndProcessed,
  refusesGenuine,
  unsignedTime,
} from "./verdict-rules.ts";
import { onlyRefusals } from "./verification.ts";

const module: RuleModule = {
  rules: [acceptsForged, refusesGenuine, acceptsOld, unsignedTime, refusedAndProcessed],
  checks: {
    intake(intake, report, model) {
      const readable = verificationOf(intake, model);
      if (readable === undefined) return;
      const { root, all } = readable;
      for (const { key, argument } of all) {
        if (key !== "!respond" || argument?.kind !== "object") continue;
        const [code, passed] = [argument.get("code"), argument.get("process_payload")];
        if (
          code?.kind === "number" &&
          code.value >= 400 &&
          code.value < 600 &&
          passed?.kind === "boolean" &&
          passed.value
        ) {
          report(refusedAndProcessed, passed, { code: code.value });
          return;
        }
      }
      const isTold =
        onlyRefusals(root).length > 0 ||
        unsignedAnswers(root, intake, model).length > 0 ||
        hasOtherAlgorithm(all) ||
        exchangedChallenges(intake, model).length > 0 ||
        all.some((each) => each.program !== undefined && (reversedIn(each) ?? slipsIn(each, all)));
      if (isTold) return;
      const said = saidForm(root, model);
      const forms = said === undefined ? timeForms(all) : [said];
      const verdicts = (["forged", "unsigned"] as const).flatMap((delivery) =>
        forms.map((form) => verdictOn(root, delivery, true, form)),
      );
      const forged = verdicts.find(({ accepted }) => accepted === true) ?? verdicts[0]!;
      const aged = (age: number, isOrdinary = false): readonly Verdict[] =>
        forms.map((form) => verdictOn(root, "genuine", isOrdinary, form, { age }));
      const [fresh, stale] = [aged(2), aged(YEAR)];
      // What is told apart by nothing but its age.
      const [freshest, stalest] = [aged(2, true), aged(YEAR, true)];
      const works = fresh.map(({ accepted }, at) => !isUseless(accepted, stale[at]?.accepted));
      const worksAtLeast = freshest.map(({ accepted }, at) => !isUseless(accepted, stalest[at]?.accepted));
      const isBackwards = fresh.some(
        ({ accepted }, at) =>
          accepted === false &&
          (stale[at]?.accepted === true ||
            (freshest[at]?.accepted === false && stalest[at]?.accepted === true)),
      );
      const genuine =
        isBackwards && !(works.includes(true) && worksAtLeast.includes(true))
          ? fresh.find(({ accepted }) => accepted === false)!
          : refusedInAll(fresh);
      const hash = all.find(({ key }) => key === "!sha");
      const sha = hash?.member.key;
      const either = joinsChecksByEither(all);
      const keyless = unkeyedOfTwo(all);
      const young = hash === undefined ? undefined : all.find(refusesYoung);
      const upcased =
        hash === undefined
          ? undefined
          : all.find(({ program }) => program !== undefined && comparesCapitals(program));
      const ofText =
        hash === undefined
          ? undefined
          : all.find(({ program }) => program !== undefined && comparesText(program));
      if (keyless !== undefined) report(acceptsForged, keyless.member.key, { reason: "unkeyed" });
      else if (sha !== undefined && !isHashRead(all, model)) {
        const text = all.filter((each) => readsText(each, hash!));
        const only = text.length === 1 ? text[0]?.program : undefined;
        report(acceptsForged, only?.node ?? sha, { reason: only === undefined ? "unread" : "text" });
      } else if (young?.program !== undefined)
        report(refusesGenuine, young.program.node, { hashed: undefined, isByAge: true });
      else if (upcased?.program !== undefined)
        report(refusesGenuine, upcased.program.node, { hashed: undefined });
      else if (ofText?.program !== undefined) report(acceptsForged, ofText.program.node, { reason: "text" });
      else if (either?.program !== undefined) report(acceptsForged, either.program.node, { reason: "any" });
      else if (forged.isChecked && forged.accepted === true)
        report(acceptsForged, decisionOn(forged, all, root), { reason: "any" });
      else if (isOpenAtFirst(root, forms, all))
        report(
          acceptsForged,
          decisionOn(verdictOn(root, "unsigned", true, forms[0]!, { isEarly: true }), all, root),
          { reason: "early" },
        );
      else if (
        genuine.isChecked &&
        genuine.accepted === false &&
        !isOfCheck(root, genuine, forms) &&
        !isOwnToken(genuine, intake)
      ) {
        const hashed =
          genuine.hashed?.includes("raw_body") === false && genuine.hashed.length > 0
            ? genuine.hashed.join(" + ")
            : undefined;
        const isByAge =
          said !== undefined &&
          timeForms(all).some((form) => verdictOn(root, "genuine", false, form).accepted === true);
        if (isByAge) {
          const at = reckoning(all)?.program?.node ?? (hash ?? root).member.key;
          report(refusesGenuine, at, { hashed: undefined, isByAge, unit: said });
          return;
        }
        const at = hashed === undefined ? decisionOn(genuine, all, hash ?? root) : hashedBy(hash!);
        report(refusesGenuine, at, { hashed });
      } else if (
        !works.includes(true) &&
        [true, false].every((each) => fresh.some(({ accepted }) => accepted === each))
      ) {
        // Few senders write a time in another unit.
        const isNeverFresh =
          fresh.length > 1 && fresh.slice(0, 2).every(({ accepted }) => accepted === false);
        const at = reckoning(all)?.program?.node ?? sha ?? root.member.key;
        if (isNeverFresh) report(refusesGenuine, at, { hashed: undefined, isByAge: true });
        else report(acceptsOld, at, {});
      } else if (
        fresh.every(
          ({ accepted, dated }, at) =>
            accepted === true && dated !== undefined && stale[at]?.accepted === true,
        ) &&
        all.some(({ program }) => program !== undefined && joinsAges(program))
      ) {
        // Each time is before the one limit or behind the other.
        report(acceptsOld, reckoning(all)?.program?.node ?? root.member.key, {});
      } else if (
        said !== undefined &&
        fresh[0]?.accepted === true &&
        stale[0]?.accepted === true &&
        (timeForms(all).some((form) => keepsOut(root, form)) ||
          (fresh[0].dated !== undefined && all.filter(comparesAge).length === 1))
      ) {
        // In the other unit it would do what it is for, or the wrong way round: `$sent - now < 300`.
        report(acceptsOld, reckoning(all)?.program?.node ?? root.member.key, {});
      } else if (
        sha !== undefined &&
        fresh.some(({ accepted }, at) => accepted !== stale[at]?.accepted && isOfBodyAlone(fresh[at]!)) &&
        !isSaidOfBodyAlone(root)
      ) {
        const header = fresh[0]?.dated?.replace(/^\w+\./, "");
        report(unsignedTime, hashedBy(hash!), header === undefined ? {} : { header });
      } else if (
        sha !== undefined &&
        genuine.hashed !== undefined &&
        !genuine.isKeyed &&
        genuine.accepted !== false
      )
        report(acceptsForged, sha, { reason: "unkeyed" });
    },
  },
};
export default module;

/** Whether a registration tells the service a hash of the hook's URL: then that is a password of its own, and no signature. */
function isOwnToken({ hashed = [] }: Verdict, intake: IntakeSymbol): boolean {
  const create = intake.commands.get("create");
  return (
    hashed.length > 0 &&
    hashed.every((name) => name.startsWith("webhook.")) &&
    create !== undefined &&
    (allIn(create) ?? []).some(({ key }) => key === "!sha")
  );
}

/** Whether what is hashed stands in the URL of a check alone, as in `.query.nonce // .raw_body`, and other deliveries are accepted. */
function isOfCheck(root: Command, { hashed = [] }: Verdict, forms: readonly TimeForm[]): boolean {
  const without = hashed.filter((each) => each.startsWith("query."));
  return (
    without.length > 0 &&
    !hashed.includes("raw_body") &&
    forms.some((form) => verdictOn(root, "genuine", false, form, { without }).accepted === true)
  );
}

/** Whether a delivery without a signature is accepted as long as nothing is saved, although it is looked at for one. */
function isOpenAtFirst(root: Command, forms: readonly TimeForm[], all: readonly Command[]): boolean {
  if (!all.some(({ program }) => /\bdata\.\w+\.\w+ *\|/.test(program?.node.value ?? ""))) return false;
  return forms.every((form) => {
    const { accepted, isChecked } = verdictOn(root, "unsigned", true, form, { isEarly: true });
    return isChecked && accepted === true;
  });
}

/** What chooses the answer of a verdict: the program of the `!switch` around it. */
function decisionOn({ answer }: Verdict, all: readonly Command[], otherwise: Command): JsonNode {
  for (let at = answer?.parent; at !== undefined; at = at.parent)
    if (at.key === "!switch" && at.program !== undefined) return at.program.node;
  const [only, ...others] = all.filter(({ key }) => key === "!switch");
  return (others.length === 0 ? only?.program?.node : undefined) ?? otherwise.member.key;
}

/** The program that makes what is hashed. */
function hashedBy(hash: Command): JsonNode {
  return hash.pipe?.children[hash.stepsRun - 1]?.program?.node ?? hash.member.key;
}

/** Whether a command behind the hash reads the text that was hashed. */
const readsText = ({ program, pipe, stepsRun }: Command, hash: Command): boolean =>
  pipe === hash.pipe && stepsRun > hash.stepsRun && /\bvalue_to_encrypt\b/.test(program?.node.value ?? "");

/** Whether the hash has no time in it, nor anything else that may hold one. */
const isOfBodyAlone = ({ hashed, isKeyed }: Verdict): boolean =>
  isKeyed && hashed?.length === 1 && hashed[0] === "raw_body";

/** Whether a comment says that the sender signs the body and nothing else: the config can't sign more than that. */
function isSaidOfBodyAlone({ node }: Command): boolean {
  return documentedSigned(node)?.parts.every(({ kind }) => kind === "body") === true;
}
