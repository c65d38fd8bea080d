import { type RenewalWorker, work } from "./renewal.ts";

const [given] = process.argv.slice(2);
// Without arguments it was only to be bundled.
if (given !== undefined) console.log((await work(JSON.parse(given) as RenewalWorker)).join("\n"));
