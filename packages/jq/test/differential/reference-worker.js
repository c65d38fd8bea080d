// @ts-check
// jq itself in a thread of its own: an abort ends only the instance, and who waits too long can end the thread.
import { parentPort } from "node:worker_threads";
import { loadJq } from "jq-wasm";

let jq = await loadJq();
parentPort?.on("message", async ({ program, input }) => {
  try {
    const { stdout, stderr } = jq.raw(input, program, ["-c"]);
    parentPort?.postMessage({ stdout, stderr });
  } catch (error) {
    parentPort?.postMessage({ aborted: String(error) });
    jq = await loadJq();
  }
});
parentPort?.postMessage("ready");
