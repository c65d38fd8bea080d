import { callBack } from "../call-back.ts";
import { byKey } from "../keys.ts";
import {
  boolean,
  digits,
  listOf,
  matching,
  number,
  oneOf,
  optional,
  text,
  time,
  webAddress,
} from "../shape.ts";
import { type Call, created, missing, noContent, ok, type ThirdParty } from "../third-party.ts";

export interface Submission {
  readonly id: string;
  readonly created_at: string;
  /** Answers by the key of their question. */
  readonly data: Readonly<Record<string, unknown>>;
}

interface Form {
  readonly id: string;
  readonly title: string;
  readonly live: boolean;
  readonly fields: readonly { readonly key: string; readonly title: string }[];
  readonly submissions: Submission[];
  readonly coupons: Map<string, Readonly<Record<string, unknown>>>;
}

interface Webhook {
  readonly id: string;
  readonly form: string;
  readonly target_url: string;
  readonly triggers: readonly string[];
}

export const PAPERFORM_KEY = "canary-paperform-key";

const list = {
  limit: optional(matching(/^([1-9]\d?|100)$/)),
  skip: optional(digits),
  sort: optional(oneOf("ASC", "DESC")),
};
const webhook = {
  target_url: webAddress,
  triggers: listOf(oneOf("submission", "partial_submission"), 1),
};
const coupon = {
  enabled: boolean,
  target: oneOf("price", "product", "subscription"),
  discountPercentage: number,
  expiresAt: { fits: (value: unknown) => value === null || time.fits(value) },
};

/** A form builder: lists by `limit` and `skip`, webhooks of a form, coupons by their code. */
export class Paperform implements ThirdParty {
  readonly guard = byKey("authorization", "Bearer ", { [PAPERFORM_KEY]: "ada" });
  readonly once = /^POST .*\/webhooks$/;
  readonly forms = new Map<string, Form>();
  readonly webhooks = new Map<string, Webhook>();
  #last = 0;

  readonly hosts = {
    "api.paperform.co": {
      "GET /v1/spaces": {
        query: list,
        answer: (call: Call) => listed(call, "spaces", [{ id: 7, name: "Ada's space" }]),
      },
      "GET /v1/forms": {
        query: { ...list, search: optional(text) },
        answer: (call: Call) => {
          const search = (call.query.get("search") ?? "").toLowerCase();
          const found = [...this.forms.values()].filter(({ title }) => title.toLowerCase().includes(search));
          const shown = found.map(({ id, title, live }) => ({ id, title, live, slug: title.toLowerCase() }));
          return listed(call, "forms", shown);
        },
      },
      "GET /v1/forms/:form/fields": {
        answer: this.#of(({ fields }) => ok({ status: "ok", results: { fields } })),
      },
      "GET /v1/forms/:form/submissions": {
        query: list,
        answer: this.#of(({ id, submissions }, call) =>
          listed(
            call,
            "submissions",
            submissions.map((each) => ({ ...each, form_id: id })),
          ),
        ),
      },
      "POST /v1/forms/:form/webhooks": {
        json: webhook,
        answer: this.#of(({ id: form }, { given }) => {
          const made = { ...(given as unknown as Webhook), id: `wh-${++this.#last}`, form };
          this.webhooks.set(made.id, made);
          return created({ status: "ok", results: { webhook: made } });
        }),
      },
      "PUT /v1/webhooks/:id": {
        json: webhook,
        answer: ({ at, given }: Call) => {
          const known = this.webhooks.get(at["id"] ?? "");
          if (known === undefined) return missing;
          this.webhooks.set(known.id, { ...known, ...(given as Partial<Webhook>) });
          return ok({ status: "ok", results: { webhook: known } });
        },
      },
      "DELETE /v1/webhooks/:id": {
        answer: ({ at }: Call) => (this.webhooks.delete(at["id"] ?? "") ? noContent : missing),
      },
      "GET /v1/forms/:form/coupons": {
        answer: this.#of(({ coupons }) => ok({ status: "ok", results: { coupons: [...coupons.values()] } })),
      },
      "POST /v1/forms/:form/coupons": {
        json: { ...coupon, code: text },
        answer: this.#of(({ coupons }, { given }) => {
          const code = `${given["code"]}`;
          if (coupons.has(code)) return { status: 422, json: { status: "error", message: "code is taken" } };
          coupons.set(code, given);
          return created({ status: "ok", results: { coupon: given } });
        }),
      },
      "PUT /v1/forms/:form/coupons/:code": {
        json: coupon,
        answer: this.#of(({ coupons }, { at, given }) => {
          const code = at["code"] ?? "";
          if (!coupons.has(code)) return missing;
          coupons.set(code, { ...coupons.get(code), ...given });
          return ok({ status: "ok", results: { coupon: coupons.get(code) } });
        }),
      },
    },
  };

  addForm(id: string, title: string, fields: Form["fields"], live = true): Form {
    const form = { id, title, live, fields, submissions: [], coupons: new Map() };
    this.forms.set(id, form);
    return form;
  }

  /** Somebody answers a form: those who follow it are told. */
  async submit(form: Form, submission: Submission, trigger = "submission"): Promise<number[]> {
    if (trigger === "submission") form.submissions.push(submission);
    const { id: submission_id, created_at, data } = submission;
    const answers = Object.entries(data).map(([key, value]) => ({ key, type: "text", title: key, value }));
    const body = JSON.stringify({ submission_id, form_id: form.id, trigger, created_at, data: answers });
    const followers = [...this.webhooks.values()].filter(
      (each) => each.form === form.id && each.triggers.includes(trigger),
    );
    return await Promise.all(
      followers.map(({ target_url }) => callBack(target_url, body, { "content-type": "application/json" })),
    );
  }

  #of(answer: (form: Form, call: Call) => ReturnType<typeof ok>) {
    return (call: Call) => {
      const form = this.forms.get(call.at["form"] ?? "");
      return form === undefined ? missing : answer(form, call);
    };
  }

  state() {
    return {
      webhooks: [...this.webhooks.values()].map(({ form, triggers }) => ({ form, triggers })),
      coupons: [...this.forms.values()].map(({ coupons }) => [...coupons.values()]),
    };
  }
}

/** Without a sort the newest come first. */
function listed({ query }: Call, name: string, all: readonly unknown[]) {
  const skip = Number(query.get("skip") ?? 0);
  const limit = Number(query.get("limit") ?? 20);
  const sorted = query.get("sort") === "ASC" ? all : all.toReversed();
  const page = sorted.slice(skip, skip + limit);
  const has_more = skip + limit < all.length;
  return ok({ status: "ok", results: { [name]: page }, total: all.length, has_more, limit, skip });
}
