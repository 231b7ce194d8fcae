import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { compressed } from "./compressed.ts";

const large = JSON.stringify(
  Array.from({ length: 200 }, (_, id) => ({ id, title: "Piso en Calle de Prueba" })),
);
const answer = (body: string | null, status = 200) =>
  new Response(body, { status, headers: { "content-type": "application/json", vary: "origin" } });

test("FIND-01 a large response is compressed if the client accepts it, with the same content", async () => {
  const packed = await compressed(answer(large, 206), "br, gzip;q=0.5");
  expect([packed.status, packed.headers.get("content-encoding"), packed.headers.get("vary")]).toEqual([
    206,
    "gzip",
    "origin, accept-encoding",
  ]);
  const bytes = Buffer.from(await packed.arrayBuffer());
  expect(bytes.length).toBeLessThan(large.length / 4);
  expect(gunzipSync(bytes).toString()).toBe(large);
});

test.each([
  ["[1]", "gzip", 200],
  [large, undefined, 200],
  [large, "br;q=1, identity", 200],
  [large, "br, gzip;q=0", 200],
  [large, "gzip; q=0.0, identity", 200],
  [null, "gzip", 204],
])(
  "a small response, an empty one, and one for a client without support are left as they are",
  async (body, accepted, status) => {
    const left = await compressed(answer(body, status), accepted);
    expect([left.status, left.headers.get("content-encoding")]).toEqual([status, null]);
    expect(await left.text()).toBe(body ?? "");
  },
);
