import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { ReadResourceResult } from "@modelcontextprotocol/sdk/types.js";
import type { Command } from "./command.ts";
import { languagePage, languagePages } from "./pages.ts";

/** What an agent can read: the language, the rules, the schema. They come whole, since a client decides how much of them it shows. */
export function registerResources(server: McpServer, command: Command): void {
  for (const { name, title } of languagePages())
    server.registerResource(
      `language/${name}`,
      `configc://language/${name}`,
      {
        title: `Language: ${title}`,
        description: "A page of the language reference.",
        mimeType: "text/markdown",
      },
      async ({ href }) => content(href, "text/markdown", languagePage(name)),
    );
  server.registerResource(
    "rules",
    "configc://rules",
    { title: "Rules", description: "All rules, with their levels, a line each.", mimeType: "text/plain" },
    async ({ href }, { signal }) =>
      content(href, "text/plain", (await command.run(["rules"], signal)).stdout),
  );
  server.registerResource(
    "rule",
    // Without a list: more than two hundred rules would fill it; `configc://rules` names them.
    new ResourceTemplate("configc://rules/{area}/{name}", { list: undefined }),
    { title: "Rule", description: "What a rule means, with examples.", mimeType: "text/plain" },
    async ({ href }, { area, name }, { signal }) =>
      content(href, "text/plain", (await command.run(["explain", `${area}/${name}`], signal)).stdout),
  );
  server.registerResource(
    "schema",
    "configc://schema",
    { title: "JSON Schema", description: "The JSON Schema of configs.", mimeType: "application/schema+json" },
    async ({ href }, { signal }) =>
      content(href, "application/schema+json", (await command.run(["schema"], signal)).stdout),
  );
}

function content(uri: string, mimeType: string, text: string): ReadResourceResult {
  return { contents: [{ uri, mimeType, text }] };
}
