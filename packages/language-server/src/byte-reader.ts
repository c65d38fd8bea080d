import type { Readable } from "node:stream";
import {
  AbstractMessageReader,
  type DataCallback,
  type Disposable,
  type Message,
} from "vscode-languageserver";

/** Bytes that a message may have: many times the biggest document that anything can be done with. */
const LONGEST_BODY = 512 * 2 ** 20;
/** Bytes of headers, of which the protocol knows two. */
const LONGEST_HEADERS = 4_096;
/** Milliseconds without the rest of a message until that is told. */
const PATIENCE = 10_000;

const END_OF_HEADERS = "\r\n\r\n";

/** What came is no header of a message, so where the next message begins can't be told. */
export class HeaderError extends Error {}

/**
 * Messages from a stream of bytes, as the protocol's base has them. Stricter than the library's, which waits without end for what a
 * wrong header announces: a `HeaderError` is the last thing that such a stream gives. A body that is no JSON is left out, and so is
 * one that the listener throws at, as the library does at what is no message.
 */
export class ByteReader extends AbstractMessageReader {
  private readonly input: Readable;
  private readonly decoder = new TextDecoder();
  private chunks: Buffer[] = [];
  private size = 0;
  /** Bytes of the body that comes next; undefined while its headers aren't all there. */
  private awaited: number | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(input: Readable) {
    super();
    this.input = input;
  }

  listen(callback: DataCallback): Disposable {
    const take = (chunk: Buffer): void => {
      this.chunks.push(chunk);
      this.size += chunk.length;
      try {
        for (let body = this.nextBody(); body !== undefined; body = this.nextBody())
          this.give(body, callback);
      } catch (error) {
        this.input.off("data", take);
        this.fireError(error);
      }
      this.watch();
    };
    this.input.on("data", take);
    this.input.on("error", (error) => this.fireError(error));
    this.input.on("close", () => this.fireClose());
    return { dispose: () => this.input.off("data", take) };
  }

  override dispose(): void {
    super.dispose();
    clearTimeout(this.timer);
  }

  private nextBody(): Buffer | undefined {
    this.awaited ??= this.nextLength();
    if (this.awaited === undefined || this.size < this.awaited) return undefined;
    const body = this.shift(this.awaited);
    this.awaited = undefined;
    return body;
  }

  /** @throws HeaderError */
  private nextLength(): number | undefined {
    if (this.size === 0) return undefined;
    const all = this.shift(this.size);
    const end = all.indexOf(END_OF_HEADERS);
    const headers = all.toString("latin1", 0, end < 0 ? LONGEST_HEADERS + 1 : end);
    if (headers.length > LONGEST_HEADERS || /\n\n/.test(headers))
      throw new HeaderError(`${shown(headers)} isn't the header of a message`);
    if (end < 0) {
      this.unshift(all);
      return undefined;
    }
    this.unshift(all.subarray(end + END_OF_HEADERS.length));
    const [, value] = /^content-length:(.*)$/im.exec(headers) ?? [];
    if (value === undefined) throw new HeaderError(`${shown(headers)} has no Content-Length`);
    const length = /^\s*\d+\s*$/.test(value) ? Number(value) : Number.NaN;
    if (!(length <= LONGEST_BODY))
      throw new HeaderError(`${shown(value)} is no Content-Length: it counts bytes, at most ${LONGEST_BODY}`);
    return length;
  }

  private give(body: Buffer, callback: DataCallback): void {
    try {
      callback(JSON.parse(this.decoder.decode(body)) as Message);
    } catch (error) {
      this.fireError(error);
    }
  }

  /** The first bytes of those that are here. */
  private shift(length: number): Buffer {
    const all = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
    [this.chunks, this.size] = [[], 0];
    this.unshift(all.subarray(length));
    return all.subarray(0, length);
  }

  private unshift(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.chunks.unshift(bytes);
    this.size += bytes.length;
  }

  private watch(): void {
    clearTimeout(this.timer);
    if (this.size === 0 && this.awaited === undefined) return;
    const tell = (): void => this.firePartialMessage({ messageToken: 0, waitingTime: PATIENCE });
    this.timer = setTimeout(tell, PATIENCE).unref();
  }
}

function shown(text: string): string {
  const trimmed = text.trim();
  return `“${trimmed.length > 60 ? `${trimmed.slice(0, 60)}…` : trimmed}”`;
}
