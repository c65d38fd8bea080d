import type { App, AppAuth, AppNode } from "@configc/compiler";
import { abortable } from "../abort.ts";
import type { Credential, SessionToken } from "../effects.ts";
import { abortError, RunError } from "../errors.ts";
import { isHeaderText } from "../http/headers.ts";
import { base64 } from "../redact/index.ts";
import type { Frame } from "../step.ts";
import { credentialAs } from "./credential.ts";
import { secretTexts } from "./secret-members.ts";
import { type AuthSettings, authSettings } from "./settings.ts";
import type { IssuedToken } from "./token-answer.ts";
import { logInRequest, refreshRequest, requestToken, type TokenRequest } from "./tokens.ts";

/** What a request is sent with. */
export interface Authentication {
  readonly headers: Readonly<Record<string, string>>;
  /** The token in it, if it is of a kind that can be renewed. */
  readonly token?: string;
}

/**
 * The credentials of connections as headers (D27, D30). A token is renewed once for all requests that wait for it, in all
 * processes that share the credentials, and kept before it is used.
 */
export class Authenticator {
  readonly #app: App;
  readonly #settings = new Map<string, AuthSettings>();
  /** Tokens of sessions, as this process knows them; they are bought with user name and password. */
  readonly #sessions = new Map<string, SessionToken>();
  /** Renewals under way, by auth and connection. */
  readonly #renewals = new Map<string, Promise<string>>();

  constructor(app: App) {
    this.#app = app;
  }

