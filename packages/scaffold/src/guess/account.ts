import type { ApiDescription, Operation, Parameter } from "../description.ts";
import type { ObjectShape, Path, Shape } from "../shape.ts";
import type { Guess } from "./guess.ts";
import { knownValue } from "./known-values.ts";
import { identityOf } from "./lists.ts";
import { phrase } from "./name-words.ts";

/** A request that says whose account is connected. */
export interface AccountRequest {
  readonly operation: Operation;
  /** Where the account stands in the answer. */
  readonly path: Path;
  readonly id: string;
  readonly label: string;
}

/** A request that shows at least that the credentials are right. */
export interface AnyRequest {
  readonly operation: Operation;
  readonly path: Path;
}

const paths: readonly RegExp[] = [
  /\/(?:me|whoami|self|current_user|currentuser|user\/me|users?\/me|users\/~|me\/profile)(?:\.json)?$/i,
  /\/(?:users\/current|user\/current|account\/me|accounts\/me|auth\/me|userinfo|token\/info|auth\.test|verify)(?:\.json)?$/i,
  /\/(?:account|profile|user|user\/profile|user\/account|company|organi[sz]ation|merchant|merchants\/me|shop|store|workspace|business)(?:\.json)?$/i,
  /\/(?:accounts|users|organi[sz]ations|workspaces|companies|merchants|teams|tenants|connections|budgets)(?:\.json)?$/i,
];

/** The request that tells most of the account, with an id in its answer; none if there is none without parameters. */
export function accountOf({ operations }: ApiDescription): Guess<AccountRequest | AnyRequest> | undefined {
  const simple = operations
    .map(ofConnectedUser)
    .filter(
      ({ method, path, parameters }) =>
        method === "GET" && !path.includes("{") && parameters.every(({ isRequired }) => !isRequired),
    );
  for (const pattern of paths)
    for (const operation of simple
      .filter(({ path }) => pattern.test(path))
      .sort((a, b) => a.path.length - b.path.length)) {
      const found = accountIn(operation.response);
      if (found !== undefined)
        return { value: { operation, ...found }, because: "its path, and an id in its answer" };
    }
  // Its path says enough, and its answer isn't described.
  const [own] = simple.filter(({ path }) => paths[0]!.test(path));
  if (own !== undefined)
    return {
      value: { operation: own, path: [], id: "id", label: "name" },
      because: "its path; what it answers isn't described",
      isOpen: true,
    };
  // Any other request says at least that one is connected.
  for (const operation of simple) {
    const found = accountIn(operation.response);
    if (found !== undefined)
      return {
        value: { operation, ...found },
        because: "it gives an id without parameters; is it the account's?",
        isOpen: true,
      };
  }
  const [any] = paths
    .flatMap((pattern) => simple.filter(({ path }) => pattern.test(path)))
    .concat([...simple].sort((a, b) => a.path.length - b.path.length));
  return any === undefined
    ? undefined
    : {
        value: { operation: any, path: [] },
        because: "no request without parameters gives an id, so all accounts are called alike",
        isOpen: true,
      };
}

/** `/users/me`, where the document says that `me` may stand in place of an id. */
function ofConnectedUser(operation: Operation): Operation {
  const isTold = (parameter: Parameter) => parameter.in === "path" && knownValue(parameter)?.value === "me";
  const named = operation.parameters.filter(isTold);
  if (named.length === 0) return operation;
  const path = named.reduce((text, { name }) => text.replaceAll(`{${name}}`, "me"), operation.path);
  const parameters = operation.parameters.filter((parameter) => !isTold(parameter));
  return { ...operation, path, parameters, source: `${operation.method} ${path}` };
}

/** What identifies an account; the id of anything else doesn't. */
const ids = [
  /^(?:id|gid|uuid|guid|uid|key)$/,
  /^(?:account|user|company|organi[sz]ation|org|team|member|customer|owner|seller|merchant|workspace|tenant) (?:id|uuid|gid)$/,
  /^(?:e ?mail|e ?mail address|login|username|user name)$/,
];

function accountIn(shape: Shape, path: Path = []): Omit<AccountRequest, "operation"> | undefined {
  // The first of a list will do: most accounts see themselves only.
  if (shape.kind === "array") return undefined;
  if (shape.kind !== "object") return undefined;
  const found = identified(shape, path);
  if (found !== undefined) return found;
  if (path.length > 1) return undefined;
  for (const [name, member] of shape.members) {
    const inner = accountIn(member, [...path, name]);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function identified(shape: ObjectShape, path: Path): Omit<AccountRequest, "operation"> | undefined {
  const names = [...shape.members.keys()];
  const id = ids
    .map((pattern) => names.find((name) => pattern.test(phrase(name))))
    .find((name) => name !== undefined);
  const { label = id } = identityOf(shape);
  return id === undefined || label === undefined ? undefined : { path, id, label };
}
