import { compile } from "@configc/compiler";
import {
  createRuntime,
  type Installation,
  memoryStore,
  type Runtime,
  type RuntimeOptions,
  type Settings,
  type Store,
} from "@configc/runtime";
import { type TestEffects, testEffects } from "./effects.ts";

/** An app that runs from a store, with one workflow that is installed as `i1`. */
export interface TestService {
  readonly runtime: Runtime;
  readonly store: Store;
  readonly effects: TestEffects;
  /** Makes another runtime on the same store, as after a restart. */
  restart(options?: RuntimeOptions): Runtime;
}

export interface ServiceParts {
  readonly config: object;
  readonly settings?: Partial<Settings>;
  readonly status?: Installation["status"];
  readonly options?: RuntimeOptions;
  readonly store?: Store;
}

export function installation(id: string, workflow: string, parts: Partial<Installation> = {}): Installation {
  return {
    id,
    app: "app",
    workflow,
    status: "active",
    settings: { customData: {} },
    createdAt: 1,
    changedAt: 1,
    ...parts,
  };
}

export async function installed({
  config,
  settings,
  status = "active",
  options,
  store = memoryStore(),
}: ServiceParts): Promise<TestService> {
  const { app } = compile(JSON.stringify(config));
  const effects = testEffects();
  const webhookUrl = (hook: string): string => `https://hooks.example.com/${hook}`;
  const restart = (more?: RuntimeOptions): Runtime =>
    createRuntime(app, effects, { store, webhookUrl, ...options, ...more });
  const row = installation("i1", app.workflows[0]?.name ?? "", {
    status,
    settings: { customData: {}, ...settings },
  });
  await store.transaction((transaction) => transaction.put("installations", row));
  return { runtime: restart(), store, effects, restart };
}

/** A config with one polling intake and the workflow that uses it. */
export function pollingConfig(
  commands: Readonly<Record<string, unknown>>,
  { workflow = {}, target }: { readonly workflow?: object; readonly target?: unknown } = {},
): object {
  const members = Object.entries(commands).map(([name, command]) => [
    name,
    typeof command === "string" ? { "!jq": command } : command,
  ]);
  return {
    $version: "2",
    data_intake: [{ type: "polling", name: "items", ...Object.fromEntries(members) }],
    workflows: [
      {
        name: "import",
        label: "Import",
        type: "generic",
        data_intake: "items",
        setup: {},
        data_pipeline: {
          source: { "!jq": "." },
          target: target ?? { "!pipe": [{ "!jq": "{email: .email}" }, { "!resource": "PlatformContact" }] },
        },
        ...workflow,
      },
    ],
  };
}
