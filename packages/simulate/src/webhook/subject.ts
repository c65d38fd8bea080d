import type { Json, JsonObject } from "@configc/jq";
import type { Mapping } from "@configc/runtime";
import type { Protocol } from "../protocol/protocol.ts";
import type { Installed } from "../stage/stage.ts";
import type { Path } from "../symbolic/value.ts";
import type { Proof } from "./proof.ts";
import type { RequestPlace, WebhookProtocol } from "./protocol.ts";

/** One of the installations, as its customer set it up. */
export interface InstallationFacts {
  readonly id: string;
  readonly customer: number;
  readonly form: JsonObject;
  readonly mapping: Mapping | undefined;
  readonly accountId: string | undefined;
  readonly resourceId: string | undefined;
  /** What payloads about it have where the app looks for account and resource. */
  readonly account: readonly Placed[];
  readonly resource: readonly Placed[];
}

/** A value of a payload, and where it stands. */
export interface Placed {
  readonly at: Path;
  readonly value: Json;
}

/** How the service asks whether a URL is the app's, and the place of the token that has to come back. */
export interface Challenge {
  readonly method: "GET" | "POST";
  readonly place: RequestPlace;
  readonly literals: readonly (RequestPlace & { readonly text: string })[];
}

/** What a service sends beside its deliveries. */
export interface Ping {
  /** Of a token that has to come back; undefined: nothing has to. */
  readonly place: RequestPlace | undefined;
  /** By what it is told from a delivery. */
  readonly literals: Challenge["literals"];
}

/** A workflow with a webhook, with all that its service has to know of it. */
export interface WebhookSubject extends Installed {
  readonly protocol: WebhookProtocol;
  readonly installations: readonly InstallationFacts[];
  /** Undefined where the app takes deliveries of anybody, or it isn't known what it takes. */
  readonly proof: Proof | undefined;
  readonly challenge: Challenge | undefined;
  /** A challenge of a webhook that is registered already, which bears the proof of a delivery and is none. */
  readonly ping: Ping | undefined;
  /** What is imported before, by the same workflow. */
  readonly history: Protocol | undefined;
}
