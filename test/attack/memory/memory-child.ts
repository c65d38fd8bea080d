import { compile } from "@configc/compiler";
import { credentialsInMemory, nodeEffects, processMemory, SharedMemory } from "@configc/host";
import { createRuntime, type RunError } from "@configc/runtime";

/** What a child is asked to do: run a command against a server, several times at once, each for another customer. */
export interface Asked {
  readonly origin: string;
  readonly parallel: number;
  /** ms of one exchange. */
  readonly requestTime: number;
  readonly command: object;
  readonly pagination: boolean;
  /** What follows the request in its pipe. */
  readonly steps: readonly object[];
}

/** What came of it. */
export interface Told {
  /** `done`, or the kind of the error, of each run. */
  readonly ends: readonly string[];
  /** Small runs of another customer meanwhile: how many, and how many of them failed. */
  readonly small: readonly [all: number, failed: number];
  /** Bytes that are still held, and owners that hold them, when all is over. */
  readonly left: readonly [bytes: number, owners: number];
}

async function endOf(run: Promise<unknown>): Promise<string> {
  return await run.then(
    () => "done",
    (error: RunError) => error.kind,
  );
}

async function main({ origin, parallel, requestTime, command, pagination, steps }: Asked): Promise<Told> {
  const pipeline = (path: string, more: object, behind: readonly object[]) => ({
    source: { "!pipe": [{ "!http": { path, ...more } }, ...behind] },
  });
  const { app } = compile(
    JSON.stringify({
      $version: "2",
      api: {
        base_url: origin,
        pagination: {
          style: { type: "cursor", cursor: { param: "cursor" } },
          parser: { next_result_token: { "!jq": ".next" } },
        },
      },
      workflows: [
        pipeline("/attack", { ...command, ...(pagination ? { pagination: true } : {}) }, steps),
        pipeline("/small", {}, [{ "!jq": "type" }]),
      ].map((data_pipeline, at) => ({
        name: `w${at}`,
        label: `w${at}`,
        type: "generic",
        setup: {},
        data_pipeline,
      })),
    }),
  );
  // Who waits here waits for the others that do the same.
  const memory = new SharedMemory({ total: processMemory().total, patience: 1_000 });
  const runtime = createRuntime(app, {
    ...nodeEffects({ allowPrivateNetwork: true }),
    memory,
    credentials: credentialsInMemory({}),
  });
  const run = (workflow: number, connection: string, limits: object): Promise<string> =>
    endOf(runtime.run(`/workflows/${workflow}/data_pipeline/source`, { input: null, connection, limits }));
  let isOver = false;
  const others = (async (): Promise<string[]> => {
    const ends: string[] = [];
    while (!isOver) {
      ends.push(await run(1, "other", {}));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return ends;
  })();
  const ends = await Promise.all(
    Array.from({ length: parallel }, (_, at) => run(0, `customer ${at}`, { requestTime, tries: 1 })),
  );
  isOver = true;
  const small = await others;
  return {
    ends,
    small: [small.length, small.filter((end) => end !== "done").length],
    left: [memory.held, memory.owners],
  };
}

const [given] = process.argv.slice(2);
if (given !== undefined) {
  process.stdout.write(JSON.stringify(await main(JSON.parse(given) as Asked)));
  // Connections that are kept open are nobody's concern any more.
  process.exit(0);
}
