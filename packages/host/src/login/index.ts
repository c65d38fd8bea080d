export { addConnection, type NewConnection } from "./connections.ts";
export { LoginError, type LoginErrorKind } from "./error.ts";
export {
  beginLogin,
  type FinishOptions,
  finishLogin,
  type LoginOptions,
  type PendingLogin,
} from "./login.ts";
export { type LoopbackOptions, loopbackLogin } from "./loopback.ts";
export type { LoginClient } from "./settings.ts";
