import type { ResourceSettings } from "@configc/compiler";
import { type Json, type JsonObject, type Platform, RunError } from "@configc/runtime";
import { type Item, type Items, itemsInMemory } from "./items.ts";
import { type PlatformField, type PlatformResource, platformResources, prefixOf } from "./resources.ts";

/** What a platform of this machine has: items and resources. */
export interface PlatformOptions {
  /** Default: in memory. */
  readonly items?: Items;
  /** As in the settings file: the prefix, and further resources. */
  readonly resources?: ResourceSettings;
}

/**
 * The embedded platform (D25): contacts and the extended resources, for tests, for `configc dev` and for hosts that have no
 * platform of their own.
 */
export function embeddedPlatform({ items = itemsInMemory(), resources }: PlatformOptions = {}): Platform {
  const prefix = prefixOf(resources);
  const known = new Map(platformResources(resources).map((resource) => [prefix + resource.name, resource]));
  const byGroup = new Map([...known.values()].map((resource) => [groupOf(resource), resource]));

  function resourceOf(name: string): PlatformResource {
    const resource = known.get(name);
    if (resource !== undefined) return resource;
    throw new RunError(
      "NotSupported",
      `The platform has no \`${name}\`. It has ${[...known.keys()].join(", ")}. \`resources\` in the settings file adds more.`,
      undefined,
    );
  }

  return {
    async fields(name) {
      if (name === prefix) return [...byGroup].flatMap(([group, { fields }]) => fieldsOf(group, fields));
      return resourceOf(name).fields.map((field) => ({ ...field }));
    },
    upsert: async (name, item, { key }) => itemWrite(items, resourceOf(name), item, key)(),
    async sync(name, action, data, _signal, key) {
      if (action !== "sync")
        throw new RunError(
          "NotSupported",
          `\`${name}\` can do nothing called \`${action}\`; it can \`sync\`.`,
          undefined,
        );
      if (name !== prefix) return itemWrite(items, resourceOf(name), objectOf(data, name), key)();
      return syncAll(items, byGroup, objectOf(data, name), key);
    },
  };
}

/** Where all resources can be mapped, a customer may want contacts alone: what another one needs must not be asked of everybody. */
function fieldsOf(group: string, fields: readonly PlatformField[]): Json[] {
  return fields.map(({ required, ...field }) => ({
    ...field,
    ...(required === true && group === "contact" ? { required } : {}),
    group,
  }));
}

/** `PlatformContact` is written `contact` where fields of several resources stand together. */
function groupOf({ name }: PlatformResource): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** A write that is understood and not made yet. */
type Prepared = () => Json;

/** Writes all that is there: `{contact: {…}, deal: {…} or […], customObjects: [{schemaId, externalId, …}]}`. */
function syncAll(
  items: Items,
  byGroup: ReadonlyMap<string, PlatformResource>,
  data: JsonObject,
  delivery: string | undefined,
): Json {
  const tags = data["_tags"];
  const writes = Object.entries(data).flatMap(([group, value]): [string, Prepared][] => {
    if (group === "_tags") return [];
    if (group === "customObjects")
      return [[group, many(value, group, delivery, (item, key) => customWrite(items, item, key))]];
    const resource = byGroup.get(group);
    if (resource === undefined) {
      const accepted = [...byGroup.keys(), "customObjects"].join(", ");
      throw new RunError(
        "DataError",
        `\`${group}\` is nothing that the platform keeps. Members may be ${accepted}.`,
        undefined,
      );
    }
    const tagged = group === "contact" && tags !== undefined ? { _tags: tags } : {};
    const write = (item: JsonObject, key: string | undefined): Prepared =>
      itemWrite(items, resource, { ...tagged, ...item }, key);
    return [[group, many(value, group, delivery, write)]];
  });
  // Everything is understood before anything is written.
  const written = Object.fromEntries(writes.map(([group, write]) => [group, write()]));
  return { ...idsOf(items, written, data["customObjects"], delivery), ...written };
}

/**
 * D46: the ids of what was written, besides what was written: of single items, of the contact's place in the account, and the
 * external ids of custom objects.
 */
