import { expect, test } from "vitest";
import { gmailFilterFor } from "./gmail-filter.ts";

const properties = (xml: string) =>
  Object.fromEntries(
    [...xml.matchAll(/<apps:property name="(\w+)" value="([^"<>]*)"\/>/g)].map((m) => m.slice(1)),
  );

test("MAIL-03 the filter forwards Idealista's alerts to the person's address, and nothing else", () => {
  expect(properties(gmailFilterFor(`${"ab".repeat(16)}@alerts.sereno.example`))).toEqual({
    from: "noresponder@idealista.com",
    forwardTo: `${"ab".repeat(16)}@alerts.sereno.example`,
    shouldNeverSpam: "true",
  });
});

test("special characters in an address cannot break the filter", () => {
  expect(properties(gmailFilterFor(`"/><apps:property name="trash" value="&`))).toEqual({
    from: "noresponder@idealista.com",
    forwardTo: "&quot;/&gt;&lt;apps:property name=&quot;trash&quot; value=&quot;&amp;",
    shouldNeverSpam: "true",
  });
});
