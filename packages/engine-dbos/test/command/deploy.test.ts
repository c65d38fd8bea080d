import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { noPostgres } from "../../../../test/support/postgres.ts";
import { readConfiguration } from "../../src/command/configuration.ts";
import { fleetDatabase } from "../support/database.ts";
import { HostFolder } from "./hosting.ts";

const deploy = new URL("../../deploy/", import.meta.url);
const file = (name: string): string => readFileSync(new URL(name, deploy), "utf8");
const folder = new HostFolder();

/** The words of a Dockerfile's instruction that is a JSON list. */
function listOf(instruction: string): readonly string[] {
  const [, list = "[]"] =
    new RegExp(`^${instruction}\\b[^[]*(\\[.*\\])`, "m").exec(file("Dockerfile").replaceAll("\\\n", "")) ??
    [];
  return JSON.parse(list) as string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
}
interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly stop_grace_period?: string;
  readonly command?: readonly string[];
}
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
interface Container {
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly securityContext: object;
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas?: number;
    readonly minReplicaCount?: number;
    readonly scaleTargetRef?: { readonly kind: string; readonly name: string };
    readonly selector?: object;
    readonly template?: {
      readonly metadata: { readonly labels: object };
      readonly spec: {
        readonly terminationGracePeriodSeconds?: number;
        readonly securityContext: object;
        readonly containers: readonly [Container];
      };
    };
  };
}

const manifests = readdirSync(new URL("kubernetes/", deploy))
  .filter((name) => name !== "kustomization.yaml")
  .flatMap((name) => parseAllDocuments(file(`kubernetes/${name}`)).map((each) => each.toJS() as Manifest));
const pods = manifests.flatMap(({ kind, metadata, spec: { template } }) =>
  template === undefined
    ? []
    : [{ kind, name: metadata.name, ...template.spec, labels: template.metadata.labels }],
);

/** Seconds for which a worker may bring items to their end, unless it is told otherwise. */
async function grace(): Promise<number> {
  return (await readConfiguration(undefined, { DATABASE_URL: "postgres://x" })).grace;
}

test("what the files set are settings of configc-host", async () => {
  const help = (await folder.run(["worker", "--help"])).stdout;
  const { services } = parse(file("compose.yaml"), { merge: true }) as Compose;
  const unit = file("systemd/configc-worker@.service");
  const variables = [
    ...["worker", "server", "migrate"].flatMap((name) => Object.keys(services[name]?.environment ?? {})),
    ...pods.flatMap(({ containers: [{ env }] }) => env.map(({ name }) => name)),
    ...[...unit.matchAll(/\b([A-Z]+_[A-Z_]+|PORT)=/g)].flatMap(([, name = ""]) => name),
  ];
  for (const name of variables.filter((name) => name !== "NODE_ENV")) expect(help).toContain(name);
  for (const name of Object.keys(JSON.parse(file("host.json")) as object))
    expect(help).toContain(`\`${name}\``);
  const commands = [
    ...["worker", "server", "migrate"].map((name) => services[name]?.command ?? []),
    ...pods.map(({ containers: [{ args }] }) => args),
    listOf("CMD"),
  ];
  const verbs = (await folder.run(["--help"])).stdout;
  for (const [verb = ""] of commands) expect(verbs).toMatch(new RegExp(`^ *${verb}\\b`, "m"));
  expect(unit).toMatch(/ configc-host\.js worker |bin\/configc-host\.js worker /);
  // Whoever ends them waits for longer than they take.
  for (const name of ["worker", "server"])
    expect(Number.parseInt(services[name]?.stop_grace_period ?? "", 10)).toBeGreaterThan(await grace());
  expect(Number(/TimeoutStopSec=(\d+)/.exec(unit)?.[1])).toBeGreaterThan(await grace());
});

