import type {
  Connection,
  Installation,
  Member,
  Registration,
  SavedValues,
  TableName,
  Tables,
} from "@configc/runtime";

/**
 * To whom a row belongs (E47). A host says whose an installation or connection is when it makes them: by `customer`, or by opening the store for
 * that customer. All other rows belong to whom the row they hang on belongs.
 */
type Owner =
  /** That customer. */
  | { readonly customer: string }
  /** The customer for whom the store is open; to nobody in particular if it is open for all. */
  | "opener"
  /** All customers of the app share it: nobody's. */
  | "shared"
  /** Whose that row is. */
  | { readonly table: TableName; readonly id: string };

export function ownerOf<T extends TableName>(table: T, row: Tables[T]): Owner {
  switch (table) {
    case "saved":
      return ofScope((row as SavedValues).scope, ownerInId(row.id));
    case "registrations": {
      const { scope, owner } = row as Registration;
      return ofScope(scope, owner);
    }
    case "hooks":
      return { table: "registrations", id: (row as Tables["hooks"]).registration };
    case "polling":
    case "deliveries":
    case "members": {
      const { installation } = row as Partial<Member>;
      return installation === undefined ? "shared" : { table: "installations", id: installation };
    }
    case "installations": {
      const { connection, customer } = row as Installation;
      if (customer !== undefined) return { customer };
      return connection === undefined ? "opener" : { table: "connections", id: connection };
    }
    case "connections": {
      const { customer } = row as Connection;
      return customer === undefined ? "opener" : { customer };
    }
    default:
      throw new Error(`Nobody knows whose rows of ${table} are.`);
  }
}

function ofScope(scope: Registration["scope"], owner: string): Owner {
  if (scope === "application") return "shared";
  return { table: scope === "connection" ? "connections" : "installations", id: owner };
}

/** The second part of an id made by `idOf`. */
function ownerInId(id: string): string {
  return decodeURIComponent(id.slice(id.indexOf("/") + 1));
}
