import { callBack } from "../call-back.ts";
import { byPassword } from "../keys.ts";
import { fromToken } from "../paging.ts";
import type { Answer } from "../request.ts";
import { anyText, digits, matching, oneOf, optional, text, webAddress } from "../shape.ts";
import { anyone, type Call, created, missing, ok, type ThirdParty } from "../third-party.ts";

interface PhoneNumber {
  readonly sid: string;
  readonly phone_number: string;
  readonly capabilities: { readonly sms: boolean; readonly mms: boolean };
  readonly url: string;
}

export const TWILIO_USER = { username: "AC1", password: "canary-twilio-token" };
export const PICTURE = "https://pictures.example/spring%20sale.png";

const list = { PageSize: optional(digits), Page: optional(digits), PageToken: optional(text) };
const message = {
  To: matching(/^\+[1-9]\d{6,14}$/),
  From: matching(/^\+\d+$/),
  Body: optional(anyText),
  MediaUrl: optional(webAddress),
  ValidityPeriod: optional(digits),
};
const home = "/2010-04-01/Accounts/:account";

/** Text messages: forms in, pages by the link to the next one, a webhook that is a member of a phone number. */
export class Twilio implements ThirdParty {
  readonly guard = byPassword({ [TWILIO_USER.username]: TWILIO_USER.password });
  readonly once = /^POST .*Messages/;
  readonly numbers = new Map<string, PhoneNumber>();
  readonly messages: Readonly<Record<string, unknown>>[] = [];
  readonly #accounts = [
    { sid: "AC2", friendly_name: "Branch", owner_account_sid: "AC1", status: "active" },
    { sid: "AC1", friendly_name: "Acme", owner_account_sid: "AC1", status: "active" },
    { sid: "AC3", friendly_name: "Closed", owner_account_sid: "AC1", status: "closed" },
  ];

  readonly hosts: ThirdParty["hosts"] = {
    "api.twilio.com": {
      "GET /2010-04-01/Accounts.json": {
        query: { ...list, Status: optional(oneOf("active", "closed")) },
        answer: (call) => {
          const wanted = call.query.get("Status");
          const found = this.#accounts.filter(({ status }) => wanted === null || status === wanted);
          return paged(call, "accounts", found);
        },
      },
      [`GET ${home}/IncomingPhoneNumbers.json`]: {
        query: { ...list, PhoneNumber: optional(text) },
        answer: (call) => {
          const typed = call.query.get("PhoneNumber") ?? "";
          const found = [...this.numbers.values()].filter((each) => each.phone_number.includes(typed));
          return paged(call, "incoming_phone_numbers", found.map(shown));
        },
      },
      [`POST ${home}/IncomingPhoneNumbers/:sid.json`]: {
        form: { SmsUrl: anyText, SmsMethod: optional(oneOf("POST")) },
        answer: ({ at, given }) => {
          const found = this.numbers.get(at["sid"] ?? "");
          if (found === undefined) return missing;
          this.numbers.set(found.sid, { ...found, url: `${given["SmsUrl"]}` });
          return ok({ ...shown(found), account_sid: at["account"] });
        },
      },
      [`POST ${home}/Messages.json`]: {
        form: message,
        answer: ({ given }) => {
          this.messages.push(given);
          return created({ sid: `SM${this.messages.length}`, status: "queued" });
        },
      },
    },
    "pictures.example": { "HEAD /spring%20sale.png": { guard: anyone, answer: () => ({}) } },
  };

  constructor() {
    for (let number = 0; number < 130; number++)
      this.numbers.set(`PN${number}`, {
        sid: `PN${number}`,
        phone_number: `+1202555${`${number}`.padStart(4, "0")}`,
        capabilities: { sms: number !== 5, mms: number > 100 },
        url: "",
      });
  }

  /** Somebody texts one of the numbers. */
  async text(sid: string, from: string, body: string, more: Readonly<Record<string, string>> = {}) {
    const { url = "" } = this.numbers.get(sid) ?? {};
    const form = new URLSearchParams({
      From: from,
      Body: body,
      FromCity: "ROMA",
      FromCountry: "IT",
      ...more,
    });
    return await callBack(url, form.toString(), { "content-type": "application/x-www-form-urlencoded" });
  }

  state() {
    return { listening: this.#listening(), messages: this.messages };
  }

  #listening(): string[] {
    return [...this.numbers.values()].flatMap(({ sid, url }) => (url === "" ? [] : [sid]));
  }
}

function shown({ url, ...number }: PhoneNumber) {
  return { ...number, friendly_name: number.phone_number, sms_url: url };
}

function paged(call: Call, name: string, all: readonly { readonly sid: string }[]): Answer {
  const { query, path } = call;
  const place = ({ sid }: { readonly sid: string }): string =>
    `${all.findIndex((each) => each.sid === sid)}`.padStart(6, "0");
  const size = Number(query.get("PageSize") ?? 50);
  const { page, next } = fromToken(all, place, size, query.get("PageToken"));
  const following = new URLSearchParams(query);
  following.set("Page", `${Number(query.get("Page") ?? 0) + 1}`);
  following.set("PageToken", next ?? "");
  return ok({ [name]: page, next_page_uri: next === null ? null : `${path}?${following}` });
}
