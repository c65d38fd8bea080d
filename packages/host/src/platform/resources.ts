import { language, type ResourceSettings } from "@configc/compiler";

/** A field that people can map to. */
export interface PlatformField {
  readonly id: string;
  readonly title: string;
  readonly required?: boolean;
}

/** A kind of item that the platform keeps. */
export interface PlatformResource {
  /** Without the prefix: `Contact`. Its group and the first part of its id's name are this in small letters. */
  readonly name: string;
  readonly fields: readonly PlatformField[];
}

/** What the embedded platform knows of companies and sales; D25 leaves it to each platform. */
const extended: Readonly<Record<string, readonly PlatformField[]>> = {
  Account: [
    { id: "name", title: "Name", required: true },
    { id: "url", title: "Website" },
    { id: "phone", title: "Phone" },
  ],
  Deal: [
    { id: "title", title: "Title", required: true },
    { id: "value", title: "Value" },
    { id: "currency", title: "Currency" },
    { id: "status", title: "Status" },
  ],
};

/** The standard resources and those that the settings add (D25). */
export function platformResources({ add = {} }: ResourceSettings = {}): PlatformResource[] {
  const standard = language.resourceSpecs
    .filter(({ name }) => name !== "")
    .map(({ name, fields }) => ({ name, fields: fields.length > 0 ? fields : (extended[name] ?? []) }));
  const added = Object.entries(add).map(([name, { fields = [] }]) => ({ name, fields }));
  const names = new Set(added.map(({ name }) => name));
  return [...standard.filter(({ name }) => !names.has(name)), ...added];
}

export function prefixOf({ prefix = language.DEFAULT_PREFIX }: ResourceSettings = {}): string {
  return prefix;
}
