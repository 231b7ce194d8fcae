import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { LANGUAGES } from "#core/languages.ts";
import { listingOf } from "#test/delivery/delivery-fixture.ts";
import { render } from "#test/delivery/rendered-news.ts";
import { plainOf } from "../../html.ts";

test.each(LANGUAGES)(
  "DEMO-07 the sample alert on the landing page is a real alert (%s)",
  async (language) => {
    const file = new URL(`../../../text/locales/${language}/landing.json`, import.meta.url);
    const { alert } = JSON.parse(await readFile(file, "utf8"));
    const { html, buttons } = render([{ kind: "new", payload: { listing: listingOf("7") } }], language);
    const { headline, listing, facts, perM2 } = alert;
    expect([`🏮 ${headline}`, listing, facts, perM2]).toEqual(plainOf(html).split("\n"));
    expect(Object.values(alert.buttons)).toEqual(buttons.flat().map(({ text }) => text));
  },
);
