import { expect, test } from "vitest";
import { clientAddress } from "./client-address.ts";

const of = (socketAddress: string | undefined, forwardedFor: string | undefined, trustedProxies = 0) =>
  clientAddress({ socketAddress, forwardedFor, trustedProxies });

test.each([
  ["without a trusted proxy the header is ignored", of("203.0.113.9", "198.51.100.1"), "203.0.113.9"],
  [
    "one proxy: the last entry counts, not a spoofed first one",
    of("10.0.0.1", "1.1.1.1, 203.0.113.9", 1),
    "203.0.113.9",
  ],
  ["two proxies: the last but one", of("10.0.0.1", "1.1.1.1, 203.0.113.9, 10.0.0.2", 2), "203.0.113.9"],
  ["fewer entries than proxies falls back to the socket", of("10.0.0.1", "203.0.113.9", 2), "10.0.0.1"],
  ["a missing header falls back to the socket", of("10.0.0.1", undefined, 1), "10.0.0.1"],
  ["an IPv4-mapped IPv6 address is IPv4", of("::ffff:127.0.0.1", undefined), "127.0.0.1"],
  ["an IPv6 address counts as its /64", of("2001:db8:1:2:3:4:5:6", undefined), "2001:db8:1:2::/64"],
  ["a shortened IPv6 address counts as its /64", of("2001:DB8::1", undefined), "2001:db8:0:0::/64"],
  ["a port is ignored", of("10.0.0.1", "203.0.113.9:50001", 1), "203.0.113.9"],
  ["brackets and a port are ignored", of("10.0.0.1", "[2001:db8:1:2::9]:567", 1), "2001:db8:1:2::/64"],
  ["quotes are ignored", of("10.0.0.1", '"[2001:db8:1:2::9]:567"', 1), "2001:db8:1:2::/64"],
  ["brackets are ignored", of("10.0.0.1", "[2001:db8:1:2::9]", 1), "2001:db8:1:2::/64"],
  ["leading zeros and capitals are ignored", of("10.0.0.1", "2001:0DB8:0001:2::", 1), "2001:db8:1:2::/64"],
  ["a zone is ignored", of("10.0.0.1", "fe80::1%eth0", 1), "fe80:0:0:0::/64"],
  ["a zone in brackets is ignored", of("10.0.0.1", "[fe80::1%25eth0]:80", 1), "fe80:0:0:0::/64"],
  ["an IPv4-mapped address with a port is IPv4", of("10.0.0.1", "[::ffff:203.0.113.9]:80", 1), "203.0.113.9"],
  ["an IPv4-mapped address in hexadecimal is IPv4", of("10.0.0.1", "::ffff:cb00:7109", 1), "203.0.113.9"],
  [
    "an IPv4-mapped address written out is IPv4",
    of("10.0.0.1", "0:0:0:0:0:FFFF:203.0.113.9", 1),
    "203.0.113.9",
  ],
  ["a word falls back to the socket", of("10.0.0.1", "unknown", 1), "10.0.0.1"],
  ["an obfuscated name falls back to the socket", of("10.0.0.1", "_hidden, _gazonk", 1), "10.0.0.1"],
  ["an invalid number falls back to the socket", of("10.0.0.1", "999.1.1.1", 1), "10.0.0.1"],
  ["an empty entry falls back to the socket", of("10.0.0.1", "203.0.113.9,", 1), "10.0.0.1"],
  ["a long entry falls back to the socket", of("10.0.0.1", "1".repeat(10_000), 1), "10.0.0.1"],
  ["a missing address has a key, too", of(undefined, undefined), "unknown"],
])("%s", (_, address, expected) => {
  expect(address).toBe(expected);
});
