import { callBack } from "../call-back.ts";
import { OAuthServer } from "../oauth.ts";
import { bearerOf, loginRoute, tokenRoute } from "../oauth-routes.ts";
import { fromToken } from "../paging.ts";
import type { Answer } from "../request.ts";
import { anyText, listOf, matching, oneOf, optional, text, time, webAddress } from "../shape.ts";
import { type Call, created, type Guard, missing, noContent, ok, type ThirdParty } from "../third-party.ts";

export interface Invitee {
  readonly uri: string;
  readonly email: string;
  readonly name: string;
  readonly status: "active" | "canceled";
  readonly no_show: object | null;
  readonly [more: string]: unknown;
}

interface Meeting {
  readonly uuid: string;
  readonly kind: EventKind;
  readonly start_time: string;
  readonly limit: number;
  readonly invitees: Invitee[];
  status: "active" | "canceled";
}

interface EventKind {
  readonly id: string;
  readonly name: string;
}

const api = "https://api.calendly.com";
const user = `${api}/users/ADA`;
const organization = `${api}/organizations/ACME`;
const page = { count: optional(matching(/^([1-9]\d?|100)$/)), page_token: optional(text) };

/** Meetings that people book: resources are named by their addresses, pages by tokens, subscriptions can't be edited. */
export class Calendly implements ThirdParty {
  readonly oauth: OAuthServer;
  readonly guard: Guard;
  readonly hosts: ThirdParty["hosts"];
  readonly once = /token|^POST /;
  readonly kinds: EventKind[] = [];
  readonly meetings: Meeting[] = [];
  readonly subscriptions = new Map<string, string>();
  /** Why meetings were called off. */
  readonly reasons: string[] = [];
  #last = 0;

  constructor(now: () => number) {
    this.oauth = new OAuthServer(now, {
      lifetime: 60,
      client: "basic",
      scopes: ["users:read", "event_types:read", "scheduled_events:write", "webhooks:write"],
    });
    this.guard = bearerOf(this.oauth);
    this.hosts = {
      "auth.calendly.com": {
        "GET /oauth/authorize": loginRoute(this.oauth),
        "POST /oauth/token": tokenRoute(this.oauth),
      },
      "api.calendly.com": this.#routes(),
    };
  }

