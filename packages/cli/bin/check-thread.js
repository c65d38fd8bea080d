// A thread of `configc check`, which takes the compiler from the code cache as the command does.
const { load } = require("./load.js");

const { modules } = load();
void modules.checkInThread(async () => modules);
