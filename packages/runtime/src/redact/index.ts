export { base64 } from "./base64.ts";
export { Redactor } from "./redactor.ts";
export { isSecretHeader, MASK, shownUrl } from "./shown.ts";
