import type { ApiDescription, Operation } from "./description.ts";
import { type AccountRequest, type AnyRequest, accountOf } from "./guess/account.ts";
import {
  type LeftOut,
  type ReadCandidate,
  readCandidates,
  readsLeftOut,
  type WriteCandidate,
  writeCandidates,
  writesLeftOut,
} from "./guess/candidates.ts";
import type { Guess } from "./guess/guess.ts";
import { rateLimitOf } from "./guess/limits.ts";
import { emailOf, peopleIn } from "./guess/lists.ts";
import { slug } from "./guess/name-words.ts";
import { webhookOf } from "./guess/webhook.ts";
import { delivered, type Inbound, polled } from "./inbound.ts";
import type { ConfigObject, Proposal, Told } from "./proposal.ts";
import { withPlainNames } from "./read/plain-names.ts";
import { authEntry } from "./write/auth.ts";
import { inboundWorkflow } from "./write/inbound.ts";
import { outboundWorkflow } from "./write/outbound.ts";
import { pagination } from "./write/pagination.ts";

/** What a person wants otherwise than it would be guessed. */
export interface ProposeOptions {
  /** What the service is called. Default: as its description says. */
  readonly title?: string;
  /**
   * The list to poll, as `GET /contacts`, or the request that registers a webhook, as `POST /hooks`, or an empty text for none.
   * Default: a webhook if the description tells enough of it, else the likeliest list.
   */
  readonly read?: string | undefined;
  /** The request to send for each contact, as `POST /contacts`, or an empty text for none. Default: the likeliest. */
  readonly write?: string | undefined;
}

/**
 * Proposes an app: authorisation, base URL, limits, an intake, and workflows for both directions, as far as the description
 * tells them.
 *
 * @returns a config to go on from, and what each part of it rests on; what nothing tells is marked as open
 */
export function propose(described: ApiDescription, options: ProposeOptions = {}): Proposal {
  const description = withPlainNames(described);
  const title = options.title ?? description.title;
  const told: Told[] = [];
  const inbound = inboundOf(description, options.read, title);
  const write = chosen(writeCandidates(description), options.write, ({ operation }) => operation);
  const account = accountOf(description);
  const base = baseOf(description, told);
  const used = [...(inbound?.uses ?? []), write?.operation, account?.value.operation].filter(
    (each) => each !== undefined,
  );
  const auth = authEntry(
    description,
    used.flatMap(({ scopes }) => scopes),
    base + (account?.value.operation.path ?? "/"),
  );
  told.push(auth.told, accountTold(account));
  const name = slug(title) || "service";
  const parts = { title, name, account: account?.value, pages: false };
  const asked = [...(inbound?.source.choices ?? []), ...(write?.choices ?? [])];
  const pages = pagination(asked.flatMap(({ from }) => (from === undefined ? [] : [from.list])));
  const withPages = { ...parts, pages: pages !== undefined };
  const limit = rateLimitOf(description.about);
  if (limit !== undefined)
    told.push({
      what: "rate limit",
      taken: `${limit.value.requests} requests in ${limit.value.period} s`,
      because: limit.because,
      isOpen: true,
    });
  const intakes = inbound?.intakes ?? [];
  told.push(...(inbound?.told ?? []));
  const workflows = [
    ...(inbound === undefined ? [] : [inboundWorkflow(inbound.source, withPages)]),
    ...(write === undefined ? [] : [outboundWorkflow(write, withPages, told)]),
  ];
  if (options.read === undefined && inbound?.source.isScheduled !== false)
    told.push(...tellLeftOut("a list that isn't read", readsLeftOut(description)));
  if (options.write === undefined)
    told.push(...tellLeftOut("a request that isn't sent", writesLeftOut(description)));
  const quota = limit && { read: limit.value, write: limit.value };
  return {
    config: {
      $version: "2",
      auth: { [name]: withSubdomain(auth.entry, base, title) },
      api: {
        base_url: base,
        ...(quota === undefined ? {} : { rate_limit: { user: quota as unknown as ConfigObject } }),
        ...(pages === undefined ? {} : { pagination: pages }),
      },
      ...(intakes.length === 0 ? {} : { data_intake: intakes }),
      workflows,
    },
    told,
  };
}

