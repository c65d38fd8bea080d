/** A message of Postgres's protocol, with its length; the first one of a client has no type. */
export interface Message {
  readonly type: string;
  readonly bytes: Buffer;
}

/** @param body text as it stands in the protocol, or bytes */
export function message(type: string, body: string | Buffer): Message {
  const content = Buffer.from(body as string);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(content.length + 4, 1);
  return { type, bytes: Buffer.concat([head, content]) };
}

/** Puts messages together from what comes in. */
export class Messages {
  #rest: Buffer = Buffer.alloc(0);
  #begins: boolean;

  /** @param begins what comes first is that of a client, without a type */
  constructor(begins = false) {
    this.#begins = begins;
  }

  *read(chunk: Buffer): Generator<Message> {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const typed = this.#begins ? 0 : 1;
      if (this.#rest.length < 4 + typed) return;
      const length = this.#rest.readInt32BE(typed) + typed;
      if (this.#rest.length < length) return;
      const bytes = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      this.#begins = false;
      yield { type: typed === 0 ? "" : String.fromCharCode(bytes[0] ?? 0), bytes };
    }
  }
}

/** Where the name of a prepared statement stands in a message to the server: from, to; undefined if none does. */
function placeOf({ type, bytes }: Message): readonly [number, number] | undefined {
  const end = (from: number): number => bytes.indexOf(0, from);
  if (type === "P") return [5, end(5)];
  if (type === "B") return [end(5) + 1, end(end(5) + 1)];
  if ((type === "D" || type === "C") && bytes[5] === "S".charCodeAt(0)) return [6, end(6)];
  return undefined;
}

/** The name of the prepared statement that a message is about; empty for the one without a name. */
export function statementOf(given: Message): string | undefined {
  const place = placeOf(given);
  return place === undefined ? undefined : given.bytes.toString("utf8", ...place);
}

/** The same about a statement of another name. */
export function renamed(given: Message, name: string): Message {
  const [from, to] = placeOf(given) ?? [5, 5];
  return message(
    given.type,
    Buffer.concat([given.bytes.subarray(5, from), Buffer.from(name), given.bytes.subarray(to)]),
  );
}
