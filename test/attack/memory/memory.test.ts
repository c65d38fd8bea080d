import { expect } from "vitest";
import { answer, attacks, bundled, HostileServer, runChild } from "../harness/index.ts";
import { always, type MemoryAttack, memoryAttacks } from "./cases.ts";
import type { Asked, Told } from "./memory-child.ts";

/** `ATTACK_LONG=1` tries all cases, with bodies of ten megabytes instead of one, and takes some minutes. */
const isLong = process.env["ATTACK_LONG"] !== undefined;
const SIZE = (isLong ? 10 : 1) * 1_000_000;
const PARALLEL = isLong ? 12 : 4;
/** MB of the heap of the process that is attacked. */
const HEAP = 256;
/** MB that a long run may have resident: what the process needs by itself, its heap, and as much again of buffers and of what the engine keeps for itself. */
const LONG_CEILING = 110 + 2 * HEAP;
/** With ten megabytes, what is right with one may be too much. */
const TOO_MUCH = isLong ? ["LimitError", "MemoryError"] : [];
/** ms that one case may take: ten megabytes in chunks of one byte are some minutes on a busy machine. */
const PATIENCE = isLong ? 300_000 : 60_000;
/** ms that a slow service takes. */
const SLOW = 500;

const child = bundled("test/attack/memory/memory-child.ts");

const cases = isLong
  ? memoryAttacks.map((each) => ({ ...each, ceiling: LONG_CEILING }))
  : memoryAttacks.filter(({ name }) => always.has(name));

attacks(
  "memory",
  cases,
  async ({
    name,
    moves,
    ends,
    requestTime,
    pagination = false,
    steps = [{ "!jq": "type" }],
  }: MemoryAttack) => {
    const made = pagination ? undefined : moves(SIZE);
    const server = await HostileServer.start(({ line }) =>
      line.includes("/small")
        ? answer('{"ok":true}')
        : line.includes("/slow")
          ? [{ pause: SLOW }, ...answer("1")]
          : (made ?? moves(SIZE)),
    );
    try {
      const asked: Asked = {
        origin: server.origin,
        parallel: PARALLEL,
        requestTime: requestTime ?? PATIENCE,
        command: {},
        pagination,
        steps,
      };
      const { code, stdout, stderr, peak } = await runChild(child, [JSON.stringify(asked)], {
        heap: HEAP,
        patience: PATIENCE,
      });
      expect([code, stderr]).toEqual([0, ""]);
      const told = JSON.parse(stdout) as Told;
      expect(told.ends).toHaveLength(PARALLEL);
      for (const end of told.ends) expect([...ends, ...TOO_MUCH]).toContain(end);
      // Others go on meanwhile, and nothing is left behind.
      expect([told.small[0] > 0, told.small[1]]).toEqual([true, 0]);
      expect(told.left).toEqual([0, 0]);
      if (process.env["ATTACK_FIGURES"] !== undefined)
        process.stdout.write(
          `${name}: ${Math.round(peak / 2 ** 20)} MB, ${[...new Set(told.ends)].join()}\n`,
        );
      return { peak };
    } finally {
      await server.close();
    }
  },
  PATIENCE + 10_000,
);
