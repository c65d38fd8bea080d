import type { ResourceSettings, Settings } from "@configc/compiler";
import { isObject } from "@configc/jq/internal";
import type { Connection } from "vscode-languageserver";
import type { DocumentSettings } from "./feature.ts";

const SECTION = "configc";

type AddedResource = NonNullable<ResourceSettings["add"]>[string];
type ResourceField = NonNullable<AddedResource["fields"]>[number];

/**
 * What the compiler is told about a document: the settings file that the host finds, then what the editor says, which may be
 * something else in each folder of the workspace.
 */
export class ServerSettings {
  /** URIs of the workspace's folders, without a slash at the end. */
  folders: ReadonlySet<string> = new Set();
  /** By folder; undefined stands for documents that are in none. */
  private client: ReadonlyMap<string | undefined, Partial<Settings>> = new Map();
  private readonly ofFile: ((uri: string) => DocumentSettings) | undefined;

  /** @param ofFile finds the settings file of a document; none where there are no files */
  constructor(ofFile: ((uri: string) => DocumentSettings) | undefined) {
    this.ofFile = ofFile;
  }

  of(uri: string): DocumentSettings {
    const { settings, file } = this.ofFile?.(uri) ?? { settings: {} };
    const client = this.client.get(this.folderOf(uri)) ?? this.client.get(undefined);
    const both = { ...settings, ...client, rules: { ...settings.rules, ...client?.rules } };
    return { settings: both, ...(file === undefined ? {} : { file }) };
  }

  /** Asks the editor. A null answer means defaults, and so does one of another shape, or none. */
  async refresh(connection: Connection): Promise<void> {
    const scopes = [undefined, ...this.folders];
    const items = scopes.map((scopeUri) => ({
      section: SECTION,
      ...(scopeUri === undefined ? {} : { scopeUri }),
    }));
    const answers: unknown[] = await connection.workspace.getConfiguration(items).catch(() => []);
    // Not every client answers for folders.
    const given = scopes.slice(0, Math.max(answers.length, 1));
    this.client = new Map(given.map((scope, index) => [scope, known(answers[index])]));
  }

  /** What an editor says that can't be asked; one that says nothing at all says that something has changed. */
  take(settings: unknown): void {
    if (isObject(settings)) this.client = new Map([[undefined, known(settings[SECTION])]]);
  }

  /** The innermost one that a document is in. */
  private folderOf(uri: string): string | undefined {
    for (let end = uri.lastIndexOf("/"); end > 0; end = uri.lastIndexOf("/", end - 1)) {
      const folder = uri.slice(0, end);
      if (this.folders.has(folder)) return folder;
    }
    return undefined;
  }
}

function known(answer: unknown): Partial<Settings> {
  if (!isObject(answer)) return {};
  const { language, unknownMembers, rules, resources, origins } = answer;
  return {
    ...(language === "core" || language === "extended" ? { language } : {}),
    ...(unknownMembers === "error" || unknownMembers === "warning" ? { unknownMembers } : {}),
    ...(isObject(rules) ? { rules: levels(rules) } : {}),
    ...(isObject(resources) ? { resources: resourcesIn(resources) } : {}),
    ...(Array.isArray(origins) ? { origins: origins.filter((each) => typeof each === "string") } : {}),
  };
}

function levels(rules: Readonly<Record<string, unknown>>): Settings["rules"] {
  const accepted = ["error", "warning", "info", "hint", "off"];
  const entries = Object.entries(rules).filter(([, level]) => accepted.includes(level as string));
  return Object.fromEntries(entries) as Settings["rules"];
}

function resourcesIn({ prefix, add }: Readonly<Record<string, unknown>>): ResourceSettings {
  const added = Object.entries(isObject(add) ? add : {}).map(([name, resource]) => {
    const fields = isObject(resource) && Array.isArray(resource["fields"]) ? resource["fields"] : [];
    return [name, { fields: fields.filter(isField) }] as const;
  });
  return {
    ...(typeof prefix === "string" && prefix.trim() !== "" ? { prefix } : {}),
    ...(added.length === 0 ? {} : { add: Object.fromEntries(added) }),
  };
}

function isField(field: unknown): field is ResourceField {
  return isObject(field) && typeof field["id"] === "string" && typeof field["title"] === "string";
}
