import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { GetPromptResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

const path = z.string().describe("The config, relative to the workspace.");

/** The usual jobs, as a person can ask for them by name. */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt(
    "write-app",
    {
      title: "Write an integration app",
      description: "From a description of an API to a config that passes check, tests and a simulation.",
      argsSchema: {
        path,
        api: z.string().describe("The API: its documentation, or where it is in the workspace."),
      },
    },
    ({ path: file, api }) =>
      message(`Write an integration app in ${file} for this API: ${api}

Begin with “configc init NAME --template TEMPLATE” in a shell (outbound, inbound-webhook, inbound-polling, historical-sync), or with the resources configc://language/document and configc://language/commands. Then, after every change, call check and mend what it tells, errors first. Before each jq program call type for the command in front of it, and use only fields that it shows or that the API's documentation names. Write test cases for each workflow in a *.apptest.json. At the end call simulate, and mend or explain every law that breaks. Say what you supposed about the API that its documentation doesn't tell.`),
  );
  server.registerPrompt(
    "mend-findings",
    {
      title: "Mend what check finds",
      description: "Mends the findings of a config without changing what the app is meant to do.",
      argsSchema: { path },
    },
    ({ path: file }) =>
      message(
        `Mend the findings of ${file}. Call check; call apply_fix for what is safe; for each finding that is left call explain with its rule, mend the cause rather than the message, and check again. Never silence a finding unless I agree; if one is wrong, say why. At the end run the tests.`,
      ),
  );
  server.registerPrompt(
    "review-change",
    {
      title: "Review a change",
      description: "Reviews a config against its published version: mistakes, lost data, broken customers.",
      argsSchema: {
        path,
        against: z.string().describe("The published version: a file, or git:REF as in git:main."),
      },
    },
    ({ path: file, against }) =>
      message(
        `Review ${file} against ${against}. Call check with level info, compare, test, and simulate. List what must change before it is published, the worst first, each with its place and what it would do to customers. Then list what you couldn't verify.`,
      ),
  );
  server.registerPrompt(
    "explain-loss",
    {
      title: "Find out why data is missing",
      description: "Looks for the cause of records that don't arrive.",
      argsSchema: { path, symptom: z.string().describe("What is missing, and since when.") },
    },
    ({ path: file, symptom }) =>
      message(
        `Records are missing at a customer of ${file}: ${symptom}. Call check with level hint, then simulate, and run_recorded with trace on recordings, if there are any. Name the most likely cause with its place in the config and the evidence, what would mend it, and what should be asked of the service's documentation.`,
      ),
  );
}

function message(text: string): GetPromptResult {
  return { messages: [{ role: "user", content: { type: "text", text } }] };
}
