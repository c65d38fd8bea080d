import { type ApiDescription, type Operation, pathParameters } from "../description.ts";
import { emailOf, identityOf, peopleIn } from "./lists.ts";
import { phrase } from "./name-words.ts";
import type { Placement } from "./placement.ts";

/** What speaks against a request that takes a person. */
export interface WriteDoubt {
  /** Half a sentence. */
  readonly because: string;
  readonly weight: number;
}

/** Whether a request really adds the people whom a company knows. */
export function doubtsOf(
  operation: Operation,
  placement: Placement,
  description: ApiDescription,
): readonly WriteDoubt[] {
  const found: WriteDoubt[] = [];
  const prose = `${operation.summary} ${operation.about ?? ""}`;
  if (signsUp(operation))
    found.push({ because: "it seems to sign people up for the service itself", weight: 10 });
  if (invites(prose)) found.push({ because: "it seems to invite people, who get a message", weight: 3 });
  if (takesKnown(operation, placement, prose, description))
    found.push({ because: "it seems to take only people whom the service knows already", weight: 6 });
  const owner = ownerIn(operation);
  if (owner !== undefined)
    found.push({ because: `it seems to add something to one of \`${owner}\`, and nobody new`, weight: 6 });
  if (logsIn(operation, placement))
    found.push({ because: "the people whom it adds seem to be users of the service, who log in", weight: 2 });
  return found;
}

/** A registration of nobody's in particular; one for an event stands below that. */
function signsUp({ path }: Operation): boolean {
  const last = path.split("/").at(-1) ?? "";
  return (
    pathParameters(path).length === 0 &&
    /^(?:registrations?|register|sign ?ups?|onboarding)$/.test(phrase(last))
  );
}

/** The people of whom a request adds to one: `users` of `/users/{id}/aliases`. */
function ownerIn({ path }: Operation): string | undefined {
  const words = path.split("/").filter((part) => part !== "");
  const last = words.at(-1) ?? "";
  const owner = words.at(-3);
  const isOf = owner !== undefined && words.at(-2)?.startsWith("{") === true && peopleIn(owner) > 0;
  return isOf && !last.includes("{") && peopleIn(last) === 0 ? owner : undefined;
}

/** Users, with what only those have who log in. */
function logsIn({ path }: Operation, { record }: Placement): boolean {
  const last = path.split("/").findLast((part) => part !== "" && !part.includes("{")) ?? "";
  return (
    peopleIn(last) === 1 &&
    [...record.members.keys()].some((name) =>
      /^(?:password|passwd|roles?|role ids?|licen[cs]es?|seats?|permissions?|type|user type)$/.test(
        phrase(name),
      ),
    )
  );
}

function invites(prose: string): boolean {
  return /\binvit(?:e|es|ing|ation|ations)\b/i.test(prose);
}

/** Members of a group are named by an id, or the document says so; whoever is new is created elsewhere. */
function takesKnown(
  { path }: Operation,
  { record }: Placement,
  prose: string,
  { operations }: ApiDescription,
): boolean {
  if (pathParameters(path).length === 0) return false;
  if (/\bexisting (?:users?|contacts?|members?|people|persons?|subscribers?)\b/i.test(prose)) return true;
  const { id } = identityOf(record);
  if (id === undefined || emailOf(record) === undefined || !/^(?:id|uuid|gid)$/.test(phrase(id)))
    return false;
  return operations.some(
    (each) =>
      each.method === "POST" &&
      each.path !== path &&
      pathParameters(each.path).length === 0 &&
      each.request !== undefined,
  );
}
