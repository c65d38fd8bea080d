import type { App } from "@configc/compiler";
import type { Http, ReceivedDelivery } from "@configc/runtime";
import { shownUrl } from "@configc/runtime/internal";
import { createHost } from "../host.ts";
import { nodeHttp } from "../http/index.ts";
import { Listener, type ListenerOptions } from "../listener/index.ts";
import type { LoginClient } from "../login/index.ts";
import type { JobReport } from "../scheduler/scheduler.ts";
import { answerWith } from "./serve.ts";
import { Runs, type Site } from "./site.ts";

/** Milliseconds for what is under way when it ends: nobody but the person at the keyboard waits for it. */
const GRACE = 2_000;

/** What `configc dev` serves, and where. */
export interface DevOptions {
  /** With its source map, so that failures name lines of the config. */
  readonly app: App;
  /** Of the app, in the store and in webhook URLs. */
  readonly name: string;
  /** Of the config, for people. */
  readonly file: string;
  /** Where everything is kept; the next start goes on from there. */
  readonly directory: string;
  /** 32 random bytes that seal tokens in there. */
  readonly key: Uint8Array;
  /** Of the pages and webhooks. 0: any that is free. */
  readonly port: number;
  /** Where services reach this machine, such as the address of a tunnel. Default: loopback. */
  readonly publicUrl?: string;
  readonly allowPrivateNetwork?: boolean;
  readonly origins?: readonly string[];
  /** The client's id and secret for logins, where the config has placeholders. */
  readonly client?: (auth: string) => LoginClient;
  /** Is told each request to a service, when it is over. */
  readonly onRequest?: (request: DevRequest) => void;
  /** Is told what was done on schedule, and for webhooks. */
  readonly onJob?: (report: JobReport) => void;
  /** Is told each payload that a webhook sends. */
  readonly onDelivery?: (delivery: ReceivedDelivery) => void;
  /** Is told mistakes of ours. */
  readonly onError?: (error: unknown) => void;
}

/** A request that the app made, as the pages show it. */
export interface DevRequest {
  readonly method: string;
  /** Without secrets in it. */
  readonly url: string;
  /** Undefined: there was no answer. */
  readonly status: number | undefined;
  readonly milliseconds: number;
}

/** A running `configc dev`. */
export interface DevServer {
  /** Of the pages. */
  readonly url: string;
  /** Another version of the config: new runs begin with it, those under way end with the old one. */
  update(app: App, origins?: readonly string[]): void;
  /** The config has changed and can't be used: what ran goes on, and the pages say why. */
  refuse(problem: string): void;
  /** @param grace milliseconds for what is under way; default 2,000 */
  close(grace?: number): Promise<void>;
}

/**
 * The app on this machine: webhook URLs on loopback, schedules, and pages on which its setup can be clicked through.
 *
 * @throws Error if the port is taken or the state can't be opened
 */
export async function startDev(options: DevOptions): Promise<DevServer> {
  const {
    app,
    name,
    file,
    directory,
    key,
    onRequest = () => undefined,
    onJob,
    onDelivery,
    onError = () => undefined,
  } = options;
  let answer: ListenerOptions["answer"] | undefined;
  const listener = new Listener({
    answer: (request, response, url) => {
      if (answer !== undefined) return answer(request, response, url);
      response.writeHead(503, { "retry-after": "1" }).end();
    },
    failed: onError,
  });
  await listener.listen(options.port, "127.0.0.1");
  const origin = `http://127.0.0.1:${listener.port}`;
  const http = nodeHttp({ allowPrivateNetwork: options.allowPrivateNetwork ?? false });
  try {
    const hooks = `${(options.publicUrl ?? origin).replace(/\/+$/, "")}/in`;
    const host = await createHost({
      apps: { [name]: app },
      directory,
      key,
      publicUrl: hooks,
      effects: { http: told(http, onRequest) },
      ...(options.allowPrivateNetwork === undefined
        ? {}
        : { allowPrivateNetwork: options.allowPrivateNetwork }),
      ...(options.origins === undefined ? {} : { origins: { [name]: options.origins } }),
      ...(onDelivery === undefined ? {} : { onDelivery: (_, delivery) => onDelivery(delivery) }),
      ...(onJob === undefined ? {} : { report: onJob }),
    });
    const runtime = host.runtime(name);
    if (runtime === undefined) throw new Error("the host has lost its only app");
    let site: Site = {
      app,
      name,
      file,
      origin,
      hooks,
      host,
      runtime,
      client: options.client ?? (() => ({})),
      logins: new Map(),
      runs: new Runs(),
      problem: undefined,
    };
    answer = answerWith(() => site, onError);
    await host.start();
    return {
      url: `${origin}/`,
      update(next, origins = []) {
        site = { ...site, app: next, runtime: host.publish(name, next, origins), problem: undefined };
      },
      refuse(problem) {
        site = { ...site, problem };
      },
      async close(grace = GRACE) {
        await Promise.all([host.close(grace), listener.close(grace)]);
        await http.close();
      },
    };
  } catch (error) {
    await listener.close(0);
    await http.close();
    throw error;
  }
}

function told(http: Http, onRequest: (request: DevRequest) => void): Http {
  return {
    async request(request) {
      const { method, url } = request;
      const started = performance.now();
      let status: number | undefined;
      try {
        const response = await http.request(request);
        status = response.status;
        return response;
      } finally {
        const milliseconds = Math.round(performance.now() - started);
        onRequest({ method, url: shownUrl(url), status, milliseconds });
      }
    },
  };
}
