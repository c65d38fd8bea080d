import type { VerbSpec } from "../../command-line/verb.ts";

export const simulate: VerbSpec = {
  name: "simulate",
  summary: "Runs an app against a simulated service whose records move, and shows what gets lost",
  operands: "FILE [INTAKE|WORKFLOW…]",
  atLeast: 1,
  completes: "files",
  details: [
    "The service is derived from the app: which parameter is a page, a cursor or a bound, and what answers look like. It is tried in many small worlds: records change between two pages, lists show changes late, times are rounded, members are absent. Nothing is sent, and nothing has to be set up.",
    "What you know of the real service stands in NAME.world.json beside NAME.app.json; what it doesn't say is tried both ways. Each law that breaks is told once, with the smallest world that breaks it.",
  ],
  options: [
    {
      name: "world",
      value: "FILE",
      completes: "files",
      summary:
        "What is known of the service. Default: NAME.world.json beside the config, where there is one.",
    },
    {
      name: "write-world",
      summary: "Write NAME.world.json with what is supposed, for you to correct, and stop.",
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
      summary: "How long to try worlds, in time of the processor: 10s (default), 500ms, 2m.",
    },
    {
      name: "against",
      value: "OLD",
      summary:
        "Compare with the version that customers use, in the same worlds, and let this one go on half-way with what that one kept: a file, git:REF:PATH, or git:REF.",
    },
    {
      name: "save",
      value: "DIR",
      completes: "folders",
      summary:
        "Write each failure to DIR: as a test case for “configc test”, and as recordings for “configc run --replay”.",
    },
    {
      name: "format",
      value: "FORMAT",
      choices: ["pretty", "json", "junit", "github", "sarif"],
      summary:
        "pretty (default), json, junit, github or sarif. It may be given several times, each with its --output.",
    },
    {
      name: "output",
      value: "FILE",
      completes: "files",
      summary: "Write what the --format before it gives to FILE instead of standard output.",
    },
  ],
  examples: {
    "configc simulate shop.app.json --write-world": "Writes shop.world.json, to say what the service does.",
    "configc simulate shop.app.json --save tests":
      "Keeps what was found as tests: they fail until the app is mended.",
  },
  exit: {
    0: "no law was broken in what was tried; with --against none that the old version keeps",
    1: "a law was broken, or nothing could be tried of what `check` finds an error in",
    2: "wrong usage, or a file that can't be used",
  },
  load: async () => (await import("../running.ts")).simulate,
};
