import { type Answer, type Received, serve, type TestServer } from "./server.ts";

/** A service with webhooks: registered, changed and removed over HTTP. */
export interface ThirdParty extends TestServer {
  /** URL by id. */
  readonly hooks: Map<number, string>;
  /** Is asked before each request; an answer that it gives is sent instead. */
  before: ((request: Received) => Answer | undefined) | undefined;
  /** The same, after the request was done: the answer gets lost. */
  after: ((request: Received) => Answer | undefined) | undefined;
}

export async function thirdParty(): Promise<ThirdParty> {
  const hooks = new Map<number, string>();
  let last = 0;
  const answer = ({ method, path, body }: Received): Answer => {
    const { url = "" } = body === "" ? {} : (JSON.parse(body) as { url?: string });
    if (method === "POST") {
      hooks.set(++last, url);
      return { status: 201, json: { hook: { id: last } } };
    }
    const id = Number(path.split("/").at(-1));
    if (!hooks.has(id)) return { status: 404, json: { error: "no such hook" } };
    if (method === "DELETE") {
      hooks.delete(id);
      return { status: 204 };
    }
    hooks.set(id, url);
    return { json: { hook: { id } } };
  };
  const server = await serve((request) => {
    const refused = party.before?.(request);
    if (refused !== undefined) return refused;
    const given = answer(request);
    return party.after?.(request) ?? given;
  });
  const party: ThirdParty = { ...server, hooks, before: undefined, after: undefined };
  return party;
}

/** The connection is cut: nobody knows what was done. */
export const cut: Answer = { by: (response) => void response.destroy() };

export const create = {
  "!pipe": [
    { "!http": { method: "POST", path: "/hooks", body: { url: "${webhook.url}" } } },
    { "!jq": "{hook_id: .hook.id}" },
    { "!save": { scope: "workflow" } },
  ],
};

export const remove = { "!http": { method: "DELETE", path: "/hooks/${data.workflow.hook_id}" } };
export const update = {
  "!http": { method: "PUT", path: "/hooks/${data.workflow.hook_id}", body: { url: "${webhook.url}" } },
};

/** The same commands for another scope. */
export function inScope<T>(scope: string, commands: T): T {
  return JSON.parse(
    JSON.stringify(commands)
      .replaceAll("data.workflow", `data.${scope}`)
      .replaceAll('"scope":"workflow"', `"scope":"${scope}"`),
  ) as T;
}

/** A config with a webhook and the workflow that uses it. */
export function webhookConfig(origin: string, intake: object, workflow: object = {}): object {
  return {
    $version: "2",
    api: { base_url: origin },
    data_intake: [
      { type: "webhook", name: "created", scope: "workflow", create, delete: remove, ...intake },
      {
        type: "polling",
        name: "history",
        request: {
          "!jq":
            '(${polling_state}.n // 0) as $n | {results: [{email: "old\\($n)@example.com"}], iterate: ($n < 2), polling_state: {n: ($n + 1)}}',
        },
      },
    ],
    workflows: [
      {
        name: "receive",
        label: "Receive",
        type: "generic",
        data_intake: "created",
        setup: {},
        data_pipeline: { source: { "!jq": "{email}" }, target: { "!resource": "PlatformContact" } },
        ...workflow,
      },
    ],
  };
}
