import type { VerbSpec } from "../../command-line/verb.ts";
import { templateNames } from "../../template-names.ts";

export const init: VerbSpec = {
  name: "init",
  summary: "Writes a config to start from",
  operands: "[NAME]",
  atMost: 1,
  details: [
    "Writes NAME.app.json for a service called NAME. NAME may include a folder. Default: the name of the current folder.",
    "Templates: outbound (a workflow that adds contacts to a list of the service), inbound-webhook (contacts from events that the service sends), inbound-polling (contacts from records that the app polls), historical-sync (existing records first, then events).",
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
        "Write a config for the API that FILE describes: an OpenAPI or Swagger document, a HAR file of a browser session, or cURL commands. It says where each part comes from, and what FILE doesn't say.",
    },
    { name: "yes", summary: "Accept what --from proposes without asking." },
    {
      name: "agents",
      summary:
        "Write AGENTS.md and a skill that teach coding agents to work with configs. Without NAME and --template, write nothing else. Other text in AGENTS.md stays.",
    },
    { name: "force", summary: "Overwrite an existing file." },
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