test("the manifests: probes at pages that there are, nobody is root, and what is scaled and guarded is there", async () => {
  const { metricsPort } = JSON.parse(file("host.json")) as { readonly metricsPort: number };
  const { port } = await readConfiguration(undefined, { DATABASE_URL: "postgres://x" });
  for (const { kind, name, securityContext, containers, terminationGracePeriodSeconds } of pods) {
    const [{ ports = [], livenessProbe, readinessProbe, startupProbe, securityContext: own }] = containers;
    expect(securityContext, name).toMatchObject({ runAsNonRoot: true });
    expect(own, name).toMatchObject({ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true });
    if (kind === "Job") continue;
    expect(terminationGracePeriodSeconds, name).toBeGreaterThan(await grace());
    expect(Object.fromEntries(ports.map((each) => [each.name, each.containerPort]))).toEqual({
      http: port,
      metrics: metricsPort,
    });
    // A database that is away mustn't restart anything.
    for (const probe of [livenessProbe, startupProbe])
      expect(probe?.httpGet).toEqual({ path: "/healthz", port: "http" });
    expect(readinessProbe?.httpGet).toEqual({ path: "/readyz", port: "http" });
  }
  for (const { kind, spec } of manifests) {
    if (kind === "ScaledObject")
      expect(pods).toContainEqual(
        expect.objectContaining({ kind: spec.scaleTargetRef?.kind, name: spec.scaleTargetRef?.name }),
      );
    const selector =
      (spec.selector as { readonly matchLabels?: object } | undefined)?.matchLabels ?? spec.selector;
    if (selector !== undefined)
      expect(
        pods.filter(({ labels }) => expect.objectContaining(selector).asymmetricMatch(labels)),
      ).toHaveLength(1);
  }
});

test("the image installs in a stage of its own, and runs as a user without rights", () => {
  const lines = file("Dockerfile").split("\n");
  expect(lines.filter((line) => line.startsWith("FROM "))).toHaveLength(2);
  expect(lines.findLast((line) => line.startsWith("USER "))).toBe("USER node");
  expect(listOf("ENTRYPOINT").at(-1)).toBe("node_modules/@configc/engine-dbos/bin/configc-host.js");
  const { devDependencies } = JSON.parse(
    readFileSync(new URL("../../../../package.json", import.meta.url), "utf8"),
  ) as { readonly devDependencies: Readonly<Record<string, string>> };
  const { dependencies } = JSON.parse(file("package.json")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  // The versions with which `/metrics` was tried.
  for (const name of ["@opentelemetry/api", "@opentelemetry/exporter-prometheus"])
    expect(dependencies[name]).toBe(devDependencies[name]);
});

describe.skipIf(noPostgres !== undefined)("a worker in its container", () => {
  test("the health check of the image says how it is; metrics are at their own port", async () => {
    const database = await fleetDatabase();
    const client = new pg.Client(database);
    await client.connect();
    onTestFinished(() => client.end());
    const worker = folder.start("worker", { DATABASE_URL: database, METRICS_PORT: "0" });
    const { port = 0, metricsPort } = await worker.says("starting");
    await worker.says("ready");
    const [command = "", ...args] = listOf("HEALTHCHECK");
    const check = (at: number): number | null =>
      spawnSync(command, args, { env: { PATH: process.env["PATH"], PORT: `${at}` } }).status;
    expect(check(port)).toBe(0);
    await expect
      .poll(async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(), { timeout: 30_000 })
      .toMatch(/^configc_look_age\{app="acme"\} \d/m);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${metricsPort}/healthz`)).status).toBe(404);
    worker.child.kill("SIGTERM");
    expect(await worker.ended).toBe(0);
    expect(check(port)).toBe(1);
  }, 120_000);

  test("a port that is taken, and nothing else, keeps it from starting", async () => {
    const database = await fleetDatabase();
    const first = folder.start("worker", { DATABASE_URL: database, METRICS_PORT: "0" });
    const { metricsPort } = await first.says("starting");
    const second = await folder.run(["worker", "--config", "host.json"], {
      DATABASE_URL: database,
      CONFIGC_KEY: Buffer.alloc(32, 1).toString("base64"),
      METRICS_PORT: `${metricsPort}`,
    });
    expect(second.status).toBe(2);
    expect(second.stderr).toMatch(/can't be listened at.*Set METRICS_PORT/);
  }, 120_000);
});
