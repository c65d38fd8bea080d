import { hardTasks } from "./hard-tasks.ts";
import { judgeList } from "./judge/inbound.ts";
import { judgeContacts } from "./judge/outbound.ts";
import { judgeWebhook } from "./judge/webhook.ts";
import { basic, bearer, header } from "./services/access.ts";
import { type ContactOptions, ContactService } from "./services/contact-service.ts";
import { type HookOptions, HookService } from "./services/hook-service.ts";
import { type ListOptions, ListService } from "./services/list-service.ts";
import type { Task } from "./task.ts";

const fields =
  "The customer maps fields with the titles Email, First name and Last name to those of contacts (`PlatformContact`).";

function list(id: string, options: ListOptions): Task {
  const chosen =
    options.inLists === true ? "One dropdown lets the customer choose a list. " : "There is no form. ";
  return {
    id,
    asks: `Write an inbound app with one workflow that keeps importing people by polling, those who are there and those who are changed later. ${chosen}${fields} People without an address are left out. Nobody may be lost.`,
    document: new ListService(options, () => 0).document,
    judge: (app) => judgeList(app, options),
  };
}

function contacts(id: string, options: ContactOptions): Task {
  const form = [
    ...(options.inLists === true ? ["a dropdown for the list"] : []),
    ...(options.tags === true ? ["then an optional dropdown for a tag"] : []),
  ];
  return {
    id,
    asks: `Write an outbound app with one workflow that writes each contact of the platform to the service. ${
      form.length === 0 ? "There is no form." : `The form has ${form.join(", ")}.`
    } The target has the fields Email (required) and First name. A contact that comes again replaces what is there, and nobody may be there twice.`,
    document: new ContactService(options).document,
    judge: (app) => judgeContacts(app, options),
  };
}

function webhook(id: string, options: HookOptions): Task {
  return {
    id,
    asks: `Write an inbound app with one workflow that makes a contact of each person who signs up, by webhook. There is no form. ${fields} Forged deliveries are refused, and nothing stays registered when the customer switches the workflow off.`,
    document: new HookService(options).document,
    judge: (app) => judgeWebhook(app, options),
  };
}

/** What agents are asked for. Names of services are made up. */
export const tasks: readonly Task[] = [
  list("poll-cursor", { host: "api.alderly.example", access: bearer, paging: "cursor" }),
  list("poll-cursor-key", {
    host: "api.birchow.example",
    access: header("X-Api-Key"),
    paging: "cursor",
    items: "data",
  }),
  list("poll-pages", { host: "api.cedrin.example", access: bearer, paging: "page" }),
  list("poll-pages-sparse", { host: "api.dogwood.example", access: basic, paging: "page", sparse: true }),
  list("poll-offset", { host: "api.elmira.example", access: header("Authorization-Key"), paging: "offset" }),
  list("poll-next-url", { host: "api.firly.example", access: bearer, paging: "next-url", items: "results" }),
  list("poll-keyset", { host: "api.gorsen.example", access: bearer, paging: "after-id" }),
  list("poll-seconds", { host: "api.hazelry.example", access: bearer, paging: "cursor", time: "seconds" }),
  list("poll-milliseconds", {
    host: "api.ivyton.example",
    access: basic,
    paging: "page",
    time: "milliseconds",
  }),
  list("poll-lists", { host: "api.juniperly.example", access: bearer, paging: "cursor", inLists: true }),
  list("poll-lists-sparse", {
    host: "api.katsura.example",
    access: header("X-Token"),
    paging: "next-url",
    inLists: true,
    sparse: true,
  }),
  contacts("write-create", { host: "api.larchen.example", access: bearer, writing: "create" }),
  contacts("write-put", { host: "api.mapleby.example", access: basic, writing: "put" }),
  contacts("write-search", { host: "api.nutmeggy.example", access: bearer, writing: "search" }),
  contacts("write-keyed", { host: "api.oakum.example", access: bearer, writing: "keyed" }),
  contacts("write-form", {
    host: "api.pinery.example",
    access: header("X-Api-Key"),
    writing: "create",
    inLists: true,
    tags: true,
  }),
  webhook("hook-hex", { host: "api.quince.example", access: bearer, signature: "hex" }),
  webhook("hook-base64", {
    host: "api.rowanly.example",
    access: basic,
    signature: "base64",
    challenges: true,
  }),
  webhook("hook-token", { host: "api.sorrel.example", access: bearer, signature: "none" }),
  webhook("hook-events", {
    host: "api.tamarix.example",
    access: header("X-Key"),
    signature: "hex",
    events: true,
  }),
  ...hardTasks,
];
