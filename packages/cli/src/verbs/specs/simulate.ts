import type { VerbSpec } from "../../command-line/verb.ts";

export const simulate: VerbSpec = {
  name: "simulate",
  summary: "Runs an app against a simulated service whose records change, and shows what gets lost",
  operands: "FILE [INTAKE|WORKFLOW…]",
  atLeast: 1,
  completes: "files",
  details: [
    "The service is derived from the app: which parameter is a page, a cursor or a bound, and what responses look like. The app runs in many small worlds: records change between two pages, lists show changes late, times are rounded, members are absent. Nothing is sent, and you need no setup.",
    "Write what you know about the real service in NAME.world.json beside NAME.app.json; anything else is tried both ways. Each broken law is reported once, with the smallest world that breaks it.",
  ],
  options: [
    {
      name: "world",
      value: "FILE",
      completes: "files",
      summary: "What you know about the service. Default: NAME.world.json beside the config, if it exists.",
    },
    {
      name: "write-world",
      summary:
        "Write to NAME.world.json the facts that the config leaves open and that decide whether a law breaks, for you to correct. Then stop.",
    },
    {
      name: "seeds",
      value: "N",
      summary:
        "Try N random worlds for each workflow, however long it takes. Default: as many as --time allows.",
    },
    { name: "seed", value: "N", summary: "The first random world. Default 1." },
    { name: "days", value: "N", summary: "Days of the longest world. Default 7." },
    {
      name: "time",
      value: "TIME",
      summary: "How long to try worlds, in processor time: 10s (default), 500ms, 2m.",
    },
    {
      name: "against",
      value: "OLD",
      summary:
        "Compare with the version that customers use, in the same worlds, and also switch to this version half-way with the other's state: a file, git:REF:PATH, or git:REF.",
    },
    {
      name: "save",
      value: "DIR",
      completes: "folders",
      summary:
        "Write each failure to DIR, as a test case for “configc test” and as recordings for “configc run --replay”.",
    },
    {
      name: "format",
      value: "FORMAT",
      choices: ["pretty", "json", "junit", "github", "sarif"],
      summary: "pretty (default), json, junit, github or sarif. May be repeated, each with its --output.",
    },
    {
      name: "output",
      value: "FILE",
      completes: "files",
      summary: "Write the preceding --format to FILE instead of standard output.",
    },
  ],
  examples: {
    "configc simulate shop.app.json --write-world":
      "Writes shop.world.json, with the open questions about the service.",
    "configc simulate shop.app.json --save tests":
      "Saves the failures as tests, which fail until you fix the app.",
  },
  exit: {
    0: "no law was broken; with --against, none that the old version keeps",
    1: "a law was broken, or a part with errors couldn't be tried",
    2: "wrong usage, or a file that can't be used",
  },
  load: async () => (await import("../running.ts")).simulate,
};
