export { bundled } from "../../support/bundled.ts";
export { type ChildOptions, type Ended, runChild } from "./child.ts";
export { command, complaintsOf, type Entry, put, runCommand } from "./command.ts";
export { answer, chunked, type Head, HostileServer, head, type Script } from "./hostile-server.ts";
export { type Move, play } from "./moves.ts";
export { statusOf, type Talk, talk } from "./raw-client.ts";
export { type Attack, attacks, type Trial } from "./table.ts";
