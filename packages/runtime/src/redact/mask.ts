/** What stands for a secret. */
export const MASK = "[secret]";

/** Shorter ones would mask half of every text and protect nothing that can be guessed so fast. */
export const SHORTEST = 4;

/**
 * Headers whose value is a secret, whatever it is, also with the name of a service before it: `X-Acme-Access-Token`. The compiler
 * has those that a config must not spell out; it isn't part of the runtime, which takes only types from there.
 */
const secretHeader =
  /^(?:set-)?cookie2?$|(?:^|[-_])(?:authorization|(?:api|auth|access|client|csrf|private|secret|security|session|subscription)[-_]?(?:key|token|secret))$/i;

/** Whether a header of that name carries a secret, so that its value is masked wherever it is shown (D29). */
export function isSecretHeader(name: string): boolean {
  return secretHeader.test(name);
}

const secretParameter =
  /^(?:api|auth|access|refresh|client)?[-_]?(?:key|token|secret)$|^(?:password|signature|code)$/i;

/** A URL for people: without the values of parameters that authorise, and without user and password. */
export function shownUrl(url: string): string {
  return url
    .replace(/^([a-z]+:\/\/)[^/?#]*@/i, `$1${MASK}@`)
    .replace(/([?&])([^=&#]+)=([^&#]*)/g, (all, mark: string, name: string) =>
      secretParameter.test(name) ? `${mark}${name}=${MASK}` : all,
    );
}
