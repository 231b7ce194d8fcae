import { expect, test } from "vitest";
import { pageDataJson } from "./page-data.ts";

test("a text with a closing script tag cannot end the data block", () => {
  const data = {
    siteOrigin: "https://s.example",
    texts: { landing: { title: "</script><script>alert(1)</script>" } },
  };
  const json = pageDataJson(data);
  expect(json).not.toContain("<");
  expect(JSON.parse(json)).toEqual(data);
});
