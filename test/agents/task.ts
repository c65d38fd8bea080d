import type { App } from "@configc/compiler";
import type { ThirdParty } from "../api/third-party.ts";

/** Something that an agent is asked to write, and what finds out whether it works. */
export interface Task {
  readonly id: string;
  /** What is wanted, in the words of somebody who asks for it. */
  readonly asks: string;
  /** The API, as an OpenAPI document. */
  readonly document: object;
  /** The agent doesn't see it. @returns what is wrong, in words; empty if it works */
  judge(app: App): Promise<readonly string[]>;
}

/** A third party that has a documentation. */
export interface Documented extends ThirdParty {
  readonly document: object;
}
