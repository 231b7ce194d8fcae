import { expect, test } from "vitest";
import { mailboxIn, parseEmailAddress } from "./email-address.ts";

test.each([
  ["Ana.Gil@Example.COM", "ana.gil@example.com"],
  ["o'neil+casa@example.co.uk", "o'neil+casa@example.co.uk"],
  ["ana@EXAMPLE-1.com", "ana@example-1.com"],
  ["ana@españa.example", "ana@xn--espaa-rta.example"],
  ["ana@espan\u0303a.example", "ana@xn--espaa-rta.example"],
  ["ana@xn--espaa-rta.example", "ana@xn--espaa-rta.example"],
  ["ana@почта.рф", "ana@xn--80a1acny.xn--p1ai"],
  ["ana@ドメイン名.example", "ana@xn--eckwd4c7c777u.example"],
  ["1234@163.com", "1234@163.com"],
])("TIME-06 %s is read as %s", (typed, email) => {
  expect(parseEmailAddress(typed)?.email).toBe(email);
});

test.each([
  ["a comment before the name", "(1)x@example.com"],
  ["a comment after the name", "x(2)@example.com"],
  ["a comment in the domain", "x@(3)example.com"],
  ["a group", "g:x@example.com"],
  ["the end of a group", "x@example.com;"],
  ["brackets", "x@[example.com]"],
  ["an IP literal", "x@[127.0.0.1]"],
  ["an IP address", "x@127.0.0.1"],
  ["a number that is an IP address", "x@127.1"],
  ["a hexadecimal IP address", "x@example.0x7f"],
  ["a quoted name", '"x y"@example.com'],
  ["a name with an escape", "x\\@example.com"],
  ["full-width letters", "x@ｅxample.com"],
  ["a full-width dot", "x@example．com"],
  ["an ideographic full stop", "x@example。com"],
  ["full-width letters in the name", "ｘ@example.com"],
  ["a trailing dot", "x@example.com."],
  ["a dot before the @", "x.@example.com"],
  ["a leading dot", ".x@example.com"],
  ["two dots", "x..y@example.com"],
  ["an empty label", "x@example..com"],
  ["mixed scripts", "x@ехample.com"],
  ["mixed scripts as DNS has them", "x@xn--ample-ywe6i.com"],
  ["an invisible mark", "x@exam\u034fple.com"],
  ["a variation selector", "x@exam\ufe0fple.com"],
  ["a sign that is a letter in lower case", "\u212aarl@example.com"],
  ["an invisible character", "x@exam\u200bple.com"],
  ["a soft hyphen", "x@exam\u00adple.com"],
  ["a mark that turns the text", "x@example\u202emoc.com"],
  ["letters that need SMTPUTF8", "añá@example.com"],
  ["an angle address", "Ana <x@example.com>"],
  ["two addresses", "x@example.com,y@example.com"],
  ["two at signs", "x@y@example.com"],
  ["a line break", "x@example.com\r\nBcc: y@example.com"],
  ["a space", "x@example.com "],
  ["a percent sign in the domain", "x@example%2ecom"],
  ["a path", "x@example.com/y"],
  ["a port", "x@example.com:25"],
  ["no domain", "x"],
  ["no name", "@example.com"],
  ["one label", "x@localhost"],
  ["a hyphen at an end", "x@-example.com"],
  ["an underscore in the domain", "x@ex_ample.com"],
  ["invalid Punycode", "x@xn--.com"],
  ["a name of 65 characters", `${"x".repeat(65)}@example.com`],
  ["a label of 64 characters", `x@${"y".repeat(64)}.com`],
  ["255 characters", `x@${"y.".repeat(125)}com`],
  ["nothing", ""],
])("TIME-06 %s is no address", (_what, typed) => {
  expect(parseEmailAddress(typed)).toBeUndefined();
});

test("TIME-06 what was read is read as itself", () => {
  for (const typed of ["Ana@Example.com", "x@почта.рф", "a+b@gmail.com"]) {
    const once = parseEmailAddress(typed);
    expect(parseEmailAddress(once?.email ?? "")).toEqual(once);
  }
});

test("TIME-06 tags, and at Gmail dots and its two names, are one mailbox but separate addresses", () => {
  const mailboxes = (typed: string[]) => new Set(typed.map((one) => parseEmailAddress(one)?.mailbox));
  expect([...mailboxes(["ana+1@example.com", "ana+2@example.com", "Ana@example.com"])]).toEqual([
    "ana@example.com",
  ]);
  expect([...mailboxes(["a.n.a@gmail.com", "ana+x@googlemail.com"])]).toEqual(["ana@gmail.com"]);
  expect(mailboxes(["a.na@example.com", "ana@example.com"]).size).toBe(2);
  expect(parseEmailAddress("a.n.a+x@gmail.com")?.email).toBe("a.n.a+x@gmail.com");
  expect(parseEmailAddress("+tag@example.com")?.mailbox).toBe("+tag@example.com");
  expect(mailboxIn("(old)x@example.com")).toBe("(old)x@example.com");
});
