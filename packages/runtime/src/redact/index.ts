export { base64 } from "./base64.ts";
export { isSecretHeader, MASK, shownUrl } from "./mask.ts";
export { Redactor } from "./redactor.ts";
