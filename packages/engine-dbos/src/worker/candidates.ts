import { type Candidate, type Candidates, candidatesOf } from "@configc/host/internal";
import type { Store } from "@configc/runtime";
import type { Database } from "../postgres/database.ts";

/** Installations that are looked at by one statement. */
const PAGE = 2_000;

/**
 * Active installations of an app after a place in the order that aren't held, in one statement: a look at them must not take longer with each. States and items stay where they
 * are; rows are cast to `json`, which leaves alone what isn't asked for, not to `jsonb`, which refuses halves of surrogate pairs.
 */
export const candidatesStatement = `
  SELECT i.id, i.position, coalesce(i.tenant, i.by_connection, i.id) AS customer, i.by_workflow AS workflow, i.row::json #> '{settings,importOption}' AS "importOption",
    c.row::json -> 'broken' AS broken, p.records, d.waiting
  FROM configc.installations i
  LEFT JOIN configc.connections c ON c.id = i.row::json #>> '{settings,connection}'
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object('intake', r -> 'intake', 'phase', r -> 'phase', 'done', r -> 'done', 'startedAt', r -> 'startedAt',
      'waitUntil', r -> 'waitUntil', 'failures', r -> 'failures', 'at', r #> '{failure,at}')) AS records
    FROM (SELECT row::json AS r FROM configc.polling WHERE by_installation = i.id) AS polled
  ) p ON true
  LEFT JOIN LATERAL (
    SELECT json_build_object('receivedAt', w -> 'receivedAt', 'heldUntil', w -> 'heldUntil', 'attempts', w -> 'attempts', 'at', w #> '{failure,at}') AS waiting
    FROM (
      SELECT row::json AS w FROM configc.deliveries
      WHERE by_installation = i.id AND by_status = 'waiting' ORDER BY position LIMIT 1
    ) AS first
  ) d ON true
  WHERE i.by_app = $1 AND i.by_status = 'active' AND i.position > $2
    AND NOT EXISTS (SELECT FROM configc.holds h WHERE h.app = i.by_app AND h.installation = i.id)
  ORDER BY i.position LIMIT ${PAGE}`;

interface Found {
  readonly id: string;
  readonly position: string;
  readonly customer: string;
  readonly workflow: string;
  readonly importOption: "single" | "recurring" | null;
  readonly broken: string | null;
  readonly records: readonly Readonly<Record<string, unknown>>[] | null;
  readonly waiting: {
    readonly receivedAt: number;
    readonly heldUntil: number | null;
    readonly attempts: number;
    readonly at: number | null;
  } | null;
}

export function candidatesIn(database: Database, store: Store): Candidates {
  const oneByOne = candidatesOf(store);
  return async function* (app) {
    let rows: readonly Found[];
    let after = "0";
    do {
      try {
        rows = await database.query<Found>(candidatesStatement, [app, after]);
      } catch {
        // JSON that is too deep for Postgres, in a single row: the others are looked after all the same.
        return yield* oneByOne(app);
      }
      yield rows.map(candidateOf);
      after = rows.at(-1)?.position ?? "";
    } while (rows.length === PAGE);
  };
}

function candidateOf({ id, customer, workflow, importOption, broken, records, waiting }: Found): Candidate {
  return {
    customer,
    installation: {
      id,
      workflow,
      settings: { customData: {}, ...(importOption === null ? {} : { importOption }) },
    },
    connection: broken === null ? undefined : { broken },
    // As the store has written them.
    records: (records ?? []).map(({ at, startedAt, waitUntil, ...record }) => ({
      ...record,
      ...(typeof startedAt === "number" ? { startedAt } : {}),
      ...(typeof waitUntil === "number" ? { waitUntil } : {}),
      ...failedAt(at),
    })) as unknown as Candidate["records"],
    waiting: waiting === null ? undefined : waitingOf(waiting),
  };
}

function waitingOf({ receivedAt, attempts, heldUntil, at }: NonNullable<Found["waiting"]>) {
  return { receivedAt, attempts, ...(heldUntil === null ? {} : { heldUntil }), ...failedAt(at) };
}

/** Only when something failed counts here, not why. */
function failedAt(at: unknown): {
  readonly failure?: {
    readonly kind: "Error";
    readonly message: string;
    readonly pointer: string;
    readonly at: number;
  };
} {
  return typeof at === "number" ? { failure: { kind: "Error", message: "", pointer: "", at } } : {};
}
