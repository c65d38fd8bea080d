import type { Sample } from "@configc/compiler";
import { readApiDocument, readWhole } from "@configc/language-server/samples";
import {
  type ApiDescription,
  DescriptionError,
  fromCurl,
  fromHar,
  fromOpenApi,
  fromTraffic,
} from "@configc/scaffold";
import { UsageError } from "../command-line/usage-error.ts";
import { reasonOf } from "../files/failure.ts";

/** What a file told of an API. */
export interface ReadDescription {
  readonly description: ApiDescription;
  /** Whether the file can go on describing the API, as an OpenAPI document does. */
  readonly isDocument: boolean;
  /** Answers that it holds, as they were: to be masked before they are kept. */
  readonly answers: readonly Sample[];
}

const KINDS =
  "What describes an API is an OpenAPI or Swagger document (JSON or YAML), a HAR file, or a file of cURL commands";

/**
 * Reads what describes an API, and tells by its content what it is.
 *
 * @throws UsageError if the file can't be read, or is none of these
 */
export async function readDescription(path: string): Promise<ReadDescription> {
  try {
    const text = readWhole(path).toString("utf8");
    const document = jsonOf(text);
    if (isHar(document)) {
      const exchanges = fromHar(document);
      const answers = exchanges.flatMap(({ method, url, answer, source }) =>
        answer === undefined ? [] : [{ name: source, method, url, status: 200, body: answer }],
      );
      return { description: fromTraffic(exchanges), isDocument: false, answers };
    }
    if (document === undefined && /^[ \t]*(?:\$ +)?(?:[\w./-]*\/)?curl\s/m.test(text))
      return { description: fromTraffic(fromCurl(text)), isDocument: false, answers: [] };
    return { description: fromOpenApi(await parsedDocument(path)), isDocument: true, answers: [] };
  } catch (error) {
    const reason = error instanceof DescriptionError ? error.message : `${reasonOf(error)}.`;
    throw new UsageError(`${path} can't be used: ${reason} ${KINDS}.`, "init");
  }
}

/** @throws DescriptionError in our words: the parser's speak of JSON Schema, and name the file by its whole path */
async function parsedDocument(path: string): Promise<unknown> {
  try {
    return await readApiDocument(path);
  } catch {
    throw new DescriptionError("It isn't a document in JSON or YAML.");
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isHar(document: unknown): boolean {
  const log = (document as { readonly log?: { readonly entries?: unknown } } | null | undefined)?.log;
  return Array.isArray(log?.entries);
}
