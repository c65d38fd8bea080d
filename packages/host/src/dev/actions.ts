import { type Json, parseExact } from "@configc/runtime";
import { operate } from "../acts/index.ts";
import { setupAction } from "./setup-actions.ts";
import { PageError, type Site } from "./site.ts";

/**
 * What a button does.
 *
 * @param parts of the address
 * @returns where to go on
 */
export async function act(site: Site, parts: readonly string[], form: URLSearchParams): Promise<string> {
  const [place, id = "", action = "", inner = ""] = parts;
  if (place === "workflows" && action === "set-up") {
    const { id: made } = await site.runtime.installations.create(id);
    return `/installations/${made}/setup`;
  }
  if (place === "deliveries" && action === "retry") {
    const number = await site.runs.run("Try again", `/deliveries/${encodeURIComponent(id)}`, (trace) =>
      site.runtime.retry(id, { trace }),
    );
    return `/runs/${number}`;
  }
  if (place === "deliveries" && (action === "skip" || action === "purge")) {
    await operate(site.host, `${action}-items`, { target: { app: site.name, item: id } });
    return "/";
  }
  if (place !== "installations") throw new PageError(404, "There is no such page.");
  if (action === "setup") return await setupAction(site, id, inner, form);
  return await installationAction(site, id, action, form);
}

async function installationAction(
  { runtime, runs, host, name }: Site,
  id: string,
  action: string,
  form: URLSearchParams,
): Promise<string> {
  const path = `/installations/${id}`;
  switch (action) {
    case "activate":
      await runtime.activate(id);
      host.deliver(name, id);
      return path;
    case "pause":
      await runtime.pause(id);
      return path;
    case "refresh":
    case "disconnect":
      await operate(host, action, { target: { app: name, installation: id }, why: "by hand" });
      return path;
    case "remove":
      await runtime.remove(id);
      return "/";
    case "reset":
      await runtime.reset(id);
      return path;
    case "poll":
      return `/runs/${await runs.run("Poll", path, (trace) => runtime.poll(id, { trace }))}`;
    case "send": {
      const contact = contactOf(form.get("contact") ?? "");
      return `/runs/${await runs.run("Send a contact", path, (trace) => runtime.send(id, contact, { trace }))}`;
    }
    default:
      throw new PageError(404, "There is no such page.");
  }
}

function contactOf(text: string): Json {
  let value: Json;
  try {
    value = parseExact(text);
  } catch (error) {
    throw new PageError(400, `The contact isn't JSON: ${error instanceof Error ? error.message : error}.`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new PageError(400, "A contact is an object of its fields.");
  return value;
}
