import { isPublicAddress } from "@configc/host";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../src/http/address.ts";
import { cloudServices } from "../../src/http/cloud-services.ts";

/** Judged by the guard's own functions: nothing here is connected to. */
const refused = (host: string) => refusalOf(new URL(`http://${host}/`));

describe("services that clouds have for their own machines are refused", () => {
  const all = cloudServices.flatMap(({ provider, addresses, names }) => [
    ...addresses.map((address) => [provider, address.replace(/\/\d+$/, "")] as const),
    ...names.map((name) => [provider, name] as const),
  ]);
  test.each(all)("%s: %s", (provider, host) => {
    const text = refused(host.includes(":") ? `[${host}]` : host);
    // Several share one address; the first of them is named.
    if (host === "169.254.169.254") expect(text).toMatch(/ is one of .+'s own/);
    else expect(text).toContain(`${provider}'s own`);
    expect(text).toContain("allowPrivateNetwork");
  });
  test.each(cloudServices.map(({ page }) => page))("described at %s", (page) => {
    expect(new URL(page).protocol).toBe("https:");
  });
});

/** 168.63.129.16 is a83f:8110; its complement is 57c0:7eef. */
test.each([
  ["168.63.129.16"],
  ["2822734096"],
  ["0xa83f8110"],
  ["0250.077.0201.020"],
  ["168.63.129.16."],
  ["[::ffff:168.63.129.16]"],
  ["[::168.63.129.16]"],
  ["[::ffff:0:168.63.129.16]"],
  ["[64:ff9b::168.63.129.16]"],
  ["[64:ff9b:1::168.63.129.16]"],
  ["[2002:a83f:8110::1]"],
  ["[2001:0:1:2:3:4:57c0:7eef]"],
  ["[2600:1f18::168.63.129.16]"],
  ["[2600:1f18::5efe:168.63.129.16]"],
  ["[2600:1f18::200:5efe:168.63.129.16]"],
  ["161.26.255.255"],
  ["166.11.255.255"],
])("%s", (host) => expect(refused(host)).toContain("'s own"));

test.each([["METADATA.google.internal"], ["metadata.google.internal."], ["metadata.goog"]])(
  "the name %s, however it is written",
  (host) => expect(refused(host)).toContain("Google Cloud's own, for the metadata service"),
);

test("an interface of ISATAP is judged by the address in it", () => {
  expect(isPublicAddress("2600:1f18::5efe:10.0.0.1")).toBe(false);
  expect(isPublicAddress("2600:1f18::5efe:93.184.215.14")).toBe(true);
});

test.each([
  "168.63.129.15",
  "168.63.129.17",
  "161.25.255.255",
  "161.27.0.0",
  "166.7.255.255",
  "166.12.0.0",
  "192.80.8.125",
  "[2600:1f18::a83f:8111]",
  "[2600:1f18::a00:1]",
  "[2600:1f18:0:1:1:2:a83f:8110]",
  "metadata.example.com",
  "api.example.com",
])("%s beside them is public", (host) => expect(refused(host)).toBeUndefined());
