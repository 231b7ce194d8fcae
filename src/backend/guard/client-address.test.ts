import { expect, test } from "vitest";
import { clientAddress } from "./client-address.ts";

const of = (socketAddress: string | undefined, forwardedFor: string | undefined, trustedProxies = 0) =>
  clientAddress({ socketAddress, forwardedFor, trustedProxies });

test.each([
  ["without a trusted proxy the header is nobody's word", of("203.0.113.9", "198.51.100.1"), "203.0.113.9"],
  [
    "one proxy: the last entry is true, a spoofed first one is not",
    of("10.0.0.1", "1.1.1.1, 203.0.113.9", 1),
    "203.0.113.9",
  ],
  ["two proxies: the last but one", of("10.0.0.1", "1.1.1.1, 203.0.113.9, 10.0.0.2", 2), "203.0.113.9"],
  ["fewer entries than proxies falls back to the socket", of("10.0.0.1", "203.0.113.9", 2), "10.0.0.1"],
  ["a missing header falls back to the socket", of("10.0.0.1", undefined, 1), "10.0.0.1"],
  ["IPv4 in IPv6 clothes is IPv4", of("::ffff:127.0.0.1", undefined), "127.0.0.1"],
  ["an IPv6 address counts as its /64", of("2001:db8:1:2:3:4:5:6", undefined), "2001:db8:1:2::/64"],
  ["a shortened one too", of("2001:DB8::1", undefined), "2001:db8:0:0::/64"],
  ["no address at all is still a key", of(undefined, undefined), "unknown"],
])("%s", (_, address, expected) => {
  expect(address).toBe(expected);
});
