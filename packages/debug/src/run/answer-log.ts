import {
  type Effects,
  HttpFailure,
  type HttpFailureKind,
  RunError,
  type RunErrorKind,
} from "@configc/runtime";

/** One answer of the world: which question it answers, and the value or the failure. */
export interface LoggedAnswer {
  readonly question: string;
  readonly value?: unknown;
  readonly failure?: { readonly name: string; readonly kind?: string; readonly message: string };
}

/** What is put in the place of an answer that came, or comes again. */
interface EditedAnswer {
  /** Which request of the run, from 0. */
  readonly exchange: number;
  readonly status: number;
  readonly body: string;
}

/** Everything that a run was told, in its order: with that it is run again to the same place. */
export class AnswerLog {
  readonly entries: LoggedAnswer[] = [];
  /** Requests that were answered. */
  exchanges = 0;
  private readonly waiting = new Map<string, LoggedAnswer[]>();
  private readonly tell: (entry: LoggedAnswer) => void;
  /** Questions that the world hasn't answered. */
  private open = 0;
  private readonly waits: (isWaiting: boolean) => void;

  /**
   * @param known is told again before the world is asked
   * @param tell takes each answer as it comes
   * @param waits is told when the world is asked, and when its answer has been told
   */
  constructor(
    known: readonly LoggedAnswer[] = [],
    tell: (entry: LoggedAnswer) => void = () => undefined,
    waits: (isWaiting: boolean) => void = () => undefined,
  ) {
    this.tell = tell;
    this.waits = waits;
    for (const entry of known) {
      const queue = this.waiting.get(entry.question);
      if (queue === undefined) this.waiting.set(entry.question, [entry]);
      else queue.push(entry);
    }
  }

  /** Effects that answer from what is known, and then from the given ones. */
  effects<Given extends Effects>(given: Given, edits: readonly EditedAnswer[]): Given {
    const { clock, random, http, credentials, platform, sign = (make: () => string) => make() } = given;
    return {
      ...given,
      clock: {
        ...clock,
        now: () => this.sync("now", () => clock.now()),
        sleep: (milliseconds, signal) => this.async("sleep", () => clock.sleep(milliseconds, signal)),
      },
      random: {
        next: () => this.sync("next", () => random.next()),
        id: () => this.sync("id", () => random.id()),
      },
      sign: (make) => this.sync("sign", () => sign(make)),
      http: {
        request: async (request) => {
          const edit = edits.find(({ exchange }) => exchange === this.exchanges);
          this.exchanges++;
          const response = await this.async("http", () => http.request(request));
          if (edit === undefined) return response;
          const { status, body } = edit;
          return { ...response, status, body: new TextEncoder().encode(body) };
        },
      },
      credentials: this.all("credentials", credentials),
      platform: this.all("platform", platform),
    };
  }

  /** Each method of an object asks; those that run something of the caller's are passed on. */
  private all<T extends object>(name: string, object: T): T {
    const asked = new Map<unknown, unknown>();
    return new Proxy(object, {
      get: (target, member) => {
        const method: unknown = Reflect.get(target, member, target);
        if (typeof method !== "function" || member === "alone") return method;
        let wrapped = asked.get(member);
        if (wrapped === undefined) {
          wrapped = (...args: unknown[]) =>
            this.async(
              `${name}.${String(member)}`,
              () => Reflect.apply(method, target, args) as Promise<unknown>,
            );
          asked.set(member, wrapped);
        }
        return wrapped;
      },
    });
  }

  private sync<T>(question: string, ask: () => T): T {
    const known = this.waiting.get(question)?.shift();
    return this.noted(known ?? { question, value: ask() }) as T;
  }

  private async async<T>(question: string, ask: () => Promise<T>): Promise<T> {
    const known = this.waiting.get(question)?.shift();
    if (known !== undefined) return this.noted(known) as T;
    this.waits(++this.open > 0);
    try {
      return this.noted({ question, value: await ask() }) as T;
    } catch (error) {
      const { name, message } = error instanceof Error ? error : new Error(String(error));
      const kind = (error as { readonly kind?: unknown }).kind;
      this.keep({ question, failure: { name, message, ...(typeof kind === "string" ? { kind } : {}) } });
      throw error;
    } finally {
      this.waits(--this.open > 0);
    }
  }

  private noted(entry: LoggedAnswer): unknown {
    this.keep(entry);
    const { failure, value } = entry;
    if (failure === undefined) return value;
    if (failure.name === "HttpFailure")
      throw new HttpFailure(failure.kind as HttpFailureKind, failure.message);
    if (failure.name === "RunError")
      throw new RunError(failure.kind as RunErrorKind, failure.message, undefined);
    throw Object.assign(new Error(failure.message), { name: failure.name, kind: failure.kind });
  }

  private keep(entry: LoggedAnswer): void {
    this.entries.push(entry);
    this.tell(entry);
  }
}
