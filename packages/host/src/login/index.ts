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
export { refusedLogin } from "./refused-address.ts";
export { type LoginClient, type LoginNeed, loginNeeds } from "./settings.ts";
