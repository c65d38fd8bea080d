// Ends a Postgres and removes its folder when the process that started it lets go of our input: also if that was killed.
// `postgres-watchdog.mjs FOLDER`; each line of the input is the server's process id, or 0 while none runs.

import { rmSync } from "node:fs";

const [folder] = process.argv.slice(2);
let pid = 0;

process.stdin.setEncoding("utf8");
process.stdin.on("data", (text) => {
  pid = Number(text.trimEnd().split("\n").at(-1));
});
process.stdin.on("end", async () => {
  // QUIT is "immediate": nothing of the data is wanted any more.
  if (pid > 0 && signal("SIGQUIT")) {
    const patience = Date.now() + 10_000;
    while (signal(0) && Date.now() < patience) await new Promise((resolve) => setTimeout(resolve, 20));
    signal("SIGKILL");
  }
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
});

function signal(name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
