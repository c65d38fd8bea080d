import { createTracer } from "@configc/runtime";
import { MASK } from "@configc/runtime/internal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Encoding, encodings, lossy } from "./encodings.ts";

function redactorOf(...secrets: string[]) {
  const tracer = createTracer({ now: () => 0, sleep: async () => undefined });
  for (const secret of secrets) tracer.secret(secret);
  return (text: string, longest?: number): string => tracer.redact(text, longest);
}

const secrets = {
  signs: `C4n@ry/p+ss "w'rd" & <ä>=1%?`,
  plain: "C4naryPassw0rd",
  short: "K9#q",
  unicode: "ключ-№7-😀",
};
const encodeBy = (chain: readonly Encoding[], text: string): string =>
  chain.reduce((encoded, { encode }) => encode(encoded), text);
const decodeBy = (chain: readonly Encoding[], text: string): string =>
  chain.reduceRight((encoded, { decode }) => decode(encoded), text);

describe.each(Object.entries(secrets))("D29 a secret: %s", (kind, secret) => {
  const redact = redactorOf(secret);
  // Across line breaks, and in lower case, so short a text is found by chance.
  const known = kind === "short" ? encodings.filter(({ name }) => name !== "in lines") : encodings;

  test.each(known)("as $name", ({ encode }) => {
    const text = encode(secret);
    const safe = redact(`{"a": <${text}>, "b": 1}`);
    expect(safe).toContain(MASK);
    expect(safe).toMatch(/^\{"a": <.*>, "b": 1\}$/s);
    // A user's name before it may stay.
    expect(safe.replace(/^.*<|>.*$/gs, "").replace(MASK, "").length).toBeLessThanOrEqual(text.length / 2);
  });

  test.each(lossy)("as $name", ({ encode }) => {
    expect(redact(`{"a": <${encode(secret)}>}`)).toBe(`{"a": <${MASK}>}`);
  });
});

const runs = { numRuns: Number(process.env["REDACTION_RUNS"] ?? 400) };
/** What may stand around a secret at any layer; no encoding takes its last character for a beginning of its own. */
const around = fc.string({ unit: fc.constantFrom(..."abcXYZ 0189.,;(){}[]|~ü€"), maxLength: 30 });
const secret = fc
  .string({ unit: fc.constantFrom(..."aZ09!$&/()?+*#-_.:,;<>|@^~[]{}'\"ßéж"), minLength: 10, maxLength: 40 })
  .map((text) => `Qx7${text}zW5`);
/** The soft breaks of a mail that is broken again can't be told from its text. */
const chain = fc.array(fc.constantFrom(...encodings), { minLength: 1, maxLength: 3 }).filter((layers) => {
  const names = layers.map(({ name }) => name);
  const mail = names.indexOf("quoted-printable");
  return mail < 0 || !names.slice(mail + 1).some((name) => /lines|printable/.test(name));
});

describe("D29 compositions of encodings", () => {
  test("nothing of a secret is left behind up to three of them", () => {
    fc.assert(
      fc.property(secret, chain, around, around, (text, layers, before, after) => {
        const safe = redactorOf(text)(`${before} ${encodeBy(layers, text)} ${after}`);
        const inner = safe.slice(before.length + 1, safe.length - after.length - 1);
        expect(safe.startsWith(before) && safe.endsWith(after)).toBe(true);
        expect(inner).toContain(MASK);
        expect(decodeBy(layers, inner.replaceAll(MASK, ""))).not.toContain(text.slice(0, 8));
      }),
      runs,
    );
  });

  test("nor where the text around it is encoded with it", () => {
    fc.assert(
      fc.property(secret, chain, around, around, (text, layers, before, after) => {
        const safe = redactorOf(text)(`<${encodeBy(layers, `${before} ${text} ${after}`)}>`);
        expect(safe).toContain(MASK);
        expect(decodeBy(layers, safe.slice(1, -1).replaceAll(MASK, ""))).not.toContain(text);
      }),
      runs,
    );
  });

  test("a text without it stays as it is, byte for byte", () => {
    const redact = redactorOf("Qx7-secret-zW5", "k3yb0ardcat", `p"a&s%s w/rd`);
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 300 }),
        fc.array(fc.constantFrom(...encodings), { maxLength: 3 }),
        (text, layers) => {
          const encoded = encodeBy(layers, text.replace(/\p{Surrogate}/gu, "?"));
          expect(redact(encoded)).toBe(encoded);
        },
      ),
      runs,
    );
  });

  test("a cut leaves no half of it", () => {
    fc.assert(
      fc.property(
        secret,
        fc.constantFrom(...encodings),
        around,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (text, layer, before, share) => {
          const encoded = layer.encode(text);
          const longest = before.length + 1 + Math.floor(encoded.length * share);
          const safe = redactorOf(text)(`${before} ${encoded} ${"-".repeat(encoded.length)}`, longest);
          const rest = layer.decode(safe.slice(before.length + 1).replaceAll(MASK, ""));
          expect(rest.includes(text.slice(0, 6))).toBe(false);
        },
      ),
      runs,
    );
  });
});
