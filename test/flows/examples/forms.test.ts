import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { PAPERFORM_KEY, Paperform } from "../../api/services/paperform.ts";
import { change, giveCredential, install } from "../../support/customer.ts";
import { runs } from "./runs.ts";
import { Story } from "./story.ts";

const fields = [
  { key: "mail", title: "Your email" },
  { key: "name", title: "Your name" },
  { key: "likes", title: "What you like" },
];

function submission(number: number) {
  return {
    id: `s-${number}`,
    created_at: "2025-03-01 10:00:00",
    data: { mail: `p${number}@example.com`, name: `P ${number}`, likes: ["tea", "cake"] },
  };
}

test.each(runs(2_500))("forms, $name", async ({ items, seed }) => {
  const story = await Story.begin({ example: "forms", party: () => new Paperform(), seed });
  const { party } = story;
  party.addForm("old", "Closed survey", fields, false);
  const letters = party.addForm("letters", "Newsletter", fields);
  const survey = party.addForm("survey", "Survey", fields);
  for (let number = 1; number <= items; number++) letters.submissions.push(submission(number));

  const connection = await giveCredential(story, { token: PAPERFORM_KEY });
  const respondents = {
    workflow: "paperform-add-respondents-to-contacts",
    connection,
    searches: { form: "news" },
    answers: { form: "Newsletter", submissions: ["Completed submissions"], tag: "paperform" },
    mapping: [
      ["Your email", "Email"],
      ["Your name", "First name"],
      ["What you like", "Phone"],
    ],
  } as const;
  const inbound = await install(story, respondents);
  expect((await story.runtime.installations.get(inbound)).settings).toMatchObject({
    accountId: "7",
    resourceId: "letters",
    display: "Newsletter",
  });
  // What comes while the past is imported waits for it; what the history brings as well is the same contact.
  expect(await party.submit(letters, submission(items + 1))).toEqual([200]);
  await story.work();
  expect(story.contacts().map(({ email }) => email)).toEqual(
    Array.from({ length: items + 1 }, (_, index) => `p${index + 1}@example.com`),
  );
  expect(story.kept("Contact").at(-1)).toEqual({
    fields: { email: `p${items + 1}@example.com`, first_name: `P ${items + 1}`, phone: "tea, cake" },
    tags: ["paperform"],
  });

  // Other triggers: the same webhook. Another form: a new one, and the old one goes.
  const first = [...party.webhooks.keys()];
  await change(story, inbound, {
    ...respondents,
    answers: { ...respondents.answers, submissions: ["Completed submissions", "Partial submissions"] },
  });
  await story.work();
  expect([...party.webhooks.keys()]).toEqual(first);
  expect(await party.submit(letters, submission(items + 2), "partial_submission")).toEqual([200]);
  await change(story, inbound, {
    ...respondents,
    searches: {},
    answers: { form: "Survey", submissions: ["Completed submissions"] },
  });
  await story.work();
  expect(party.state().webhooks).toEqual([{ form: "survey", triggers: ["submission"] }]);
  expect(await party.submit(letters, submission(items + 3))).toEqual([]);
  expect(await party.submit(survey, submission(items + 4))).toEqual([200]);
  await story.work();
  expect(story.contacts().slice(items + 1)).toMatchObject([
    { email: `p${items + 2}@example.com` },
    { email: `p${items + 4}@example.com` },
  ]);

  const outbound = await install(story, {
    workflow: "paperform-give-contacts-a-coupon",
    connection,
    answers: { form: "Survey", discount: "20 %", "valid-for": "30 days", "code-prefix": "THANKS" },
    mapping: [["Email", "Email"]],
  });
  const contacts = Array.from({ length: 30 }, (_, index) => ({ email: `Guest${index}@example.com` }));
  for (const contact of contacts) await story.send(outbound, contact);
  for (const contact of contacts) await story.send(outbound, contact, `${contact.email} again`);
  await story.work();
  const code = (email: string) =>
    `THANKS-${createHash("sha256").update(email.toLowerCase()).digest("hex").slice(0, 8).toUpperCase()}`;
  expect([...survey.coupons.values()].sort(byCode)).toEqual(
    contacts
      .map(({ email }) => ({
        code: code(email),
        enabled: true,
        target: "price",
        discountPercentage: 20,
        expiresAt: expect.stringMatching(/^2025-04-\d\dT[\d:]{8}Z$/),
      }))
      .sort(byCode),
  );

  await story.again(() => story.runtime.pause(inbound));
  expect(party.webhooks.size).toBe(0);
  await story.again(() => story.runtime.remove(inbound));
  await story.again(() => story.runtime.remove(outbound));
  await story.isInOrder();
});

function byCode(one: { code?: unknown }, other: { code?: unknown }): number {
  return `${one.code}` < `${other.code}` ? -1 : 1;
}
