export { Ending } from "./ending.ts";
export { Listener, type ListenerOptions } from "./listener.ts";
