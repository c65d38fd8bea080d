import { addConnection, beginLogin, finishLogin } from "@configc/host";
import type { Credential, ImportOption, Json, MapOption, Setup } from "@configc/runtime";
import { CLIENT_ID, CLIENT_SECRET } from "../api/oauth.ts";
import type { ThirdParty } from "../api/third-party.ts";
import { APP, type Rig } from "./rig.ts";

/** What a customer does in the guided setup, in the words that the pages show. */
export interface Wishes {
  readonly workflow: string;
  /** From `logIn` or `giveCredential`. */
  readonly connection: string;
  /** What is chosen or typed, by field, in the order of the form. */
  readonly answers?: Readonly<Record<string, string | readonly string[]>>;
  /** What is typed to find a choice, by field. */
  readonly searches?: Readonly<Record<string, string>>;
  /** Titles of sources and targets, with the group before a slash; `=TITLE` is a fixed value. */
  readonly mapping?: readonly (readonly [source: string, target: string])[];
  readonly schedule?: ImportOption;
}

/** Logs in at the third party with a browser that is signed in there, and connects the account. */
export async function logIn<P extends ThirdParty>(
  story: Rig<P>,
  account: string,
  subdomain?: string,
): Promise<string> {
  const { app, host, browser } = story;
  const [auth = ""] = Object.keys(app.auth);
  const redirectUri = "https://platform.example/callback";
  const client = {
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    ...(subdomain === undefined ? {} : { subdomain }),
  };
  const credential = await story.again(async () => {
    const pending = await beginLogin(app, auth, { ...client, redirectUri });
    const { status, headers } = await browser.request({
      method: "GET",
      url: pending.url,
      headers: { cookie: `account=${account}` },
      signal: new AbortController().signal,
      timeout: 60_000,
      maxBytes: 10_000,
    });
    if (status !== 302) throw new Error(`The login page answered ${status}.`);
    const { http } = host.effects;
    const callback = new URL(headers["location"] ?? "");
    return await finishLogin(app, pending, callback, { ...client, http, now: story.clock.now });
  });
  return await giveCredential(story, credential, subdomain);
}

/** Connects an account by what the customer typed. */
export async function giveCredential<P extends ThirdParty>(
  { app, host }: Rig<P>,
  credential: Credential,
  subdomain?: string,
): Promise<string> {
  const [auth = ""] = Object.keys(app.auth);
  const parts = subdomain === undefined ? {} : { subdomain };
  return await addConnection(host, { app: APP, auth, credential, ...parts });
}

/** Walks a customer through a setup and puts it to work. @returns id of the installation */
export async function install<P extends ThirdParty>(story: Rig<P>, wishes: Wishes): Promise<string> {
  const { id } = await story.runtime.installations.create(wishes.workflow);
  await change(story, id, wishes);
  return id;
}

/** Walks through the setup of an installation, from its beginning, and puts that to work. */
export async function change<P extends ThirdParty>(story: Rig<P>, id: string, wishes: Wishes): Promise<void> {
  await story.again(() =>
    story.runtime.installations.setup(id, async (setup) => {
      setup.go("connect");
      await walk(setup, wishes);
    }),
  );
  await story.again(() => story.runtime.activate(id));
}

async function walk(setup: Setup, wishes: Wishes): Promise<void> {
  for (;;) {
    const { current } = setup.view();
    switch (current.step) {
      case "connect":
        await setup.connect(wishes.connection);
        break;
      case "select":
        for (const [field, wish] of Object.entries(wishes.answers ?? {}))
          await answer(setup, field, wish, wishes.searches?.[field]);
        await setup.select();
        break;
      case "map":
        await setup.map({ v: 1, entries: await entriesOf(setup, wishes.mapping ?? []) });
        break;
      case "schedule":
        setup.schedule(wishes.schedule ?? "recurring");
        break;
      case "ready":
        return;
      default:
        setup.review();
    }
  }
}

async function answer(setup: Setup, id: string, wish: string | readonly string[], search?: string) {
  const { current } = setup.view();
  const field = current.step === "select" ? current.fields.find((each) => each.id === id) : undefined;
  if (field?.type !== "dropdown" && field?.type !== "multiselect")
    return await setup.answer(id, wish, search);
  const options = await setup.options(id, search);
  const choose = (shown: string): Json => {
    const found = options.find(({ display }) => display === shown);
    if (found !== undefined) return found.value;
    throw new Error(`${id} has no “${shown}”, but ${options.map(({ display }) => display).join(", ")}.`);
  };
  await setup.answer(id, typeof wish === "string" ? choose(wish) : wish.map(choose), search);
}

async function entriesOf(setup: Setup, pairs: readonly (readonly [string, string])[]) {
  const { sources, targets } = await setup.mapFields();
  return pairs.map(([from, to]) => {
    const target = fieldBy(to, targets);
    const end = endOf(target);
    if (!from.startsWith("=")) return { source: endOf(fieldBy(from, sources)), target: end };
    const fixed = target.sourceFields.find(({ title }) => `=${title}` === from);
    if (fixed === undefined) throw new Error(`${to} has no fixed value “${from}”.`);
    return { value: fixed.id, target: end };
  });
}

function fieldBy(shown: string, fields: readonly MapOption[]): MapOption {
  const name = ({ group, title }: MapOption): string => (group === undefined ? title : `${group}/${title}`);
  const found = fields.find((field) => name(field) === shown);
  if (found !== undefined) return found;
  throw new Error(`There is no field “${shown}”, but ${fields.map(name).join(", ")}.`);
}

function endOf({ group, id }: MapOption) {
  return { id, ...(group === undefined ? {} : { group }) };
}
