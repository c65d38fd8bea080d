import type { AccountRequest } from "../guess/account.ts";
import type { ConfigObject } from "../proposal.ts";
import { jqPath } from "../shape.ts";

/** What all workflows of an app share. */
export interface AppParts {
  /** The service's name, for people. */
  readonly title: string;
  /** The same for names. */
  readonly name: string;
  readonly account: AccountRequest | undefined;
  /** Whether `api.pagination` says how lists go on. */
  readonly pages: boolean;
}

export function connectStep({ account }: AppParts): ConfigObject {
  const path = account?.operation.path ?? "/";
  const at = account?.path ?? [];
  const id = jqPath([...at, account?.id ?? "id"]);
  const label = jqPath([...at, account?.label ?? "name"]);
  return {
    label: "Connect",
    describe_connection: {
      "!pipe": [
        { "!http": { method: "GET", path } },
        { "!jq": `{account_id: (${id} | tostring), description: (${label} | tostring)}` },
      ],
    },
  };
}
