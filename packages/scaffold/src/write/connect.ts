import type { AccountRequest, AnyRequest } from "../guess/account.ts";
import type { ConfigObject } from "../proposal.ts";
import { jqPath, type Shape } from "../shape.ts";

/** What all workflows of an app share. */
export interface AppParts {
  /** The service's name, for people. */
  readonly title: string;
  /** The same for names. */
  readonly name: string;
  readonly account: AccountRequest | AnyRequest | undefined;
  /** Whether `api.pagination` says how lists go on. */
  readonly pages: boolean;
}

export function connectStep({ account, name, title }: AppParts): ConfigObject {
  const path = account?.operation.path ?? "/";
  const at = account?.path ?? [];
  const told = (member: string): string => `${jqPath([...at, member])} | tostring`;
  return {
    label: "Connect",
    describe_connection: {
      "!pipe": [{ "!http": { method: "GET", path } }, { "!jq": program() }],
    },
  };

  function program(): string {
    if (account === undefined || "id" in account)
      return `{account_id: (${told(account?.id ?? "id")}), description: (${told(account?.label ?? "name")})}`;
    const { response } = account.operation;
    const member = surest(response);
    const isAnswer = member === undefined ? ". != null" : `has(${JSON.stringify(member)})`;
    const alike = `{account_id: ${JSON.stringify(name)}, description: ${JSON.stringify(title)}}`;
    return `if ${isAnswer} then ${alike} else error(${JSON.stringify(`This isn't an answer of ${title}.`)}) end`;
  }
}

/** A member that the answer has whatever it answers: a list, which may be empty, else one that is required. */
function surest(response: Shape): string | undefined {
  if (response.kind !== "object") return undefined;
  const members = [...response.members];
  const [name] =
    members.find(([, { kind }]) => kind === "array") ??
    members.find(([each]) => response.required.has(each)) ??
    members[0] ??
    [];
  return name;
}
