import type { VerbSpec } from "../../command-line/verb.ts";
import { templateNames } from "../../template-names.ts";

export const init: VerbSpec = {
  name: "init",
  summary: "Writes a config to start from",
  operands: "[NAME]",
  atMost: 1,
  details: [
    "Writes NAME.app.json, with NAME as the name of the service in it. NAME may stand below a folder. Default: the name of the current folder.",
    "Templates: outbound (a workflow that adds contacts to a list of the service), inbound-webhook (contacts from events that the service sends), inbound-polling (contacts from records that the service is asked for), historical-sync (past records first, then events).",
  ],
  options: [
    {
      name: "template",
      value: "TEMPLATE",
      choices: templateNames,
      summary: `${templateNames.join(", ")}. Default: outbound.`,
    },
    {
      name: "from",
      value: "FILE",
      completes: "files",
      summary:
        "Write a config for the API that FILE describes: an OpenAPI or Swagger document, a HAR file of a browser session, or cURL commands. It tells what each part rests on, and what FILE doesn't tell.",
    },
    { name: "yes", summary: "Take what --from proposes, and don't ask." },
    {
      name: "agents",
      summary:
        "Write AGENTS.md and a skill that teach coding agents to work with configs; without NAME and --template nothing else. What else stands in AGENTS.md stays.",
    },
    { name: "force", summary: "Overwrite a file that exists." },
  ],
  examples: {
    "configc init shop --template inbound-webhook": "Writes shop.app.json.",
    "configc init configs/shop": "Writes configs/shop.app.json.",
    "configc init shop --from shop.openapi.yaml --yes": "Writes shop.app.json from the API's own document.",
    "configc init --agents": "Writes AGENTS.md and .agents/skills/configc/SKILL.md.",
  },
  exit: { 0: "the file was written", 2: "wrong usage, or the file exists" },
  load: async () => (await import("../modules.ts")).init,
};
