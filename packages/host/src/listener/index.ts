export { Listener, type ListenerOptions } from "./listener.ts";
