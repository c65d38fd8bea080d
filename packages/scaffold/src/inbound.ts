import type { ReadCandidate } from "./guess/candidates.ts";
import { emailOf, peopleIn } from "./guess/lists.ts";
import { phrase, slug } from "./guess/name-words.ts";
import { pagingOf } from "./guess/paging.ts";
import { watermarkOf } from "./guess/watermark.ts";
import type { WebhookCandidate } from "./guess/webhook.ts";
import type { ConfigObject, Told } from "./proposal.ts";
import { jqPath, membersOf, type ObjectShape, type Path } from "./shape.ts";
import { tellNeeds, tellPaging, tellWatermark } from "./write/evidence.ts";
import type { InboundSource } from "./write/inbound.ts";
import { pollingIntake } from "./write/polling.ts";
import { historyIntake, historyName, webhookIntake } from "./write/webhook.ts";

/** The intakes of an app, and what its inbound workflow makes of what they bring. */
export interface Inbound {
  readonly intakes: readonly ConfigObject[];
  readonly source: InboundSource;
  readonly told: readonly Told[];
}

/** A list is polled. */
export function polled(read: ReadCandidate): Inbound {
  const { list, needs, choices } = read;
  const paging = pagingOf(list);
  const watermark = watermarkOf(list.operation);
  const email = emailOf(list.record);
  const name = slug(list.name) || "records";
  return {
    intakes: [pollingIntake(read, paging.value, watermark?.value)],
    source: { name: list.name, record: list.record, within: [], choices, intake: name, isScheduled: true },
    told: [
      tellPaging(list.operation.source, paging, watermark !== undefined),
      ...tellWatermark(watermark),
      ...tellNeeds(needs),
      {
        what: "contacts come from",
        taken: `\`${list.operation.source}\``,
        ...(email === undefined
          ? {
              because:
                "it looks most like a list of people, but no member looks like an email address, which contacts need",
              isOpen: true,
            }
          : whoseAddress(list.name, email.path)),
      },
    ],
  };
}

/**
 * The API sends what happens.
 *
 * @param read a list: it brings those who are there already, if its records are the same as in deliveries
 */
export function delivered(
  webhook: WebhookCandidate,
  read: ReadCandidate | undefined,
  title: string,
): Inbound {
  const { registration, events, path } = webhook;
  const history = read !== undefined && isSame(read, webhook) ? read : undefined;
  const paging = history && pagingOf(history.list);
  const intakes = [
    webhookIntake(webhook, title),
    ...(history === undefined || paging === undefined ? [] : [historyIntake(history, paging.value, path)]),
  ];
  const email = emailOf(webhook.record)?.path ?? [];
  return {
    intakes,
    source: {
      name: history?.list.name ?? "contacts",
      record: history === undefined ? webhook.record : common(webhook.record, history.list.record),
      within: path,
      choices: [],
      intake: events[0]!,
      ...(history === undefined ? {} : { history: historyName(history) }),
      isScheduled: false,
    },
    told: [
      {
        what: "contacts come from",
        taken: `${events.map((event) => `\`${event}\``).join(" and ")}, registered by \`${registration.register.source}\``,
        because: `deliveries have \`${[...path, ...email].join(".")}\``,
        isOpen: false,
      },
      {
        what: "deliveries",
        taken: "each one is taken for genuine",
        because: signatureTold(registration),
        isOpen: true,
      },
      ...(history === undefined || paging === undefined
        ? [noHistory]
        : [
            {
              what: "contacts of before",
              taken: `\`${history.list.operation.source}\`, read once`,
              because: `its records have what \`${jqPath(path)}\` of a delivery has`,
              isOpen: false,
            },
            tellPaging(history.list.operation.source, paging, false),
          ]),
    ],
  };
}

/** The address of a record that isn't called a person may be that of somebody who made it. */
function whoseAddress(name: string, path: Path): Pick<Told, "because" | "isOpen"> {
  const has = `its records have \`${path.join(".")}\``;
  const isOwn =
    path.length === 1 && /^(?:primary |work |personal )?e ?mail(?: address)?$/.test(phrase(path[0]!));
  return peopleIn(name) > 0 || isOwn
    ? { because: has, isOpen: false }
    : { because: `${has}, and aren't called people: whose address is it?`, isOpen: true };
}

/** A registration that answers with a secret says at least what deliveries are signed with. */
function signatureTold({ register }: WebhookCandidate["registration"]): string {
  const secret = [...membersOf(register.response, 2)].find(({ path }) =>
    /\b(?:secret|signing key)\b/.test(phrase(path.at(-1)!)),
  );
  return secret === undefined
    ? "a description doesn't tell how they are signed; look it up, and add `verification`"
    : `they may be signed with \`${jqPath(secret.path)}\` of the registration's answer, and a description doesn't tell how; look it up, save it, and add \`verification\``;
}

const noHistory: Told = {
  what: "contacts of before",
  taken: "none are imported",
  because: "no list without a choice has the same records as deliveries",
  isOpen: true,
};

/** Whether a list has the records of deliveries: the address, and half of the other members at least. */
function isSame({ list, choices }: ReadCandidate, { record }: WebhookCandidate): boolean {
  const email = emailOf(record)?.path.join();
  // An import is one reading: it can't go through windows one after the other.
  if (watermarkOf(list.operation)?.value.window !== undefined) return false;
  if (choices.length > 0 || email === undefined || emailOf(list.record)?.path.join() !== email) return false;
  return common(record, list.record).members.size * 2 >= record.members.size;
}

/** The members that both records have. */
function common(one: ObjectShape, other: ObjectShape): ObjectShape {
  const members = [...one.members].filter(([name, { kind }]) => other.members.get(name)?.kind === kind);
  return { ...one, members: new Map(members) };
}
