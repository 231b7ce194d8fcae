// The server has added something, and its answer is lost: the person presses again.
import { fireEvent, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { FilterSettings } from "../features/filter-settings/filter-settings.tsx";
import { addPlace } from "../lib/backend/own-places.ts";
import { Answerer, type Asked } from "./answerer.ts";
import { openPage, pass, setUpPages } from "./open-page.tsx";
import { STORED } from "./stored-rows.ts";
import { press } from "./typed-form.ts";

setUpPages();

const lost = () => Response.json({ message: "lost" }, { status: 503 });

/** Adds rows by their id, and loses its first answer. */
function createTable(rows: Record<string, unknown>[]) {
  let count = 0;
  return {
    add: ({ body }: Asked) => {
      count += 1;
      const row = body as Record<string, unknown>;
      const isNew = rows.every(({ id }) => id !== row.id);
      if (isNew) rows.push(row);
      if (count === 1) return lost();
      return isNew ? [row] : [];
    },
    change: ({ body, url }: Asked) => {
      const row = rows.find(({ id }) => `eq.${id}` === url.searchParams.get("id"));
      return row ? [Object.assign(row, body)] : [];
    },
  };
}

test("WEB-03 a search whose answer was lost is added once, as it is typed at last", async () => {
  const rows = STORED.searches?.() as Record<string, unknown>[];
  const [known] = rows;
  const table = createTable(rows);
  const answerer = new Answerer({ ...STORED, "PATCH searches": table.change });
  answerer.answer("searches", ({ url }) => {
    const id = url.searchParams.get("id")?.slice(3);
    const shown = rows.map((row) => ({ ...known, is_first: row === known, ...row }));
    return id ? shown.find((row) => "id" in row && row.id === id) : shown;
  });
  answerer.answer("POST searches", table.add);
  await openPage(<FilterSettings />, answerer, "/filter-settings?search=new");
  await pass(4_000);
  const link = "https://www.idealista.com/venta-viviendas/madrid-madrid/con-precio-hasta_200000/";
  fireEvent.change(screen.getByLabelText(/^Filter URL/), { target: { value: link } });
  for (const name of [/^Next/, /^Review & Submit/, /^Save Configuration/, /^Save Configuration/]) {
    await press(name);
    await pass(4_000);
  }
  expect(rows.length).toBe(2);
});

test("WEB-03 a place whose answer was lost is added once, as it is typed at last", async () => {
  const rows: Record<string, unknown>[] = [];
  const table = createTable(rows);
  const patched = ({ body, url }: Asked) => table.change({ body, url } as Asked)[0];
  const answerer = new Answerer({ "config.json": STORED["config.json"] as () => unknown });
  answerer.answer("POST own_places", table.add);
  answerer.answer("PATCH own_places", patched);
  vi.stubGlobal("fetch", answerer.fetch);
  const place = { id: "a", latitude: 1, longitude: 2 };
  const first = addPlace({ ...place, name: "Work" }).catch(() => "lost");
  await pass(4_000);
  expect(await first).toBe("lost");
  const second = addPlace({ ...place, name: "Office" });
  await pass(4_000);
  await second;
  expect(rows).toEqual([{ ...place, name: "Office" }]);
});
