import { expect, test } from "vitest";
import { Zendesk } from "../../api/services/zendesk.ts";
import { change, install, logIn } from "../../support/customer.ts";
import { runs } from "./runs.ts";
import { Story } from "./story.ts";

test.each(runs(60))("help desk, $name", async ({ items, seed }) => {
  const story = await Story.begin({ example: "help-desk", party: (now) => new Zendesk(now), seed });
  const { party, clock } = story;
  const connection = await logIn(story, "ada", "acme");

  // People who open a ticket: two installations share the webhook of the connection, each has its brand.
  const opened = {
    workflow: "zendesk-import-people-who-open-a-ticket",
    connection,
    answers: { brand: "Acme" },
    mapping: [
      ["Requester email", "Email"],
      ["Requester first name", "First name"],
      ["Requester last name", "Last name"],
      ["Ticket number", "Phone"],
    ],
  } as const;
  const first = await install(story, opened);
  const second = await install(story, { ...opened, answers: { brand: "Emca" } });
  expect(party.webhooks.size).toBe(1);
  for (let number = 1; number <= items; number++) {
    const email = number % 10 === 0 ? null : `p${number}@example.com`;
    const requester = party.addUser({ name: `P ${number} Q`, email, phone: null, time_zone: "Rome" });
    expect(await party.open(requester, number % 2 === 0 ? 31 : 32)).toEqual([200]);
    if (number === 1) {
      expect(await party.open(requester, 31, { forged: true })).toEqual([401]);
      expect((await party.open(requester, 33))[0]).toBeGreaterThanOrEqual(400);
    }
    if (number % 20 === 0) clock.advance(90_000);
  }
  await story.work();
  const numbers = Array.from({ length: items }, (_, index) => index + 1).filter((each) => each % 10 !== 0);
  expect(
    story
      .contacts()
      .map(({ email }) => email)
      .toSorted(),
  ).toEqual(numbers.map((number) => `p${number}@example.com`).toSorted());
  expect(story.kept("Contact")[0]).toMatchObject({
    fields: { first_name: "P", last_name: expect.stringMatching(/^\d+ Q$/) },
    tags: ["zendesk", "web"],
  });
  await change(story, first, { ...opened, mapping: opened.mapping.slice(0, 2) });
  await story.work();
  expect(party.webhooks.size).toBe(1);
  expect(await party.open(party.addUser({ name: "New", email: "new@example.com" }), 31)).toEqual([200]);
  await story.work();
  expect(story.contacts().at(-1)).toEqual({ email: "new@example.com", first_name: "New" });
  await story.again(() => story.runtime.remove(first));
  expect(party.webhooks.size).toBe(1);
  await story.again(() => story.runtime.pause(second));
  expect(party.webhooks.size).toBe(0);

  // Tickets: one for each contact and text, however often it is asked for.
  const tickets = await install(story, {
    workflow: "zendesk-create-a-ticket",
    connection,
    answers: {
      group: "Group 110",
      assignee: "Agent of 610",
      subject: "Onboarding",
      message: "%FIRST_NAME% (100 %) wants to start.",
      visibility: "Internal note",
      tags: ["tag-3 (3)", "tag-220 (220)"],
    },
    mapping: [
      ["First name", "Requester name"],
      ["Email", "Requester email"],
      ["=High", "Priority"],
    ],
  });
  const users = await install(story, {
    workflow: "zendesk-create-or-update-an-end-user",
    connection,
    mapping: [
      ["First name", "Name"],
      ["Email", "Email"],
      ["Last name", "Plan"],
    ],
  });
  const before = party.users.size;
  for (let number = 0; number < 20; number++) {
    const contact = { email: `c${number}@example.com`, first_name: `C ${number}`, last_name: "Gold" };
    await story.send(tickets, contact);
    await story.send(tickets, contact, `again ${number}`);
    await story.send(users, contact);
    await story.send(users, { ...contact, last_name: "Silver" });
  }
  await story.work();
  expect(party.tickets.map(({ id: _, ...ticket }) => ticket)).toEqual(
    Array.from({ length: 20 }, (_, number) => ({
      subject: "Onboarding",
      comment: { body: `C ${number} (100 %) wants to start.`, public: false },
      requester: { name: `C ${number}`, email: `c${number}@example.com` },
      group_id: 610,
      assignee_id: 71,
      tags: ["tag-3", "tag-220"],
      priority: "high",
    })),
  );
  expect([...party.users.values()].slice(before)).toEqual(
    Array.from({ length: 20 }, (_, number) => ({
      id: expect.any(Number),
      name: `C ${number}`,
      email: `c${number}@example.com`,
      user_fields: { plan: "Silver" },
    })),
  );
  expect(party.oauth.refreshes).toBeGreaterThan(1);
  expect(party.oauth.reused).toBe(false);
  await story.isInOrder();
});
