import { expect, test } from "vitest";
import { SHOP_USER, Shopware } from "../../api/services/shopware.ts";
import { giveCredential, install } from "../../support/customer.ts";
import { runs } from "./runs.ts";
import { Story } from "./story.ts";

const DAY = 86_400_000;

test.each(runs(2_500))("shop, $name", async ({ items, seed }) => {
  const story = await Story.begin({ example: "shop", party: (now) => new Shopware(now), seed });
  const { party, clock } = story;
  const [, here] = party.channels;
  const there = party.channels.at(-1);
  if (here === undefined || there === undefined) throw new Error("There are no channels.");
  party.addOrder(there, { createdAt: new Date(clock.now() - 40 * DAY).toISOString() });
  for (let number = 1; number <= items; number++) {
    party.addOrder(there, { orderDateTime: "2025-03-01T10:00:00Z" });
    if (number % 50 === 0) party.addOrder(here, {});
  }
  const wanted = () =>
    party.orders.filter(({ salesChannelId }, index) => index > 0 && salesChannelId === there.id);

  const connection = await giveCredential(story, SHOP_USER, "acme");
  const orders = await install(story, {
    workflow: "shopware-import-buyers-and-orders",
    connection,
    answers: { "sales-channel": "Channel 119", "first-import": "The last 30 days" },
    mapping: [
      ["Email", "contact/Email"],
      ["Last name", "contact/Last name"],
      ["Order number", "deal/Title"],
      ["Order total", "deal/Value"],
    ],
  });
  const cycles = await story.work();
  if (seed === undefined)
    expect(cycles.map(({ reason, requests }) => [reason, requests])).toEqual([
      ["max-results", 21],
      ["max-results", 21],
      ["empty", 9],
    ]);
  const numbers = () => story.kept("Deal").map(({ fields }) => fields["title"]);
  expect(numbers()).toEqual(wanted().map(({ orderNumber }) => orderNumber));
  expect(story.contacts()).toHaveLength(items);
  expect(story.kept("Contact")[0]?.tags).toEqual(["Tea"]);
  party.addOrder(there, {});
  party.addOrder(here, {});
  await story.work();
  expect(numbers()).toEqual(wanted().map(({ orderNumber }) => orderNumber));
  await story.again(() => story.runtime.remove(orders));

  // Business customers: the poll finds them, the pipeline reads each one.
  const [retail, wholesale, partners] = party.groups;
  for (let number = 1; number <= Math.min(items, 250); number++) {
    const group = [retail, wholesale, partners][number % 3];
    party.addCustomer({
      groupId: group?.id,
      company: number % 2 === 0 ? `Company ${number}` : null,
      firstName: "C",
      lastName: `${number}`,
      email: `c${number}@example.com`,
      defaultBillingAddress: { phoneNumber: `+${number}`, country: { translated: { name: "Italy" } } },
    });
  }
  const companies = await install(story, {
    workflow: "shopware-import-companies-as-accounts",
    connection,
    answers: { "customer-groups": ["Wholesale", "Partners"] },
    mapping: [
      ["Company", "Name"],
      ["Phone", "Phone"],
    ],
  });
  await story.work();
  expect(story.kept("Account").map(({ fields }) => fields)).toEqual(
    party.customers
      .filter(({ company, groupId }) => company !== null && groupId !== retail?.id)
      .map(({ company, lastName }) => ({ name: company, phone: `+${lastName}` })),
  );
  await story.again(() => story.runtime.pause(companies));

  const tagging = await install(story, {
    workflow: "shopware-tag-customers",
    connection,
    searches: { tag: "vip" },
    answers: { tag: "VIP" },
    mapping: [["Email", "Email"]],
  });
  party.addCustomer({ email: "c1@example.com", guest: true });
  let sent = 0;
  for (const number of [1, 2, 2, 3])
    await story.send(tagging, { email: `c${number}@example.com` }, `${number} of ${sent++}`);
  await story.work();
  const tagged = party.customers.filter(({ tags }) => tags !== undefined);
  expect(tagged.map(({ email, guest, tags }) => ({ email, guest, tags }))).toEqual(
    [1, 2, 3].map((number) => ({
      email: `c${number}@example.com`,
      guest: false,
      tags: [{ id: party.tags[1]?.id }],
    })),
  );
  expect(party.logIns).toBeGreaterThan(3);
  await story.isInOrder();
  // Who has no account at the shop can't be tagged: the contact is kept, with the reason that the app gives.
  await story.again(() => story.runtime.send(tagging, { email: "nobody@example.com" }, { key: "nobody" }));
  await expect
    .poll(() => story.failures())
    .toEqual(["The shop has no registered customer with the contact's email address."]);
});
