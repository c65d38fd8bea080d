import type { Routes, ThirdParty } from "../../api/third-party.ts";
import type { Access } from "./access.ts";
import { HookService } from "./hook-service.ts";
import { ListService } from "./list-service.ts";

export interface HistoryOptions {
  readonly host: string;
  readonly access: Access;
}

const PREFIX = "/v1";

/** A service with a list of those who are there, and calls about those who come: of another shape. */
export class HistoryService implements ThirdParty {
  readonly guard;
  readonly once = /^POST /;
  readonly hosts: Readonly<Record<string, Routes>>;
  readonly list: ListService;
  readonly hooks: HookService;

  constructor({ host, access }: HistoryOptions, now: () => number) {
    const own = { host, access, prefix: PREFIX };
    this.guard = access.guard;
    this.list = new ListService({ ...own, paging: "next-url", items: "results", sparse: true }, now);
    this.hooks = new HookService({ ...own, signature: "hex" }, now);
    this.hosts = { [host]: { ...this.list.hosts[host], ...this.hooks.hosts[host] } };
  }

  get document(): object {
    const list = this.list.document as Described;
    const hooks = this.hooks.document as Described;
    return {
      ...hooks,
      info: {
        ...hooks.info,
        title: "People",
        description: `${list.info.description} ${hooks.info.description}`,
      },
      paths: { ...withTypes(list.paths), ...hooks.paths },
    };
  }
}

/** What may be null as OpenAPI 3.1 says it. */
function withTypes(paths: object): object {
  return JSON.parse(
    JSON.stringify(paths, (_, value: unknown) => {
      const { nullable, type, ...rest } = (value ?? {}) as Record<string, unknown>;
      return nullable === true ? { type: [type, "null"], ...rest } : value;
    }),
  );
}

interface Described {
  readonly info: { readonly description: string };
  readonly paths: object;
}
