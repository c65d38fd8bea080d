import type { AccountRequest, AnyRequest } from "../guess/account.ts";
import type { ConfigObject } from "../proposal.ts";
import { jqPath } from "../shape.ts";

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
    const [member] = response.kind === "object" ? response.members.keys() : [];
    const isAnswer = member === undefined ? ". != null" : `has(${JSON.stringify(member)})`;
    const alike = `{account_id: ${JSON.stringify(name)}, description: ${JSON.stringify(title)}}`;
    return `if ${isAnswer} then ${alike} else error(${JSON.stringify(`This isn't an answer of ${title}.`)}) end`;
  }
}
