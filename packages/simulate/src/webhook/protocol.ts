import type { AppCommand, AppIntake } from "@configc/compiler";
import type { Answered } from "../service/routes.ts";
import type { Shape } from "../service/shape.ts";
import type { RequestTemplate } from "../symbolic/command.ts";
import type { Path } from "../symbolic/value.ts";

/** A place in a request to a webhook. */
export interface RequestPlace {
  readonly part: "body" | "headers" | "query";
  /** One name in headers and query. */
  readonly path: Path;
}

/** A member of a payload, and the choice of the setup that it is compared with. */
export interface Chosen {
  readonly at: Path;
  readonly choice: Path;
}

/** How a webhook is registered, and what its deliveries look like, as far as the app says it. */
export interface WebhookProtocol {
  readonly intake: AppIntake;
  /** All requests of the app that a delivery or a registration may lead to. */
  readonly answered: readonly Answered[];
  /** Requests of `create` and `update` that tell the service the URL. */
  readonly registers: readonly RequestTemplate[];
  /** Requests of `delete`, and whether they name the webhook by its URL. */
  readonly removes: readonly { readonly request: RequestTemplate; readonly isByUrl: boolean }[];
  /** There is one URL at an address, as a phone number or a named hook has it: another one takes its place. */
  readonly isSlot: boolean;
  /** `delete` names no hook: there is one for an account. */
  readonly isOnly: boolean;
  readonly payload: Shape;
  /** Where a payload says whose it is, and what it is about. */
  readonly accountAt: readonly Path[];
  readonly resourceAt: readonly Path[];
  /** Members of a payload that the app wants to be what the customer chose. */
  readonly chosen: readonly Chosen[];
  /** What `verification` reads: names of headers and of parameters. */
  readonly headers: readonly string[];
  readonly queries: readonly string[];
  /** The command that hashes with the secret. */
  readonly signs: AppCommand | undefined;
  /** Where a hash is looked for in a request, and texts that stand beside it. */
  readonly signatures: {
    readonly places: readonly RequestPlace[];
    readonly beside: readonly string[];
  };
  /** Something of the request is compared with something that the sender has to know. */
  readonly isSecretCompared: boolean;
  /** What answers repeat of a request: of a challenge. */
  readonly echoes: readonly RequestPlace[];
  /** Texts with which places of the request are compared: a challenge has one of them. */
  readonly literals: readonly (RequestPlace & { readonly text: string })[];
  /** Where the app finds the number of a delivery, and what that names. */
  readonly number: (RequestPlace & { readonly names: "event" | "record" | "try" }) | undefined;
  /** Whether there is a `verification` at all. */
  readonly isVerified: boolean;
}
