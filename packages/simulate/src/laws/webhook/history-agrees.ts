import type { WebhookLaw } from "./law.ts";

/** The import and the webhook bring the same record: what is written of it has the same fields. */
export const historyAgrees: WebhookLaw = {
  name: "history-agrees",
  summary: "A record that is imported and one that comes by webhook become items with the same fields.",
  broken(log, { history }) {
    if (history === undefined || log.world.gaps) return undefined;
    const origins = new Map(log.kept.map(({ id, origin }) => [id, origin]));
    // A key may be that of the item with the number of the write behind it.
    const originOf = (key = ""): string | undefined =>
      origins.get(key) ?? origins.get(key.replace(/\/\w+$/, ""));
    const fieldsBy = (origin: string): ReadonlySet<string> =>
      new Set(log.writes.filter(({ key }) => originOf(key) === origin).flatMap(({ item }) => fieldsIn(item)));
    const imported = fieldsBy("historical");
    const called = fieldsBy("webhook");
    if (imported.size === 0 || called.size === 0) return undefined;
    const missing = [...called].filter((field) => !imported.has(field));
    const more = [...imported].filter((field) => !called.has(field));
    if (missing.length === 0 && more.length === 0) return undefined;
    const told = (fields: readonly string[]): string => fields.map((field) => `\`${field}\``).join(", ");
    return {
      message:
        missing.length > 0
          ? `Items of the import have no ${told(missing)}, which those of the webhook have.`
          : `Items of the webhook have no ${told(more)}, which those of the import have.`,
      records: [],
      cycles: [],
      pointer: history.intake.commands["request"] ?? history.intake.pointer,
    };
  },
};

function fieldsIn(item: unknown): readonly string[] {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return [];
  return Object.entries(item).flatMap(([name, value]) => {
    if (value === null || value === "") return [];
    const inner = fieldsIn(value);
    return inner.length === 0 ? [name] : inner.map((each) => `${name}.${each}`);
  });
}
