export { type Circuit, Circuits, type SharedCircuits } from "./circuits.ts";
export { asJob, watchedHttp } from "./watched-http.ts";
