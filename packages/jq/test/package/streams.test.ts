import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../../../../test/support/cases.ts";
import { compile, type JqError, type Json, parseInputs, printExact } from "../../src/index.ts";
import { filterStream, jsonReader, jsonWriter, outputs, outputsOfArriving } from "../../src/run.ts";

/** A stream of chunks that are made when they are asked for. */
function streamOf<Chunk>(chunks: Iterable<Chunk>, onCancel: () => void = () => {}): ReadableStream<Chunk> {
  const iterator = chunks[Symbol.iterator]();
  return new ReadableStream<Chunk>(
    {
      pull(controller) {
        const next = iterator.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: onCancel,
    },
    { highWaterMark: 0 },
  );
}

async function all<Chunk>(stream: ReadableStream<Chunk>): Promise<readonly Chunk[]> {
  const chunks: Chunk[] = [];
  for await (const chunk of stream as unknown as AsyncIterable<Chunk>) chunks.push(chunk);
  return chunks;
}

function cut<Part extends string | Uint8Array>(whole: Part, at: readonly number[]): Part[] {
  const places = [
    0,
    ...[...new Set(at.map((place) => place % (whole.length + 1)))].sort((a, b) => a - b),
    whole.length,
  ];
  return places.slice(1).map((end, index) => whole.slice(places[index], end) as Part);
}

describe("jsonReader", () => {
  const documents = fc
    .array(fc.tuple(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom("\n", " ", "\r\n", "\n\n")), {
      maxLength: 6,
    })
    .map((values) => values.map(([value, blank]) => JSON.stringify(value) + blank).join(""));

  test("reads what parseInputs reads, wherever text or bytes are cut", async () => {
    await fc.assert(
      fc.asyncProperty(documents, fc.array(fc.nat(), { maxLength: 12 }), async (text, places) => {
        const expected = [...parseInputs(text)].map(printExact);
        const read = async (chunks: Iterable<string | Uint8Array>) =>
          (await all(streamOf(chunks).pipeThrough(jsonReader({ exact: true })))).map(printExact);
        expect(await read(cut(text, places))).toEqual(expected);
        expect(await read(cut(new TextEncoder().encode(text), places))).toEqual(expected);
      }),
      { numRuns: cases(150) },
    );
  });

  test.each([
    ['{"a":1}{"a":2}[3]"x"4', ['{"a":1}', '{"a":2}', "[3]", '"x"', "4"]],
    ["\ufeff1 2", ["1", "2"]],
    ['"a\\"b{" [1,\n2]\n', ['"a\\"b{"', "[1,2]"]],
    ["nan 007", ["null", "7"]],
    ["", []],
  ])("reads %j character by character", async (text, expected) => {
    const values = await all(streamOf(text).pipeThrough(jsonReader()));
    expect(values.map(printExact)).toEqual(expected);
  });

  test.each(['1\n{"a" 2}', "[1,\n2", '1\n"abc', "1 ]", "\n\ntru\n", '{"a":1}\n{"a":x}\n'])(
    "fails on %j as parseInputs does, after the values before",
    async (text) => {
      const given: Json[] = [];
      const wanted: Json[] = [];
      let message = "";
      try {
        for (const value of parseInputs(text)) wanted.push(value);
      } catch (error) {
        ({ message } = error as Error);
      }
      const reading = async () => {
        const writer = new WritableStream<Json>({ write: (value) => void given.push(value) });
        await streamOf(text).pipeThrough(jsonReader()).pipeTo(writer);
      };
      await expect(reading()).rejects.toThrow(message);
      expect(given).toEqual(wanted);
    },
  );
});

describe("a program in a stream", () => {
  const { filter } = compile(".a[]");
  const lines = function* (count: number, seen: { made: number }) {
    for (; seen.made < count; seen.made++) yield `{"a":[${seen.made},"x"]}\n`;
  };

  test("gives NDJSON for NDJSON", async () => {
    const text = streamOf(lines(3, { made: 0 }))
      .pipeThrough(jsonReader())
      .pipeThrough(filterStream(filter!))
      .pipeThrough(jsonWriter());
    expect((await all(text)).join("")).toBe('0\n"x"\n1\n"x"\n2\n"x"\n');
  });

  test("reads no more than is taken, and tells its source when nobody reads any more", async () => {
    const seen = { made: 0 };
    let isCancelled = false;
    const source = streamOf(lines(1_000_000, seen), () => {
      isCancelled = true;
    });
    const reader = source.pipeThrough(jsonReader()).pipeThrough(filterStream(filter!)).getReader();
    expect((await reader.read()).value).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(seen.made).toBeLessThan(10);
    await reader.cancel();
    // Each pipe tells the one before.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isCancelled).toBe(true);
  });

  test("fails with the first input that fails, after the outputs before", async () => {
    const reader = streamOf<Json>([{ a: [1] }, { a: [2] }, 3])
      .pipeThrough(filterStream(filter!))
      .getReader();
    expect([(await reader.read()).value, (await reader.read()).value]).toEqual([1, 2]);
    await expect(reader.read()).rejects.toMatchObject({
      kind: "error",
      message: 'Cannot index number with string ("a")',
    });
  });

  test("goes on behind an input that fails", async () => {
    const failed: [string, Json][] = [];
    const onFailure = (error: JqError, input: Json) => failed.push([error.message, input]);
    const values = streamOf<Json>([{ a: [1] }, 3, { a: [2] }]).pipeThrough(
      filterStream(filter!, { onFailure }),
    );
    expect(await all(values)).toEqual([1, 2]);
    expect(failed).toEqual([['Cannot index number with string ("a")', 3]]);
  });
});

describe("outputs of many inputs", () => {
  const { filter } = compile('., (if . == 2 then error("two") else empty end)');

  test("come one input at a time", () => {
    const taken: number[] = [];
    const inputs = (function* () {
      for (let input = 1; ; input++) {
        taken.push(input);
        yield input;
      }
    })();
    const values = outputs(filter!, inputs);
    expect(values.next().value).toBe(1);
    expect(taken).toEqual([1]);
    expect(values.next().value).toBe(2);
    expect(() => values.next()).toThrow("two");
  });

  test("of inputs that arrive over time", async () => {
    const inputs = (async function* () {
      for (const input of [1, 2, 3]) yield await Promise.resolve(input);
    })();
    const values: Json[] = [];
    for await (const value of outputsOfArriving(filter!, inputs, { onFailure: () => {} })) values.push(value);
    expect(values).toEqual([1, 2, 3]);
  });
});
