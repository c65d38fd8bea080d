/** What is secret in a config (D29), and what only stands for a secret. */

/** Headers whose value authorises: `x-api-key`, and those that services put their name into, `X-Acme-Access-Token`. */
const secretHeader =
  /(?:^|[-_])(?:authorization|(?:api|auth|access|secret|subscription)[-_]?key|(?:api|auth|access|private|session)[-_]?token|(?:api|client)[-_]?secret)$/i;

/** Query parameters that nothing but a secret goes into, in lower case with `_` for `-`. */
const secretParameters: ReadonlySet<string> = new Set([
  "api_key",
  "apikey",
  "api_token",
  "access_token",
  "auth_token",
  "token",
  "client_secret",
  "password",
]);

export function isSecretHeader(name: string): boolean {
  return secretHeader.test(name);
}

export function isSecretParameter(name: string): boolean {
  return secretParameters.has(name.toLowerCase().replaceAll("-", "_"));
}

/** `<TOKEN>`, `{{TOKEN}}`, `[insert your secret here]`, `YOUR_API_KEY`, `your-token-here`: what somebody is to replace. */
const placeholder =
  /<[^<>]+>|\{\{[^{}]+\}\}|\[[^\]]*\b(?:insert|enter|replace|your|here|placeholder)\b[^\]]*\]|(?:^|[\s:])(?:your|insert|enter|replace)[-_ ][a-z_ -]*$/i;

/** Whether a text holds a placeholder, alone or behind a scheme as in `Bearer <TOKEN>`. */
export function hasPlaceholder(text: string): boolean {
  return placeholder.test(text);
}

/** Whether one of a cookie's pairs has the name of a session or a token: other cookies may be settings. */
export function isSecretCookie(value: string): boolean {
  return value.split(";").some((pair) => {
    const [name = "", content = ""] = pair.split("=", 2);
    return content.trim() !== "" && /sess|token|auth|jwt|\bsid\b/i.test(name);
  });
}
