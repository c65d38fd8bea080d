/**
 * Why a login didn't come to a token. `config`: the app or the host lacks something; `refused`: the customer or the service said
 * no; `state`: the answer belongs to another login; `token`: the code wasn't exchanged; `timeout` and `cancelled`: nobody came back.
 */
export type LoginErrorKind = "config" | "refused" | "state" | "token" | "timeout" | "cancelled";

/** A login that failed; the message has no secret in it. */
export class LoginError extends Error {
  readonly kind: LoginErrorKind;

  constructor(kind: LoginErrorKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "LoginError";
    this.kind = kind;
  }
}
