import { nearest } from "@configc/jq";
import { derived } from "../../../bind/derived.ts";
import type { Model } from "../../../bind/model.ts";
import { pathText } from "../../../flow/origin.ts";
import { objectEvidence, placeText, presence, shapeOfResponse } from "../../../samples/evidence.ts";
import { describedTypes } from "../../../samples/response-type.ts";
import { learnedResponses } from "../../../samples/responses.ts";
import { slipOf } from "../../../samples/slip.ts";
import type { Args } from "../../rule.ts";
import { type ResponseRead, responseReads } from "./response-reads.ts";

/** A member that is read of a response, and that no sample has. */
export interface UnseenMember extends ResponseRead {
  readonly slip: boolean;
  readonly args: UnseenArgs;
}

export interface UnseenArgs extends Args {
  readonly name: string;
  /** "GET /v1/items" */
  readonly request: string;
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

/** All of them. Where a document describes the response, it knows more of it than samples. */
export const unseenMembers: (model: Model) => readonly UnseenMember[] = derived((model) =>
  responseReads(model).flatMap((read): UnseenMember[] => {
    if (describedTypes(model).has(read.command)) return [];
    const found = unseenArgs(model, read);
    // A test whether there is such a member is no mistake, unless it is misspelled.
    return found === undefined || (read.absence === "tested" && !found.slip) ? [] : [{ ...read, ...found }];
  }),
);

function unseenArgs(
  model: Model,
  { command, path, name }: ResponseRead,
): Pick<UnseenMember, "args" | "slip"> | undefined {
  const response = learnedResponses(model).get(command);
  const shape = response === undefined ? undefined : shapeOfResponse(response, path);
  const evidence = objectEvidence(shape);
  if (response === undefined || shape === undefined || evidence === undefined) return undefined;
  if (evidence.names.includes(name)) return undefined;
  const slip = slipOf(name, evidence.names);
  if (slip === undefined && !evidence.closed) return undefined;
  const suggestion = slip ?? nearest(name, evidence.names);
  const member = suggestion === undefined ? undefined : shape.members.get(suggestion);
  const args: UnseenArgs = {
    name,
    request: `${response.pattern.method} ${response.pattern.shown}`,
    path: pathText(path),
    objects: evidence.objects,
    suggestion,
    shown:
      member === undefined
        ? undefined
        : `${presence(member, evidence.objects)}, first at ${placeText(member.example, response)}`,
    counterexample: placeText(shape.example, response),
    members: evidence.names,
  };
  return { args, slip: slip !== undefined };
}
