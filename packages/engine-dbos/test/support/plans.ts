import type pg from "pg";

interface Node {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
  readonly Plans?: readonly Node[];
}

/** How the database did a statement. */
export interface Done {
  /** Tables that were read from one end to the other. */
  readonly scanned: readonly string[];
  readonly indexes: readonly string[];
  /** Rows that were looked at, of tables and indexes, those that weren't wanted too. */
  readonly rows: number;
  /** Pages of 8 kB. */
  readonly pages: number;
}

/**
 * Does a statement, and takes it back.
 *
 * @param generic as a prepared statement is done whose values weren't looked at
 */
export async function explained(
  client: pg.Client,
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
  generic: boolean,
): Promise<Done> {
  await client.query(`BEGIN; SET LOCAL plan_cache_mode = force_${generic ? "generic" : "custom"}_plan`);
  try {
    const { rows } = await client.query<{ "QUERY PLAN": readonly { readonly Plan: Node }[] }>(
      `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${text}`,
      [...values],
    );
    const top = rows[0]?.["QUERY PLAN"][0]?.Plan;
    if (top === undefined) throw new Error("There is no plan.");
    const nodes = [top];
    for (const node of nodes) nodes.push(...(node.Plans ?? []));
    const scans = nodes.filter((node) => node["Node Type"].includes("Scan"));
    return {
      scanned: scans
        .filter((node) => node["Node Type"] === "Seq Scan")
        .map((node) => node["Relation Name"] ?? ""),
      indexes: scans.flatMap((node) => node["Index Name"] ?? []),
      rows: scans.reduce((sum, node) => sum + seen(node), 0),
      pages: top["Shared Hit Blocks"] + top["Shared Read Blocks"],
    };
  } finally {
    await client.query("ROLLBACK");
  }
}

function seen(node: Node): number {
  const removed = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  return (node["Actual Rows"] + removed) * node["Actual Loops"];
}
