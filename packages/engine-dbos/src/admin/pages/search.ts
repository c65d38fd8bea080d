import { columnText } from "../../store/text.ts";
import type { AdminContext } from "../context.ts";
import { address, installationPath } from "./parts.ts";

/** Where a search leads: to what has that id. @returns undefined: nothing has it */
export async function found({ database }: AdminContext, given: string): Promise<string | undefined> {
  const id = columnText(given.trim());
  const is = async (sql: string): Promise<boolean> => (await database.query(sql, [id])).length > 0;
  if (await is("SELECT 1 FROM configc.installations WHERE id = $1")) return installationPath(id);
  if (await is("SELECT 1 FROM configc.installations WHERE tenant = $1 LIMIT 1"))
    return address("customers", { customer: id });
  if (await is("SELECT 1 FROM configc.deliveries WHERE id = $1")) return `items/${encodeURIComponent(id)}`;
  if (await is("SELECT 1 FROM dbos.workflow_status WHERE workflow_uuid = $1"))
    return `runs/${encodeURIComponent(id)}`;
  return undefined;
}