  #routes(): ThirdParty["hosts"][string] {
    return {
      "GET /users/me": {
        answer: () =>
          ok({
            resource: {
              uri: user,
              name: "Ada",
              email: "ada@example.com",
              current_organization: organization,
            },
          }),
      },
      "GET /event_types": {
        query: { ...page, user: oneOf(user), sort: oneOf("name:asc"), active: oneOf("true") },
        answer: (call) =>
          paged(
            call,
            this.kinds.map(({ id, name }) => ({ uri: `${api}/event_types/${id}`, name, active: true })),
            ({ name }) => name,
          ),
      },
      "GET /event_types/:id": {
        answer: ({ at }) => {
          const kind = this.kinds.find(({ id }) => id === at["id"]);
          const custom_questions = [{ name: "Company", type: "string", position: 0 }];
          return kind === undefined ? missing : ok({ resource: { ...kind, custom_questions } });
        },
      },
      "GET /scheduled_events": {
        query: {
          ...page,
          user: oneOf(user),
          status: oneOf("active"),
          sort: oneOf("start_time:asc"),
          min_start_time: time,
          max_start_time: optional(time),
          invitee_email: optional(text),
        },
        answer: (call) => this.#list(call),
      },
      "GET /scheduled_events/:uuid/invitees": {
        query: page,
        answer: this.#of(({ invitees }, call) => paged(call, invitees, ({ uri }) => uri)),
      },
      "POST /scheduled_events/:uuid/cancellation": {
        json: { reason: anyText },
        answer: this.#of((meeting, { given }) => {
          if (meeting.status === "canceled") return { status: 403, json: { title: "Permission Denied" } };
          meeting.status = "canceled";
          this.reasons.push(`${given["reason"]}`);
          return created({ resource: { canceled_by: "Ada", reason: given["reason"] } });
        }),
      },
      "POST /webhook_subscriptions": {
        json: {
          url: webAddress,
          events: listOf(oneOf("invitee.created", "invitee.canceled"), 1),
          organization: oneOf(organization),
          user: oneOf(user),
          scope: oneOf("user"),
        },
        answer: ({ given }) => {
          const uuid = `SUB${++this.#last}`;
          this.subscriptions.set(uuid, `${given["url"]}`);
          return created({ resource: { uri: `${api}/webhook_subscriptions/${uuid}`, state: "active" } });
        },
      },
      "DELETE /webhook_subscriptions/:uuid": {
        answer: ({ at }) => (this.subscriptions.delete(at["uuid"] ?? "") ? noContent : missing),
      },
    };
  }

  addMeeting(kind: EventKind, start: number, limit = 1): Meeting {
    const uuid = `EV${`${++this.#last}`.padStart(6, "0")}`;
    const start_time = `${new Date(start).toISOString().slice(0, 19)}Z`;
    const made: Meeting = { uuid, kind, start_time, limit, invitees: [], status: "active" };
    this.meetings.push(made);
    return made;
  }

  /** Somebody books a place in a meeting. */
  book(meeting: Meeting, who: Pick<Invitee, "email" | "name"> & Partial<Invitee>): Invitee {
    const uri = `${this.#uri(meeting)}/invitees/${`${++this.#last}`.padStart(6, "0")}`;
    const invitee: Invitee = {
      first_name: null,
      last_name: null,
      status: "active",
      no_show: null,
      text_reminder_number: null,
      timezone: "Europe/Berlin",
      questions_and_answers: [],
      tracking: { utm_source: null },
      reschedule_url: `https://calendly.com/reschedulings/${this.#last}`,
      cancel_url: `https://calendly.com/cancellations/${this.#last}`,
      ...who,
      uri,
    };
    meeting.invitees.push(invitee);
    return invitee;
  }

  /** Tells subscribers of a booking. */
  async tell(meeting: Meeting, invitee: Invitee): Promise<number[]> {
    const payload = { ...invitee, scheduled_event: this.#shown(meeting) };
    const body = JSON.stringify({ event: "invitee.created", created_by: user, payload });
    return await Promise.all(
      [...this.subscriptions.values()].map((url) =>
        callBack(url, body, { "content-type": "application/json" }),
      ),
    );
  }

  #list(call: Call): Answer {
    const { query } = call;
    const [from, to] = ["min_start_time", "max_start_time"].map((name) => Date.parse(query.get(name) ?? ""));
    const email = query.get("invitee_email");
    const found = this.meetings.filter(({ start_time, status, invitees }) => {
      const start = Date.parse(start_time);
      const isInvited = email === null || invitees.some((each) => each.email === email);
      return status === "active" && isInvited && start >= (from ?? 0) && !(start >= (to ?? Number.NaN));
    });
    return paged(
      call,
      found.map((meeting) => this.#shown(meeting)),
      ({ start_time, uri }) => `${start_time} ${uri}`,
    );
  }

  #uri({ uuid }: Meeting): string {
    return `${api}/scheduled_events/${uuid}`;
  }

  #shown(meeting: Meeting) {
    const { kind, start_time, status, limit, invitees } = meeting;
    return {
      uri: this.#uri(meeting),
      name: kind.name,
      status,
      start_time,
      event_type: `${api}/event_types/${kind.id}`,
      invitees_counter: { total: invitees.length, active: invitees.length, limit },
    };
  }

  #of(answer: (meeting: Meeting, call: Call) => Answer) {
    return (call: Call) => {
      const meeting = this.meetings.find(({ uuid }) => uuid === call.at["uuid"]);
      return meeting === undefined ? missing : answer(meeting, call);
    };
  }
}

function paged<T>({ query }: Call, all: readonly T[], placeOf: (item: T) => string): Answer {
  const sorted = all.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  const size = Number(query.get("count") ?? 20);
  const { page, next } = fromToken(sorted, placeOf, size, query.get("page_token"));
  return ok({ collection: page, pagination: { count: page.length, next_page_token: next } });
}
