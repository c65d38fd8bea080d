import type { Settings } from "@configc/compiler";
import type { Connection } from "vscode-languageserver";

const SECTION = "configc";

/** What the compiler is told about a document: the settings file that the host finds, then what the editor says. */
export class ServerSettings {
  private client: Partial<Settings> = {};
  private readonly ofFile: ((uri: string) => Partial<Settings>) | undefined;

  /** @param ofFile finds the settings file of a document; none where there are no files */
  constructor(ofFile: ((uri: string) => Partial<Settings>) | undefined) {
    this.ofFile = ofFile;
  }

  of(uri: string): Partial<Settings> {
    const file = this.ofFile?.(uri) ?? {};
    return { ...file, ...this.client, rules: { ...file.rules, ...this.client.rules } };
  }

  /** Asks the editor. A null answer means defaults, and so does one of another shape, or none. */
  async refresh(connection: Connection): Promise<void> {
    const answer: unknown = await connection.workspace.getConfiguration(SECTION).catch(() => null);
    this.client = isObject(answer) ? known(answer) : {};
  }

  /** What an editor says that can't be asked. */
  take(settings: unknown): void {
    const section = isObject(settings) ? settings[SECTION] : undefined;
    if (isObject(section)) this.client = known(section);
  }
}

function known(answer: Readonly<Record<string, unknown>>): Partial<Settings> {
  const { language, unknownMembers, rules, resources, origins } = answer;
  return {
    ...(language === "core" || language === "extended" ? { language } : {}),
    ...(unknownMembers === "error" || unknownMembers === "warning" ? { unknownMembers } : {}),
    ...(isObject(rules) ? { rules: levels(rules) } : {}),
    ...(isObject(resources) ? { resources: resources as Settings["resources"] } : {}),
    ...(Array.isArray(origins) ? { origins: origins.filter((each) => typeof each === "string") } : {}),
  };
}

function levels(rules: Readonly<Record<string, unknown>>): Settings["rules"] {
  const accepted = ["error", "warning", "info", "hint", "off"];
  const entries = Object.entries(rules).filter(([, level]) => accepted.includes(level as string));
  return Object.fromEntries(entries) as Settings["rules"];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
