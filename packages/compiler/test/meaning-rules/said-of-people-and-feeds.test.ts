import { describe, expect, test } from "vitest";
import { findings } from "../support/rule-findings.ts";

describe("value/excluded-person: a comment says who is the contact", () => {
  const told = (comment: string, program: string): number =>
    findings("value/excluded-person", "inbound-webhook", {
      "/workflows/0/data_pipeline/_comment": comment,
      "/workflows/0/data_pipeline/source": { "!jq": program },
    }).length;
  test.each([
    "The contact is the customer, not the owner",
    "owner is the agent, never the contact",
    "The contact comes from customer, not from owner.",
    "customer becomes the contact",
    "owner is our own staff and must not become a contact",
    "Contacts are made of customer only, owner is an employee",
    "owner is the sales rep who holds the job, customer is the person who ordered",
    "customer is the person to write to; owner works for us.",
    "Make the contact from customer (owner is the user of the CRM).",
    "Don't use owner as contact, it's the technician.",
    "owner: internal user, customer: the contact",
    "The person the job is for is in customer, the one who does it in owner.",
    "amount is in cents, customer is who becomes the contact, owner is the salesperson",
  ])("%s", (comment) => {
    expect(told(comment, "{email: .owner.email}")).toBe(1);
    expect(told(comment, "{email: .customer.email}")).toBe(0);
    // What a record has besides isn't the contact.
    expect(told(comment, "{email: .customer.email, owner_email: .owner.email}")).toBe(0);
    expect(told(comment, "{email: .customer.email, owner: {email: .owner.email}}")).toBe(0);
  });
  test.each([
    "The owner is the contact.",
    "owner may become the contact too.",
    "customer isn't the contact but the company.",
    "The owner of the building is the contact.",
    "The contact is customer, or owner where customer is null.",
  ])("nothing is told: %s", (comment) => {
    for (const person of ["owner", "customer"]) expect(told(comment, `{email: .${person}.email}`)).toBe(0);
  });
});

describe("polling/head-watermark: a comment says where a feed goes on", () => {
  const told = (comment: string, key: string, value: string): number =>
    findings("polling/head-watermark", "inbound-polling", {
      "/data_intake/0/_comment": comment,
      "/data_intake/0/initial_setup": { "!jq": `{polling_state: {${key}: 0}}` },
      "/data_intake/0/pre_poll": undefined,
      "/data_intake/0/post_poll": undefined,
      "/data_intake/0/request/!pipe/0/!http/params": { [key]: `\${polling_state.${key}}`, limit: 100 },
      "/data_intake/0/request/!pipe/1/!jq": `{results: .items, iterate: .more, polling_state: {${key}: (${value})}}`,
    }).length;
  test.each([
    ["after", "The next poll goes on after the last record read."],
    ["after", "after takes the id of the last record read"],
    ["since_id", "since_id is the id of the last job that was read"],
    ["after", "Pass the next_token of the last page to go on."],
    ["after", "Continue from the token of the last page, not from the newest of the list"],
    ["after", "The feed goes on from the last event read, not the newest of all"],
    ["cursor", "Use the cursor from the last page in the next call."],
    ["cursor", "cursor: the one that the last page answered"],
    ["after", "To resume, send the id of the last event of the page."],
    ["cursor", "Each page has a next_cursor; the one of the last page is where the next poll starts"],
    ["after", "Resume at the last record's sequence."],
    ["after", "Go on with next_token, newest_id is the newest of the whole list and not of the page."],
    ["after", "newest_id is the newest id of all, not the last one on this page"],
  ])("%s: %s", (key, comment) => {
    expect(told(comment, key, ".newest_id")).toBe(1);
    expect(told(comment, key, `.items[-1].id // \${polling_state.${key}}`)).toBe(0);
    expect(told(comment, key, ".next_token")).toBe(0);
  });
  test.each([
    "The next poll starts from the time of the last one.",
    "The cursor isn't of use after the last page.",
    "The last record of the page is a sum and has no id.",
    "latest_id is the last id of this page.",
    "The feed of contacts goes on after the last record read.",
    // What is said of the member itself decides.
    "The next poll goes on after the last record read; latest_id is that of the page.",
  ])("nothing is told: %s", (comment) => {
    expect(told(comment, "after", ".latest_id")).toBe(0);
  });
});

describe("http/shown-in-path: a comment says which of two a request takes", () => {
  const told = (comment: string, read: string): number =>
    findings("http/shown-in-path", "outbound", {
      "/workflows/0/data_pipeline/target": {
        "!pipe": [
          {
            _comment: comment,
            "!http": { method: "POST", path: "/jobs", body: { email: "${piped_content.0.email}" } },
          },
          { "!http": { method: "POST", path: `/jobs/\${piped_content.1.job.${read}}/release` } },
        ],
      },
    }).length;
  test.each([
    "PUT /jobs takes the id and not the number",
    "The path takes the id, not the number.",
    "Updates go by id, not by number",
    "Jobs are addressed by their id; number is only for people.",
    "number is for display only, requests take id",
    "Use id in the path, never number.",
    "number is what people see, id is what the API takes.",
    "The job is looked up by id (number isn't accepted)",
    "Requests need the id rather than the number.",
    "A note is posted to the job's id; its number gives a 404",
    "id, not number, identifies a job",
    "the API only knows jobs by id, number is printed on the invoice",
    "/jobs/{id} wants id instead of number",
    "amount is in cents; the path takes id (not number)",
  ])("%s", (comment) => {
    expect([told(comment, "number"), told(comment, "id")]).toEqual([1, 0]);
  });
  test.each([
    "The path takes the number, not the id.",
    "The path takes either id or number.",
    "Invoices are addressed by their id, jobs by number.",
    "The id isn't a number.",
    "id is a number and not text.",
    "PUT /invoices takes the id and not the number",
  ])("nothing is told: %s", (comment) => {
    expect([told(comment, "number"), told(comment, "id")]).toEqual([0, 0]);
  });
});