  /** @throws RunError with `AuthError` where the connection has no credentials, or can't renew them */
  async authenticate(frame: Frame, place: AppNode): Promise<Authentication | undefined> {
    const auth = this.#authOf(frame);
    if (auth === undefined) return undefined;
    const credential = await this.#read(frame, place);
    switch (auth.type) {
      case "basic": {
        const { username, password } = credentialAs("basic", credential, auth, place);
        const pair = base64(new TextEncoder().encode(`${username}:${password}`));
        frame.tracer.secret(pair);
        return { headers: { authorization: `Basic ${pair}` } };
      }
      case "token": {
        const { token } = credentialAs("token", credential, auth, place);
        const { headerKey, tokenPrefix } = this.#settingsOf(auth);
        const gap = /\w$/.test(tokenPrefix) ? " " : "";
        const header = credentialText(`${tokenPrefix}${gap}${token}`, place);
        return { headers: { [headerKey.toLowerCase()]: header } };
      }
      case "session": {
        const session = await this.#session(frame);
        if (session !== undefined && !isExpired(session, frame)) return bearer(session.access_token, place);
        return bearer(await this.#renewed(frame, place, session?.access_token), place);
      }
      default: {
        const token = credentialAs("oauth2", credential, auth, place);
        if (!isExpired(token, frame)) return bearer(token.access_token, place);
        return bearer(await this.#renewed(frame, place, token.access_token), place);
      }
    }
  }

  /** After a 401: a new token, unless somebody else has renewed the rejected one already. */
  async renew(frame: Frame, place: AppNode, rejected: string): Promise<Authentication> {
    return bearer(await this.#renewed(frame, place, rejected), place);
  }

  #authOf({ auth }: Frame): AppAuth | undefined {
    return auth !== undefined && Object.hasOwn(this.#app.auth, auth) ? this.#app.auth[auth] : undefined;
  }

  #settingsOf(auth: AppAuth): AuthSettings {
    let settings = this.#settings.get(auth.name);
    if (settings === undefined) {
      settings = authSettings(auth);
      this.#settings.set(auth.name, settings);
    }
    return settings;
  }

  async #read(frame: Frame, place: AppNode): Promise<Credential> {
    const { connection, tracer, effects } = frame;
    const credential = await effects.credentials.read(connection!);
    if (credential === undefined)
      throw new RunError(
        "AuthError",
        `The connection \`${connection}\` has no credentials. Connect it again.`,
        place,
      );
    for (const text of secretTexts(this.#authOf(frame), credential)) tracer.secret(text);
    return credential;
  }

  /** One renewal for all that ask while it goes on; each may stop waiting, none stops it. */
  async #renewed(frame: Frame, place: AppNode, rejected: string | undefined): Promise<string> {
    const key = sessionKey(frame);
    let renewal = this.#renewals.get(key);
    if (renewal === undefined) {
      renewal = this.#startRenewal(frame, place, rejected).finally(() => this.#renewals.delete(key));
      renewal.catch(() => undefined);
      this.#renewals.set(key, renewal);
    }
    try {
      const token = await abortable(renewal, frame.signal);
      frame.tracer.secret(token);
      return token;
    } catch (error) {
      if (frame.signal.aborted) throw abortError(frame.signal, place);
      // The place is that of whoever asked first; each names its own.
      if (error instanceof RunError)
        throw new RunError(error.kind, error.message, place, { cause: error.cause });
      throw error;
    }
  }

  async #startRenewal(frame: Frame, place: AppNode, rejected: string | undefined): Promise<string> {
    const auth = this.#authOf(frame)!;
    const { credentials } = frame.effects;
    if (auth.type === "session") {
      const account = credentialAs("session", await this.#read(frame, place), auth, place);
      const request = logInRequest(this.#settingsOf(auth), account, frame);
      const logIn = async (): Promise<string> => {
        const known = (await credentials.sessions?.read(frame.connection!)) ?? (await this.#session(frame));
        if (known !== undefined && known.access_token !== rejected && !isExpired(known, frame)) {
          this.#sessions.set(sessionKey(frame), known);
          return known.access_token;
        }
        const { access_token, expires_at } = await this.#request(request, frame, place);
        const token = { access_token, ...(expires_at === undefined ? {} : { expires_at }) };
        await credentials.sessions?.write(frame.connection!, token);
        this.#sessions.set(sessionKey(frame), token);
        return access_token;
      };
      return await (credentials.alone?.(frame.connection!, logIn) ?? logIn());
    }
    const renew = (): Promise<string> => this.#refresh(auth, frame, place, rejected);
    return await (credentials.alone?.(frame.connection!, renew) ?? renew());
  }

  /** The token of a session, if one is known here or kept. */
  async #session(frame: Frame): Promise<SessionToken | undefined> {
    const known = this.#sessions.get(sessionKey(frame));
    if (known !== undefined) return known;
    const kept = await frame.effects.credentials.sessions?.read(frame.connection!);
    if (kept !== undefined) this.#sessions.set(sessionKey(frame), kept);
    return kept;
  }

  /** What is kept is read under the lock: another process may have been quicker. */
  async #refresh(auth: AppAuth, frame: Frame, place: AppNode, rejected: string | undefined): Promise<string> {
    const connection = frame.connection!;
    const old = credentialAs("oauth2", await this.#read(frame, place), auth, place);
    if (old.access_token !== rejected && !isExpired(old, frame)) return old.access_token;
    if (old.refresh_token === undefined)
      throw new RunError(
        "AuthError",
        `The token of \`${connection}\` is no longer valid, and there is no refresh token. Connect it again.`,
        place,
      );
    const { credentials, clock } = frame.effects;
    // Read in any case, so that a replay, which has nobody to tell, reads the clock as often.
    const now = clock.now();
    const unanswered = await credentials.renewing?.(connection, now);
    const request = refreshRequest(this.#settingsOf(auth), old, frame);
    const issued = await this.#request(request, frame, place, unanswered);
    const { expires_at: _, ...kept } = old;
    await credentials.write(connection, { ...kept, ...issued }, old);
    return issued.access_token;
  }

  /** @param unanswered when a renewal was begun whose answer nobody has kept (E13) */
  async #request(
    request: TokenRequest,
    frame: Frame,
    place: AppNode,
    unanswered?: number,
  ): Promise<IssuedToken> {
    try {
      return await requestToken(request, frame, place);
    } catch (error) {
      // No answer at all says nothing about the connection; a refusal does (D30).
      if (!(error instanceof RunError && error.kind === "AuthError")) throw error;
      const refused = unanswered === undefined ? error : afterUnanswered(error, unanswered, place);
      await frame.effects.credentials.markBroken(frame.connection!, frame.tracer.redact(refused.message));
      throw refused;
    }
  }
}

/** The refusal of a token that was probably used up by a renewal whose answer got lost. */
function afterUnanswered({ message, status }: RunError, unanswered: number, place: AppNode): RunError {
  const at = new Date(unanswered).toISOString();
  const reason = `The answer to the renewal of ${at} wasn't saved: it got lost, or the process ended. The service may treat the refresh token as used.`;
  return new RunError("AuthError", `${message} ${reason}`, place, status === undefined ? {} : { status });
}

function isExpired({ expires_at }: { readonly expires_at?: number }, { effects }: Frame): boolean {
  return expires_at !== undefined && expires_at <= effects.clock.now();
}

function sessionKey({ auth, connection }: Frame): string {
  return JSON.stringify([auth, connection]);
}

function bearer(token: string, place: AppNode): Authentication {
  return { headers: { authorization: credentialText(`Bearer ${token}`, place) }, token };
}

/** Blanks around a token come from copying it; anything else that no header can carry isn't a token. */
function credentialText(text: string, place: AppNode): string {
  const trimmed = text.trim();
  if (isHeaderText(trimmed)) return trimmed;
  throw new RunError(
    "AuthError",
    "The connection's token has a character that no header can carry. Connect it again.",
    place,
  );
}
