import type { App, AppWorkflow } from "@configc/compiler";
import type { Credential, Effects, HttpRequest, HttpResponse, SessionToken } from "@configc/runtime";
import { response } from "./gateway.ts";

/** The customer's account at the service: its credentials, and tokens that can expire. */
export class Account {
  readonly #number: number;
  readonly #type: string;
  #issued = 1;
  /** Tokens up to this one aren't taken any more. */
  #expired = 0;
  #credential: Credential;
  #session: SessionToken;

  /** @param number of the customer, from 1: whose tokens they are */
  constructor(app: App, workflow: Pick<AppWorkflow, "auth">, number = 1) {
    this.#number = number;
    this.#type = app.auth[workflow.auth ?? ""]?.type ?? "oauth2";
    this.#session = { access_token: this.#token(1) };
    switch (this.#type) {
      case "basic":
      case "session":
        this.#credential = { username: "customer", password: this.#password };
        break;
      case "token":
        this.#credential = { token: this.#token(1) };
        break;
      default:
        this.#credential = { access_token: this.#token(1), refresh_token: `${REFRESH}${number}-1` };
    }
  }

  get #password(): string {
    return `${PASSWORD}-${this.#number}`;
  }

  #token(issued: number): string {
    return `${TOKEN}${this.#number}-${issued}`;
  }

  /** Whether there are tokens that expire and are renewed (D30, D49). */
  get isRenewable(): boolean {
    return this.#type === "session" || this.#type === "oauth2";
  }

  /** Texts that nobody but the service may see. */
  get secrets(): readonly string[] {
    return [`${TOKEN}${this.#number}-`, `${REFRESH}${this.#number}-`, this.#password];
  }

  expire(): void {
    if (this.isRenewable) this.#expired = this.#issued;
  }

  isExpired({ headers }: HttpRequest): boolean {
    return Object.values(headers).some((value) => {
      const [, number, issued] = TOKEN_IN.exec(value) ?? [];
      return Number(number) === this.#number && Number(issued) <= this.#expired;
    });
  }

  /** The answer to a request for a token; undefined where it is for something else. */
  issue({ method, body = "" }: HttpRequest): HttpResponse | undefined {
    if (method !== "POST" || !(body.includes(`${REFRESH}${this.#number}-`) || body.includes(this.#password)))
      return undefined;
    this.#issued++;
    return response(
      200,
      JSON.stringify({
        access_token: this.#token(this.#issued),
        refresh_token: `${REFRESH}${this.#number}-${this.#issued}`,
        expires_in: 86_400 * 365,
      }),
    );
  }

  /** As the runtime asks for it. */
  get effect(): Effects["credentials"] {
    return {
      read: async () => this.#credential,
      write: async (_connection, credential) => {
        this.#credential = credential;
      },
      markBroken: async () => undefined,
      sessions: {
        read: async () => this.#session,
        write: async (_connection, token) => {
          this.#session = token;
        },
      },
    };
  }
}

const TOKEN = "access-token-";
const REFRESH = "refresh-token-";
const PASSWORD = "customers-password";

const TOKEN_IN = new RegExp(String.raw`${TOKEN}(\d+)-(\d+)`);

/** The customer whose token a request bears, by number; undefined where it bears none. */
export function customerIn({ headers }: Pick<HttpRequest, "headers">): number | undefined {
  for (const value of Object.values(headers)) {
    const number = TOKEN_IN.exec(value)?.[1] ?? passwordIn(value);
    if (number !== undefined) return Number(number);
  }
  return undefined;
}

function passwordIn(value: string): string | undefined {
  const encoded = /^Basic (.+)$/i.exec(value)?.[1];
  return encoded === undefined ? undefined : PASSWORD_IN.exec(decodedBase64(encoded))?.[1];
}

const PASSWORD_IN = new RegExp(String.raw`${PASSWORD}-(\d+)`);

function decodedBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return "";
  }
}
