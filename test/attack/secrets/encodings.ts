/** The ways in which a service may write a text that it was sent, each with the way back. */
export interface Encoding {
  readonly name: string;
  readonly encode: (text: string) => string;
  readonly decode: (text: string) => string;
}

const bytesOf = (text: string): Buffer => Buffer.from(text, "utf8");
const hexOf = (text: string): string[] =>
  [...bytesOf(text)].map((byte) => byte.toString(16).padStart(2, "0"));
const fromHex = (text: string): string =>
  Buffer.from(text.replace(/0x|[^0-9a-f]/gi, ""), "hex").toString("utf8");
const fromBase64 = (text: string): string => Buffer.from(text, "base64").toString("utf8");
const units = (text: string): number[] => Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
const points = (text: string): number[] => [...text].map((character) => character.codePointAt(0)!);
const wrapped = (text: string, width: number, end: string): string =>
  text.replace(new RegExp(`.{${width}}(?=.)`, "gsu"), `$&${end}`);

const signs: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "#": "&num;",
  $: "&dollar;",
  "%": "&percnt;",
  "+": "&plus;",
  "/": "&sol;",
  ":": "&colon;",
  "=": "&equals;",
  "?": "&quest;",
  "@": "&commat;",
  "!": "&excl;",
  ä: "&auml;",
};
const names = new Map(Object.entries(signs).map(([sign, name]) => [name, sign]));
const fromNames = (text: string): string => text.replace(/&[a-z]+;/g, (name) => names.get(name) ?? name);

function quotedPrintable(text: string): string {
  const escaped = [...bytesOf(text)]
    .map((byte) =>
      byte === 0x3d || byte < 0x20 || byte > 0x7e
        ? `=${byte.toString(16).toUpperCase().padStart(2, "0")}`
        : String.fromCharCode(byte),
    )
    .join("");
  return wrapped(escaped, 11, "=\r\n");
}

function fromQuotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function withoutFailing(decode: (text: string) => string): (text: string) => string {
  return (text) => {
    try {
      return decode(text);
    } catch {
      return text;
    }
  };
}

const percent = withoutFailing(decodeURIComponent);
const jsonText = withoutFailing((text) => JSON.parse(`"${text}"`) as string);
const numeric = (text: string): string =>
  text.replace(/&#(?:x([0-9a-f]+)|(\d+));/gi, (_, hex?: string, digits?: string) =>
    String.fromCodePoint(hex === undefined ? Number(digits) : Number.parseInt(hex, 16)),
  );

/** All of them can be undone, so any may follow any other. */
export const encodings: readonly Encoding[] = [
  { name: "JSON", encode: (text) => JSON.stringify(text).slice(1, -1), decode: jsonText },
  {
    name: "JSON, slashes escaped",
    encode: (text) => JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"),
    decode: jsonText,
  },
  {
    name: "JSON, every character as \\u",
    encode: (text) =>
      units(text)
        .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
        .join(""),
    decode: jsonText,
  },
  {
    name: "JSON, signs as \\u",
    encode: (text) =>
      units(text)
        .map((unit) =>
          /[\w -]/.test(String.fromCharCode(unit))
            ? String.fromCharCode(unit)
            : `\\u${unit.toString(16).toUpperCase().padStart(4, "0")}`,
        )
        .join(""),
    decode: jsonText,
  },
  {
    name: "JavaScript, bytes as \\x",
    encode: (text) =>
      hexOf(text)
        .map((hex) => `\\x${hex}`)
        .join(""),
    decode: (text) => fromHex(text.replaceAll("\\x", "")),
  },
  {
    name: "HTML, named entities",
    encode: (text) => [...text].map((sign) => signs[sign] ?? sign).join(""),
    decode: fromNames,
  },
  {
    name: "HTML, decimal entities",
    encode: (text) =>
      points(text)
        .map((point) => `&#${point};`)
        .join(""),
    decode: numeric,
  },
  {
    name: "HTML, hex entities",
    encode: (text) =>
      points(text)
        .map((point) => `&#x${point.toString(16)};`)
        .join(""),
    decode: numeric,
  },
  { name: "URL", encode: encodeURIComponent, decode: percent },
  {
    name: "URL, in small letters",
    encode: (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
    decode: percent,
  },
  {
    name: "form field",
    encode: (text) => new URLSearchParams([["", text]]).toString().slice(1),
    decode: (text) => new URLSearchParams(`=${text}`).get("") ?? "",
  },
  {
    name: "URL, every byte",
    encode: (text) =>
      hexOf(text)
        .map((hex) => `%${hex}`)
        .join(""),
    decode: percent,
  },
  {
    name: "URL, twice",
    encode: (text) => encodeURIComponent(encodeURIComponent(text)),
    decode: (text) => percent(percent(text)),
  },
  { name: "base64", encode: (text) => bytesOf(text).toString("base64"), decode: fromBase64 },
  { name: "base64 for URLs", encode: (text) => bytesOf(text).toString("base64url"), decode: fromBase64 },
  {
    name: "base64 of user and secret",
    encode: (text) => bytesOf(`user:${text}`).toString("base64"),
    decode: fromBase64,
  },
  {
    name: "base64, in lines",
    encode: (text) => wrapped(bytesOf(text).toString("base64"), 12, "\r\n"),
    decode: fromBase64,
  },
  {
    name: "base64, twice",
    encode: (text) => bytesOf(bytesOf(text).toString("base64")).toString("base64"),
    decode: (text) => fromBase64(fromBase64(text)),
  },
  { name: "hex", encode: (text) => hexOf(text).join(""), decode: fromHex },
  { name: "hex, in capitals", encode: (text) => hexOf(text).join("").toUpperCase(), decode: fromHex },
  { name: "hex with colons", encode: (text) => hexOf(text).join(":"), decode: fromHex },
  { name: "hex with spaces", encode: (text) => hexOf(text).join(" "), decode: fromHex },
  {
    name: "hex, a list",
    encode: (text) =>
      hexOf(text)
        .map((hex) => `0x${hex}`)
        .join(", "),
    decode: fromHex,
  },
  { name: "quoted-printable", encode: quotedPrintable, decode: fromQuotedPrintable },
  {
    name: "in lines",
    encode: (text) => wrapped(text, 5, "\n  "),
    decode: (text) => text.replace(/\n {2}/g, ""),
  },
];

/** What can't be undone, but is still the secret. */
export const lossy: readonly Omit<Encoding, "decode">[] = [
  { name: "capitals", encode: (text) => text.toUpperCase() },
  { name: "small letters", encode: (text) => text.toLowerCase() },
  { name: "base64 of capitals", encode: (text) => bytesOf(text.toUpperCase()).toString("base64") },
];
