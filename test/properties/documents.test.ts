import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases } from "../support/cases.ts";
import { editedDocument, sparkText } from "./arbitraries.ts";
import { checkInvariants } from "./invariants.ts";

/** No input makes the compiler throw, hang or point outside the document. */

const uris = fc.constantFrom("a.app.json", "a.app.jsonc");

/** Samples that no document here has a use for. */
const strangers = {
  responses: [{ name: "get-me.json", method: "GET", url: "/v1/me", status: 200, body: { id: 0 } }],
  payloads: [{ name: "sent.json", webhook: "nobody", payload: { id: 0 } }],
  own: ["get-me.json", "sent.json"],
};

describe("any text is compiled", () => {
  test("bytes", () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 400 }),
        uris,
        (bytes, uri) => void checkInvariants(bytes, uri, strangers),
      ),
      {
        numRuns: cases(300),
      },
    );
  });

  test("strings, lone surrogates among them", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 200 }),
        uris,
        (text, uri) => void checkInvariants(text, uri, strangers),
      ),
      {
        numRuns: cases(300),
      },
    );
  });

  test("strings of the language's own pieces", () => {
    fc.assert(
      fc.property(sparkText, uris, (text, uri) => void checkInvariants(text, uri, strangers)),
      { numRuns: cases(500) },
    );
  });

  test("JSON values", () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6 }),
        (value) => void checkInvariants(JSON.stringify(value), "a.app.json", strangers),
      ),
      {
        numRuns: cases(300),
      },
    );
  });

  test("valid documents after edits that know nothing of their structure", () => {
    fc.assert(
      fc.property(editedDocument, uris, (text, uri) => void checkInvariants(text, uri, strangers)),
      { numRuns: cases(500) },
    );
  });

  test("valid documents as bytes with some of them changed", () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(editedDocument, changes, (text, bytes) => {
        const source = new TextEncoder().encode(text);
        for (const [at, byte] of bytes) if (source.length > 0) source[at % source.length] = byte;
        checkInvariants(source, "a.app.json");
      }),
      { numRuns: cases(100) },
    );
  });
});

describe("embedded text", () => {
  const programs = fc.oneof(sparkText, fc.string({ unit: "binary", maxLength: 80 }));
  const document = (jq: string, path: string): string =>
    JSON.stringify({
      $version: "2",
      auth: { a: { type: "token" } },
      api: { base_url: path },
      data_intake: [
        { type: "polling", name: "n", request: { "!pipe": [{ "!http": { path } }, { "!jq": jq }] } },
      ],
      workflows: [
        {
          name: "w",
          type: "automations",
          auth: "a",
          data_pipeline: { source: { "!jq": jq }, target: { "!http": { path, body: { [path]: path } } } },
        },
      ],
    });

  test("any jq program and any template", () => {
    fc.assert(
      fc.property(programs, programs, (jq, path) => void checkInvariants(document(jq, path), "a.app.json")),
      {
        numRuns: cases(500),
      },
    );
  });
});

describe("compiling is a function of the text", () => {
  test("twice the same diagnostics", () => {
    fc.assert(
      fc.property(editedDocument, (text) => {
        expect(checkInvariants(text, "a.app.json")).toEqual(checkInvariants(text, "a.app.json"));
      }),
      { numRuns: cases(50) },
    );
  });
});
