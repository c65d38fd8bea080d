// A thread of `configc check`, which takes the compiler from the code cache as the command does.
import { load } from "./load.js";

const { modules } = load();
await modules.checkInThread(async () => modules);
