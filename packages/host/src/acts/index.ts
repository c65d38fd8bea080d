export {
  type HostAct,
  type HostActed,
  type HostActName,
  type HostTarget,
  hostActs,
  operate,
} from "./operate.ts";
