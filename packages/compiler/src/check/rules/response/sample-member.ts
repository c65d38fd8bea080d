import { nearest } from "@configc/jq/internal";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import type { Args, Finding, Fix, FixContext, Rule } from "../../../findings/rule.ts";
import { pathText } from "../../../flow/origin.ts";
import {
  type Learned,
  objectEvidence,
  placeText,
  presence,
  shapeOfResponse,
} from "../../../samples/evidence.ts";
import { misspellingOf, nearName } from "../../../samples/misspelling.ts";
import { describedPayloads } from "../../../samples/openapi/webhooks.ts";
import { learnedPayloads } from "../../../samples/payloads.ts";
import { describedTypes } from "../../../samples/response-type.ts";
import { learnedResponses } from "../../../samples/responses.ts";
import { type Shape, shapeAt } from "../../../samples/shape.ts";
import type { Checks } from "../../checks.ts";
import { allNames, didYouMean } from "../../message-text.ts";
import { type ReceivedRead, receivedReads } from "./received-reads.ts";
import { groupedReads, renameRead } from "./rename.ts";

/** A member that is read of something received, and that no sample has. */
export interface UnseenMember extends ReceivedRead {
  readonly slip: boolean;
  readonly args: UnseenArgs;
}

export interface UnseenArgs extends Args {
  readonly name: string;
  /** "GET /v1/items", or the name of the webhook */
  readonly sender: string;
  /** `.items[]` */
  readonly path: string;
  readonly objects: number;
  readonly suggestion: string | undefined;
  /** How often the suggested member is there, and where. */
  readonly shown: string | undefined;
  /** An object that has no such member, and those that it has. */
  readonly counterexample: string;
  readonly members: readonly string[];
}

/** All of them, in responses and in payloads. */
const unseenMembers: (model: Model) => readonly UnseenMember[] = derived((model) =>
  receivedReads(model).flatMap((read): UnseenMember[] => {
    const found = unseenArgs(read, model);
    // A test whether there is such a member is no mistake, unless it is misspelled.
    return found === undefined || (read.absence === "tested" && !found.slip) ? [] : [{ ...read, ...found }];
  }),
);

/** So many objects without a member make it worth a note that they all have one of a similar name. */
const SEVERAL = 3;

/** What is known of the thing that a member is read of. */
interface Source {
  readonly sender: string;
  readonly learned: Learned;
  /** Of the part that it is read of. */
  readonly shape: Shape | undefined;
}

function sourceOf({ origin }: ReceivedRead, model: Model): Source | undefined {
  const { path } = origin;
  if (origin.kind === "payload") {
    const learned = learnedPayloads(model).get(origin.intake);
    if (learned === undefined || describedPayloads(model).has(origin.intake)) return undefined;
    return { sender: origin.intake.name ?? "", learned, shape: shapeAt(learned.shape, path) };
  }
  // A document that describes the response knows more of it than samples.
  if (describedTypes(model).has(origin.command)) return undefined;
  const learned = learnedResponses(model).get(origin.command);
  if (learned === undefined) return undefined;
  const { method, shown } = learned.pattern;
  return { sender: `${method} ${shown}`, learned, shape: shapeOfResponse(learned, path) };
}

function unseenArgs(read: ReceivedRead, model: Model): Pick<UnseenMember, "args" | "slip"> | undefined {
  const { name, origin } = read;
  const source = sourceOf(read, model);
  const shape = source?.shape;
  const evidence = objectEvidence(shape);
  if (source === undefined || shape === undefined || evidence === undefined) return undefined;
  if (evidence.names.includes(name)) return undefined;
  const slip = misspellingOf(name, evidence.names);
  const near = evidence.objects < SEVERAL ? undefined : nearName(name, evidence.names);
  if (slip === undefined && near === undefined && !evidence.closed) return undefined;
  const suggestion = slip ?? near ?? nearest(name, evidence.names);
  const member = suggestion === undefined ? undefined : shape.members.get(suggestion);
  const { sender, learned } = source;
  const args: UnseenArgs = {
    name,
    sender,
    path: pathText(origin.path),
    objects: evidence.objects,
    suggestion,
    shown: member === undefined ? undefined : shownBy(member, evidence.objects, learned),
    counterexample: placeText(shape.example, learned),
    members: evidence.names,
  };
  return { args, slip: slip !== undefined };
}

/** "in 12 of 14, first at `/items/0/title` of get-items.json" */
function shownBy(member: Shape, objects: number, learned: Learned): string {
  const place = placeText(member.example, learned);
  return objects === 1 ? `at ${place}` : `${presence(member, objects)}, first at ${place}`;
}

/** Where it was seen instead, and where it would be missing. */
export function unseenHelp({ name, suggestion, shown, counterexample, members }: UnseenArgs): string {
  const seen = suggestion === undefined || shown === undefined ? "" : `\`${suggestion}\` is ${shown}. `;
  return `${seen}\`${name}\` would be missing at ${counterexample}, which has ${allNames(members)}.`;
}

/** @param received such as "the response to `GET /forms`", of a sender */
export function unseenMessage(received: (sender: string) => string): (args: UnseenArgs) => string {
  return ({ name, sender, path, objects, suggestion }) => {
    const place = path === "." ? received(sender) : `\`${path}\` in ${received(sender)}`;
    return `This reads \`${name}\` from ${place}, but ${unseenIn(objects)}.${didYouMean(suggestion)}`;
  };
}

/** Reports what is read of one kind of thing received, each name once; slips by a rule of their own. */
export function unseenCheck(
  kind: UnseenMember["origin"]["kind"],
  { slip, other }: { readonly slip: Rule<UnseenArgs>; readonly other: Rule<UnseenArgs> },
): NonNullable<Checks["document"]> {
  return (model, report) => {
    const reads = unseenMembers(model).filter(({ origin }) => origin.kind === kind);
    for (const [first, ...others] of groupedReads(reads)) {
      const related = others.map(({ at }) => ({ message: "also read here", at }));
      report(first.slip ? slip : other, first.at, first.args, related);
    }
  };
}

/** "none of the 14 objects in the samples has it" */
function unseenIn(objects: number): string {
  return objects === 1
    ? "the one object in the samples has none"
    : `none of the ${objects} objects in the samples has it`;
}

export function unseenFix({ at, args }: Finding<UnseenArgs>, { document, model }: FixContext): Fix[] {
  const read = unseenMembers(model).find((each) => each.at === at);
  return read === undefined ? [] : renameRead(read, args.suggestion, document);
}