function idsOf(
  items: Items,
  written: JsonObject,
  customObjects: Json | undefined,
  delivery: string | undefined,
): JsonObject {
  const ids: Record<string, Json> = {};
  for (const [group, result] of Object.entries(written)) {
    const id =
      typeof result === "object" && result !== null && `${group}_id` in result
        ? result[`${group}_id` as never]
        : undefined;
    if (id !== undefined) ids[`${group}_id`] = id;
  }
  const { contact_id: contact, account_id: account } = ids;
  if (contact !== undefined && account !== undefined) {
    const target = { resource: "AccountContact", id: "account_contact_id", key: `${account}/${contact}` };
    const key = delivery === undefined ? undefined : `${delivery}/account_contact`;
    const link = put(items, target, { account_id: account, contact_id: contact }, key)() as JsonObject;
    ids["account_contact_id"] = link["account_contact_id"] as Json;
  }
  if (customObjects !== undefined) {
    const list = (Array.isArray(customObjects) ? customObjects : [customObjects]) as readonly JsonObject[];
    ids["external_ids"] = list.map(({ externalId }) => externalId as Json);
  }
  return ids;
}

/** One item or several, each under a key of its own. */
function many(
  value: Json,
  name: string,
  delivery: string | undefined,
  prepare: (item: JsonObject, delivery: string | undefined) => Prepared,
): Prepared {
  const prepared = (item: Json, index: number): Prepared =>
    prepare(objectOf(item, name), delivery === undefined ? undefined : `${delivery}/${name}/${index}`);
  if (!Array.isArray(value)) return prepared(value, 0);
  const writes = (value as readonly Json[]).map(prepared);
  return () => writes.map((write) => write());
}

function objectOf(value: Json, name: string): JsonObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new RunError("DataError", `\`${name}\` is written from an object of its fields.`, undefined);
}

function customWrite(items: Items, item: JsonObject, delivery: string | undefined): Prepared {
  const { schemaId, externalId } = item as { readonly schemaId?: Json; readonly externalId?: Json };
  if (typeof schemaId !== "string" || (typeof externalId !== "string" && typeof externalId !== "number"))
    throw new RunError("DataError", "A custom object needs a `schemaId` and an `externalId`.", undefined);
  const target = { resource: `custom ${schemaId}`, id: "object_id", key: `${externalId}` };
  return put(items, target, item, delivery);
}

function itemWrite(
  items: Items,
  resource: PlatformResource,
  item: JsonObject,
  delivery: string | undefined,
): Prepared {
  const target = { resource: resource.name, id: `${groupOf(resource)}_id`, key: keyOf(resource, item) };
  return put(items, target, item, delivery);
}

/** A contact is found by its email, case aside; others have an `id` of the third party, or are new. */
function keyOf({ name }: PlatformResource, item: JsonObject): string | undefined {
  if (name !== "Contact") {
    const id = item["id"];
    return typeof id === "string" || typeof id === "number" ? `${id}` : undefined;
  }
  const email = item["email"];
  if (typeof email !== "string" || email.trim() === "")
    throw new RunError("DataError", "A contact needs an `email`, by which it is found.", undefined);
  return email.trim().toLowerCase();
}

interface Target {
  readonly resource: string;
  /** Name of the id in the result. */
  readonly id: string;
  readonly key: string | undefined;
}

/** `null` clears a field, an absent key leaves it; tags are added (D25). */
function put(
  items: Items,
  { resource, id, key }: Target,
  given: JsonObject,
  delivery: string | undefined,
): Prepared {
  const { _tags, ...changes } = given as Record<string, Json>;
  const added = tagsOf(_tags);
  return () => {
    const before = delivery === undefined ? undefined : items.delivered(delivery);
    if (before !== undefined) return before;
    const old = key === undefined ? undefined : items.find(resource, key);
    const fields: JsonObject = { ...old?.fields, ...changes };
    const item: Item = {
      id: old?.id ?? items.nextId(resource),
      fields: Object.values(changes).includes(null)
        ? Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
        : fields,
      tags: [...new Set([...(old?.tags ?? []), ...added])],
    };
    const result: Json = {
      [id]: item.id,
      ...item.fields,
      ...(item.tags.length === 0 ? {} : { _tags: [...item.tags] }),
    };
    items.write({ resource, key, item, delivery, result });
    return result;
  };
}

function tagsOf(value: Json | undefined): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((tag) => typeof tag === "string")) return value as string[];
  throw new RunError("DataError", "`_tags` must be an array of strings.", undefined);
}
