import type { HttpRequest, TableName, Tables } from "@configc/runtime";

/** What a service is in the middle of when it is ended, in the order in which a life comes to them. */
export const phases = [
  "token",
  "registration",
  "history",
  "page",
  "item",
  "webhook",
  "contact",
  "update",
  "removal",
] as const;

export type Phase = (typeof phases)[number];

/** Where in a phase: before a request is sent or a transaction committed, and right after, when nobody in the process knows of it yet. */
export type Point = "unsent" | "answered" | "unkept" | "kept" | "unwritten" | "written";

/** Of a request to the third party of this test; undefined for what belongs to none. */
export function phaseOfRequest({ method, url }: HttpRequest): Phase | undefined {
  const { pathname, searchParams } = new URL(url);
  if (pathname === "/oauth/token") return "token";
  if (pathname.startsWith("/hooks"))
    return method === "POST" ? "registration" : method === "PUT" ? "update" : "removal";
  if (pathname === "/people-by-cursor") return searchParams.has("history") ? "history" : "page";
  return pathname.startsWith("/people") ? "contact" : undefined;
}

/** Of a row that a transaction writes. */
export function phaseOfRow<T extends TableName>(table: T, row: Tables[T]): Phase | undefined {
  switch (table) {
    case "connections":
      return "token";
    case "polling":
      return (row as Tables["polling"]).installation === "poll" ? "page" : "history";
    case "deliveries":
      return originPhases[(row as Tables["deliveries"]).origin];
    case "hooks": {
      const { state, updating } = row as Tables["hooks"];
      if (updating !== undefined) return "update";
      return state === "creating" || state === "active" ? "registration" : "removal";
    }
    case "installations":
      return statusPhases[(row as Tables["installations"]).status];
    default:
      return undefined;
  }
}

const originPhases = {
  polling: "item",
  historical: "history",
  webhook: "webhook",
  contact: "contact",
} as const;

const statusPhases: Partial<Record<Tables["installations"]["status"], Phase>> = {
  activating: "registration",
  active: "registration",
  updating: "update",
  removing: "removal",
  removed: "removal",
};

/** Of an item that is written to the platform, by its key. */
export function phaseOfKey(key: string): Phase {
  if (key.startsWith("poll/")) return "item";
  return key.startsWith("hook/") ? "history" : "webhook";
}
