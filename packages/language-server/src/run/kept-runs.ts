import { writeJson } from "@configc/jq/internal";
import type { Json } from "@configc/runtime";
import { redactedValue } from "@configc/runtime/internal";
import type { CancellationToken } from "vscode-languageserver";
import { refusal } from "./environment.ts";
import { findText } from "./find.ts";
import { type KeptValues, placeAt, sliceOf } from "./kept-values.ts";
import type {
  RunFindParams,
  RunFindResult,
  RunRecordingParams,
  RunRecordingResult,
  RunTextParams,
  RunValueParams,
  RunValueResult,
} from "./protocol.ts";

const MOST_MATCHES = 1_000;
/** Members of a value that are given at once. */
const PORTION = 100;
/** UTF-16 units: no string can be longer. */
const LONGEST = 2 ** 29 - 24;

/** A run of which a client may ask for more than it was told. */
interface KeptRun {
  readonly values: KeptValues;
  /** Requests and answers, as a test file has them. */
  readonly http: () => RunRecordingResult["http"];
}

/** The last run of each document that was asked to be kept. */
export class KeptRuns {
  readonly #runs = new Map<string, { readonly id: number; readonly run: KeptRun }>();
  #last = 0;

  /** The run of the same document before it goes. @returns what it is asked for by */
  add(uri: string, run: KeptRun): number {
    const id = ++this.#last;
    this.#runs.set(uri, { id, run });
    return id;
  }

  forget(uri: string): void {
    this.#runs.delete(uri);
  }

  value({ from = 0, count = PORTION, ...params }: RunValueParams): RunValueResult {
    const { values } = this.#run(params);
    return sliceOf(this.#at(params), from, count, values.redact);
  }

  text(params: RunTextParams): { readonly text: string } {
    const { values } = this.#run(params);
    const most = Math.min(params.most ?? LONGEST, LONGEST);
    const safe = redactedValue(this.#at(params), values.redact) as Json;
    const pieces: string[] = [];
    let length = 0;
    const whole = writeJson(safe, { indent: "  " }, (piece) => {
      length += piece.length;
      pieces.push(piece);
      return length <= most;
    });
    if (!whole || length > most)
      throw refusal(`It is longer than ${most.toLocaleString("en")} characters, the most there is room for.`);
    return { text: pieces.join("") };
  }

  async find(params: RunFindParams, token: CancellationToken): Promise<RunFindResult> {
    const { redact } = this.#run(params).values;
    const { text } = params;
    if (text === "") return { matches: [], count: 0 };
    const isCancelled = (): boolean => token.isCancellationRequested;
    const found = await findText(this.#at(params), text, MOST_MATCHES, redact, isCancelled);
    if (found === undefined) throw refusal("The search was cancelled.");
    return found;
  }

  recording(params: RunRecordingParams): RunRecordingResult {
    const { values, http } = this.#run(params);
    const output = values.has({ part: "output" })
      ? { output: redactedValue(values.whole({ part: "output" }), values.redact) as Json }
      : {};
    return { ...output, http: http() };
  }

  #run({ textDocument, run }: RunRecordingParams): KeptRun {
    const kept = this.#runs.get(textDocument.uri);
    if (kept?.id !== run) throw refusal("This run is no longer kept. Run it again.");
    return kept.run;
  }

  #at({ pointer = "", step, exchange, part, ...params }: RunTextParams): unknown {
    const { values } = this.#run(params);
    let whole: unknown;
    try {
      whole = values.whole({
        part,
        ...(step === undefined ? {} : { step }),
        ...(exchange === undefined ? {} : { exchange }),
      });
    } catch (error) {
      throw refusal((error as Error).message);
    }
    const place = placeAt(whole, pointer, values.redact);
    if (place === undefined) throw refusal(`The value has nothing at \`${pointer}\`.`);
    return place.value;
  }
}
