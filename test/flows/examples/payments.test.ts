import { expect, test } from "vitest";
import { STRIPE_SECRET_KEY, Stripe } from "../../api/services/stripe.ts";
import { change, install, logIn } from "../../support/customer.ts";
import { runs } from "./runs.ts";
import { Story } from "./story.ts";

test.each(runs(2_500))("payments, $name", async ({ items, seed }) => {
  const story = await Story.begin({
    example: "payments",
    party: (now) => new Stripe(now),
    placeholders: { STRIPE_SECRET_KEY },
    seed,
  });
  const { party, clock, server } = story;
  const [ada, grace] = [party.open("acct_ada"), party.open("acct_grace")];
  const connections = [await logIn(story, ada.id), await logIn(story, grace.id)] as const;

  // Invoices of one account, by polling: what is paid after the setup.
  party.pay(ada);
  clock.advance(1_000);
  const invoices = await install(story, {
    workflow: "stripe-import-paid-invoices-as-deals",
    connection: connections[0],
    answers: { invoices: "Invoices made by hand" },
    mapping: [
      ["Title", "Title"],
      ["Amount in the smallest unit", "Value"],
      ["Currency", "Currency"],
    ],
  });
  await story.work();
  expect(story.kept("Deal")).toEqual([]);
  clock.advance(1_000);
  const paid = Array.from({ length: items }, (_, index) => {
    // Many are paid in one second.
    if (index % 7 === 0) clock.advance(1_000);
    party.pay(grace);
    return party.pay(ada, index % 10 === 9 ? { billing_reason: "subscription_cycle" } : {});
  });
  const titles = () => story.kept("Deal").map(({ fields }) => `${fields["title"]}`);
  const wanted = paid.filter(({ billing_reason }) => billing_reason === "manual");
  clock.advance(120_000);
  const cycles = await story.work();
  if (seed === undefined)
    expect(cycles.map(({ reason, requests }) => [reason, requests])).toEqual([
      ["max-results", 11],
      ["max-results", 11],
      ["iterate", 3],
    ]);
  expect(titles().toSorted()).toEqual(wanted.map(({ number }) => `Invoice ${number}`).toSorted());
  expect(story.kept("Deal")[0]?.fields).toMatchObject({ value: 4_900, currency: "eur" });
  const late = party.pay(ada);
  await story.work();
  clock.advance(120_000);
  await story.work();
  expect(titles()).toHaveLength(wanted.length + 1);
  expect(titles().at(-1)).toBe(`Invoice ${late.number}`);
  await story.again(() => story.runtime.pause(invoices));

  // Buyers of all customers, by one webhook.
  const buyers = {
    workflow: "stripe-add-buyers-to-contacts",
    answers: { "payment-link": "Spring course" },
    mapping: [
      ["Email", "Email"],
      ["First name", "First name"],
      ["Last name", "Last name"],
    ],
  } as const;
  const first = await install(story, { ...buyers, connection: connections[0] });
  const second = await install(story, { ...buyers, connection: connections[1] });
  expect(party.endpoints.size).toBe(1);
  const session = (link: string | undefined, email: string) => ({
    id: "cs_1",
    payment_link: link,
    customer_details: { email, name: "Barbara Jane Liskov", phone: null, address: { city: "Boston" } },
  });
  const [adas, graces] = [ada, grace].map(({ links }) => links[125]?.id);
  expect(await party.buy(ada, session(adas, "one@example.com"))).toEqual([200]);
  expect(await party.buy(grace, session(graces, "two@example.com"))).toEqual([200]);
  expect(await party.buy(ada, session(adas, "forged@example.com"), { forged: true })).toEqual([400]);
  expect(await party.buy(ada, session(adas, "old@example.com"), { age: 301 })).toEqual([400]);
  // Nobody follows that link, or has that link: it isn't given to anybody else.
  for (const link of [ada.links[3]?.id, graces])
    expect((await party.buy(ada, session(link, "lost@example.com")))[0]).toBeGreaterThanOrEqual(400);
  await story.work();
  // Each installation delivers for itself.
  const byEmail = story
    .kept("Contact")
    .toSorted((a, b) => (`${a.fields["email"]}` < `${b.fields["email"]}` ? -1 : 1));
  expect(byEmail).toEqual(
    ["one@example.com", "two@example.com"].map((email) => ({
      fields: { email, first_name: "Barbara", last_name: "Jane Liskov" },
      tags: ["Book", "Course"],
    })),
  );
  const urls = () => [...party.endpoints.values()].map(({ url }) => url);
  const before = urls();
  const another = { "payment-link": `https://buy.stripe.com/${ada.id}/3` };
  await change(story, first, { ...buyers, connection: connections[0], answers: another });
  await story.work();
  expect(urls()).toHaveLength(1);
  expect(before).toHaveLength(1);
  expect(await party.buy(ada, session(ada.links[3]?.id, "three@example.com"))).toEqual([200]);
  await story.work();
  expect(story.contacts()).toHaveLength(3);
  await story.again(() => story.runtime.remove(first));
  expect(party.endpoints.size).toBe(1);
  await story.again(() => story.runtime.remove(second));
  expect(party.endpoints.size).toBe(0);

  // Contacts go out to the account of their installation, each once.
  const customers = await install(story, {
    workflow: "stripe-create-or-update-customers",
    connection: connections[1],
    answers: { description: "100% of spring" },
    mapping: [
      ["Email", "Email"],
      ["First name", "First name"],
      ["Last name", "Last name"],
      ["Phone", "Phone"],
      ["=German", "Language"],
    ],
  });
  for (let number = 0; number < 20; number++) {
    const contact = { email: `c+${number}@example.com`, first_name: "Ç", last_name: `& ${number}` };
    await story.send(customers, contact);
    await story.send(customers, { ...contact, phone: "+1 202" });
  }
  await story.work();
  expect(ada.customers).toEqual([]);
  expect(grace.customers).toEqual(
    Array.from({ length: 20 }, (_, number) => ({
      id: expect.stringMatching(/^cus_/),
      email: `c+${number}@example.com`,
      name: `Ç & ${number}`,
      phone: "+1 202",
      description: "100% of spring",
      "preferred_locales[0]": "de",
    })),
  );
  // The platform's key is for its endpoints, customers' tokens for everything else.
  const keyed = server.requests.filter(
    ({ headers }) => headers.authorization === `Bearer ${STRIPE_SECRET_KEY}`,
  );
  expect(keyed.every(({ path }) => path.startsWith("/v1/webhook_endpoints"))).toBe(true);
  expect(party.oauth.reused).toBe(false);
  await story.isInOrder();
});
