import type { App, AppWorkflow } from "@configc/compiler";
import type { Credential, Effects, HttpRequest, HttpResponse, SessionToken } from "@configc/runtime";
import { response } from "./door.ts";

/** The customer's account at the service: its credentials, and tokens that can expire. */
export class Account {
  readonly #type: string;
  #issued = 1;
  /** Tokens up to this one aren't taken any more. */
  #expired = 0;
  #credential: Credential;
  #session: SessionToken;

  constructor(app: App, workflow: AppWorkflow) {
    this.#type = app.auth[workflow.auth ?? ""]?.type ?? "oauth2";
    this.#session = { access_token: tokenOf(1) };
    switch (this.#type) {
      case "basic":
      case "session":
        this.#credential = { username: "customer", password: PASSWORD };
        break;
      case "token":
        this.#credential = { token: tokenOf(1) };
        break;
      default:
        this.#credential = { access_token: tokenOf(1), refresh_token: `${REFRESH}1` };
    }
  }

  /** Whether there are tokens that expire and are renewed (D30, D49). */
  get isRenewable(): boolean {
    return this.#type === "session" || this.#type === "oauth2";
  }

  /** Texts that nobody but the service may see. */
  get secrets(): readonly string[] {
    return [TOKEN, REFRESH, PASSWORD];
  }

  expire(): void {
    if (this.isRenewable) this.#expired = this.#issued;
  }

  isExpired({ headers }: HttpRequest): boolean {
    return Object.values(headers).some((value) => {
      const number = new RegExp(`${TOKEN}(\\d+)`).exec(value)?.[1];
      return number !== undefined && Number(number) <= this.#expired;
    });
  }

  /** The answer to a request for a token; undefined where it is for something else. */
  issue({ method, body = "" }: HttpRequest): HttpResponse | undefined {
    if (method !== "POST" || !(body.includes(REFRESH) || body.includes(PASSWORD))) return undefined;
    this.#issued++;
    return response(
      200,
      JSON.stringify({
        access_token: tokenOf(this.#issued),
        refresh_token: `${REFRESH}${this.#issued}`,
        expires_in: 86_400 * 365,
      }),
    );
  }

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

function tokenOf(number: number): string {
  return `${TOKEN}${number}`;
}