/** What would be likelier, and asks a customer for too much. */
function tellLeftOut(what: string, left: readonly LeftOut[]): readonly Told[] {
  return left.slice(0, MOST_LEFT_OUT).map(({ operation, wants }) => ({
    what,
    taken: `\`${operation.source}\``,
    because: `a customer would have to choose or fill in ${wants.map((name) => `\`${name}\``).join(", ")}`,
    isOpen: true,
  }));
}

/** More than that say nothing new. */
const MOST_LEFT_OUT = 2;

/** A host with a part that is the customer's own needs a field that asks for it. */
function withSubdomain(entry: ConfigObject, base: string, title: string): ConfigObject {
  if (!base.includes("${subdomain}")) return entry;
  const subdomain = {
    label: "Subdomain",
    placeholder: "",
    help_text: `The first part of your address of ${title}.`,
  };
  return {
    ...entry,
    defined_fields: { ...(entry["defined_fields"] as ConfigObject | undefined), subdomain },
  };
}

function chosen<Candidate>(
  candidates: readonly Candidate[],
  wanted: string | undefined,
  operationOf: (candidate: Candidate) => Operation,
): Candidate | undefined {
  return wanted === undefined
    ? candidates[0]
    : candidates.find((each) => operationOf(each).source === wanted);
}

function baseOf({ baseUrls }: ApiDescription, told: Told[]): string {
  const [base, ...others] = baseUrls;
  if (base === undefined) {
    told.push({
      what: "base URL",
      taken: "`https://api.example.com`",
      because: "no absolute address is described",
      isOpen: true,
    });
    return "https://api.example.com";
  }
  told.push({
    what: "base URL",
    taken: `\`${base}\``,
    because:
      others.length === 0 ? "it is the only server" : `it is the first of ${others.length + 1} servers`,
    isOpen: false,
  });
  return base;
}

function accountTold(account: Guess<AccountRequest | AnyRequest> | undefined): Told {
  return account === undefined
    ? {
        what: "the account",
        taken: "a request to `/`",
        because: "no request without parameters gives an id",
        isOpen: true,
      }
    : {
        what: "the account",
        taken:
          "id" in account.value
            ? `\`${account.value.operation.source}\`, by \`${[...account.value.path, account.value.id].join(".")}\``
            : `\`${account.value.operation.source}\`, which only shows that the credentials are right`,
        because: account.because,
        isOpen: account.isOpen === true,
      };
}

/** What people come from, with the requests that are sent for it. */
function inboundOf(
  description: ApiDescription,
  wanted: string | undefined,
  title: string,
): (Inbound & { readonly uses: readonly Operation[] }) | undefined {
  const lists = readCandidates(description);
  const webhook = webhookOf(description);
  if (webhook !== undefined && (wanted === undefined || wanted === webhook.registration.register.source)) {
    const { register, remove } = webhook.registration;
    const found = delivered(webhook, lists[0], title);
    const past = found.source.history === undefined ? undefined : lists[0]?.list.operation;
    return { ...found, uses: [register, remove, ...(past === undefined ? [] : [past])] };
  }
  const read = chosen(lists, wanted, ({ list }) => list.operation);
  // A list of tags beside a request that takes contacts is there to choose from.
  if (
    read !== undefined &&
    wanted === undefined &&
    !hasPeople(read) &&
    writeCandidates(description).some(takesPeople)
  )
    return undefined;
  return read === undefined ? undefined : { ...polled(read), uses: [read.list.operation] };
}

function hasPeople({ list }: ReadCandidate): boolean {
  return emailOf(list.record) !== undefined || peopleIn(list.name) > 0;
}

function takesPeople({ operation: { path }, placement }: WriteCandidate): boolean {
  const last = path.split("/").findLast((part) => part !== "" && !part.includes("{")) ?? "";
  return emailOf(placement.record) !== undefined || peopleIn(last) > 0;
}

export type { ReadCandidate, WriteCandidate };
