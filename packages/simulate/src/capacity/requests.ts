import type { App, CommandId } from "@configc/compiler";
import { readMethods } from "@configc/runtime/internal";

/** Requests to the app's API: those that read count against another quota than those that write (D21). */
export interface Requests {
  readonly read: number;
  readonly write: number;
}

export const none: Requests = { read: 0, write: 0 };

export function kindOf(method: string): keyof Requests {
  return readMethods.has(method.toUpperCase()) ? "read" : "write";
}

export function sum(all: readonly Requests[]): Requests {
  return all.reduce((a, b) => ({ read: a.read + b.read, write: a.write + b.write }), none);
}

export function times({ read, write }: Requests, factor: number): Requests {
  return { read: read * factor, write: write * factor };
}

export function totalOf({ read, write }: Requests): number {
  return read + write;
}

/**
 * The requests that a command sends at most, each list counted as one page: the steps of a pipe together, of a switch the case that
 * sends most. Requests to other targets have no part in the quotas of the API (D21).
 */
export function requestsOf(app: App, id: CommandId | undefined): Requests {
  const command = id === undefined || !Object.hasOwn(app.commands, id) ? undefined : app.commands[id];
  if (command === undefined) return none;
  const below = (command.children ?? []).map((child) => requestsOf(app, child ?? undefined));
  switch (command.key) {
    case "!pipe":
      return sum(below);
    case "!switch":
      return below.reduce((most, each) => (totalOf(each) > totalOf(most) ? each : most), none);
    case "!http": {
      const { argument } = command;
      const literal = (name: string): unknown => {
        const value =
          argument !== undefined && "members" in argument
            ? argument.members.find(({ key }) => key.length === 1 && key[0] === name)?.value
            : undefined;
        const whole =
          argument !== undefined && "literal" in argument
            ? (argument.literal as Record<string, unknown> | null)?.[name]
            : undefined;
        return value !== undefined && "literal" in value ? value.literal : whole;
      };
      const target = literal("target") ?? "connection";
      if (target !== "connection") return none;
      const method = literal("method");
      return { ...none, [kindOf(typeof method === "string" ? method : "GET")]: 1 };
    }
    default:
      return none;
  }
}
