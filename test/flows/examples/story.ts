import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type App, compile } from "@configc/compiler";
import type { CycleResult, Json } from "@configc/runtime";
import { expect, onTestFinished } from "vitest";
import type { ThirdParty, ThirdPartyServer } from "../../api/third-party.ts";
import { Rig } from "../../support/rig.ts";
import type { StoryClock } from "../../support/story-clock.ts";
import { Trouble } from "./trouble.ts";

const HALF_HOUR = 1_800_000;
/** More cycles than any story takes. */
const MOST_CYCLES = 60;

export interface StoryOptions<P> {
  /** Name of the example. */
  readonly example: string;
  readonly party: (now: () => number) => P;
  /** What an upload puts in the place of placeholders. */
  readonly placeholders?: Readonly<Record<string, string>>;
  /** Has requests fail at random, if it is given. */
  readonly seed?: number | undefined;
}

/** An example, unmodified, on a real host, with the third party that it is made for, and customers who use it. */
export class Story<P extends ThirdParty> extends Rig<P> {
  readonly trouble: Trouble;

  private constructor(options: StoryOptions<P>, server: ThirdPartyServer<P>, clock: StoryClock) {
    super(exampleApp(options), server, clock);
    this.trouble = new Trouble(server, options.seed);
  }

  static async begin<P extends ThirdParty>(options: StoryOptions<P>): Promise<Story<P>> {
    const { server, clock } = await Rig.thirdParty(options.party);
    const story = new Story(options, server, clock);
    await story.open();
    onTestFinished(() => story.close());
    return story;
  }

  /** Does something until it works, as people do; where nothing is disturbed, it has to work at once. */
  override async again<R>(work: () => Promise<R>): Promise<R> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (!this.trouble.isOn || tries === 10) throw error;
        this.clock.advance(60_000);
      }
    }
  }

  /**
   * Lets the host work, half an hour after half an hour and each time as a new process, until nothing is left to do. What failed is
   * tried again, as an operator would.
   *
   * @returns the cycles of all polls, in order
   */
  async work(): Promise<CycleResult[]> {
    const cycles: CycleResult[] = [];
    for (let looks = 0; ; looks++) {
      const [failed, waiting] = [await this.deliveries("failed"), await this.deliveries("waiting")];
      if (!this.trouble.isOn) expect(failed.map(({ failure }) => failure)).toEqual([]);
      for (const { id } of failed) await this.runtime.retry(id).catch(() => undefined);
      const reports = await this.look();
      if (!this.trouble.isOn) expect(reports.filter(({ error }) => error !== undefined)).toEqual([]);
      const polls = reports.filter(({ job }) => job === "poll").flatMap(({ result }) => result ?? []);
      cycles.push(...(polls as CycleResult[]));
      this.clock.advance(HALF_HOUR);
      const isDone =
        failed.length + waiting.length === 0 &&
        reports.every(({ error }) => error === undefined) &&
        (polls as CycleResult[]).every(({ reason }) => !reason.startsWith("max-"));
      if (isDone) break;
      expect(looks, "cycles").toBeLessThan(MOST_CYCLES);
    }
    return cycles;
  }

  /** Hands a contact to an outbound workflow, as the platform does: again under the same key if it doesn't know whether it arrived. */
  async send(installation: string, contact: Json, key = JSON.stringify(contact)): Promise<void> {
    const counts = await this.again(() => this.runtime.send(installation, contact, { key }));
    if (!this.trouble.isOn) expect(counts).toMatchObject({ failed: 0 });
  }

  /** Nothing was asked of the third party that it doesn't know, and no item failed. */
  async isInOrder(): Promise<void> {
    this.trouble.wasMet();
    expect(this.server.surprises).toEqual([]);
    expect(await this.failures()).toEqual([]);
  }
}

const examples = fileURLToPath(new URL("../../../examples/", import.meta.url));

function exampleApp({
  example,
  placeholders = {},
}: Pick<StoryOptions<ThirdParty>, "example" | "placeholders">): App {
  const folder = join(examples, example);
  const file = readdirSync(folder).find((name) => /\.app\.jsonc?$/.test(name));
  if (file === undefined) throw new Error(`There is no app in ${folder}.`);
  let text = readFileSync(join(folder, file), "utf8");
  for (const [name, value] of Object.entries(placeholders)) text = text.replaceAll(`<${name}>`, value);
  const { app, diagnostics } = compile(text, { uri: file });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return app;
}
