import { expect, test } from "vitest";
import { announcedBytes, JsonFault, MAX_BODY_BYTES, parseJson, readBytes } from "./read-body.ts";

const parse = (text: string) => parseJson(new TextEncoder().encode(text), { maxDepth: 10 });

function faultOf(text: string): string | undefined {
  try {
    parse(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    return error.fault;
  }
}

test.each([
  '{"a":[1,-2.5,1e3,9007199254740991],"b":"ñ \\" \\\\ , [ { 5e999","c":null}',
  '"\\ud83c\\udf0d \\u00e9 \\\\u0000 \\\\ud83c"',
  '{"12345678901234567890":"12345678901234567890"}',
  "[0.1234567890123456789]",
])("BYTE-01 %s is read as JSON.parse reads it", (text) => {
  expect(parse(text)).toEqual(JSON.parse(text));
});

test.each([
  ["{bad", "syntax"],
  ['{"a":"', "syntax"],
  ["[1,]", "syntax"],
  [`${"[".repeat(11)}${"]".repeat(11)}`, "depth"],
  ['{"a":"\\u0000"}', "text"],
  ['{"a\\u0000":1}', "text"],
  ['"\\ud83c"', "text"],
  ['"\\udf0d\\ud83c"', "text"],
  ['"\\ud83c\\u0041"', "text"],
  ["[9007199254740993]", "number"],
  ["[1e400]", "number"],
  ["[-1E400]", "number"],
] as const)("BYTE-01 %s is refused for its %s", (text, fault) => {
  expect(faultOf(text)).toBe(fault);
});

test("BYTE-01 elements are counted before anything is parsed", () => {
  for (const item of ["1", "{}", '""', "[1]"]) {
    expect(faultOf(`[${Array(20_001).fill(item).join(",")}]`)).toBe("elements");
    // Not even that it is no JSON is found out.
    expect(faultOf(`[${Array(20_001).fill(item).join(",")}`)).toBe("elements");
  }
  expect(faultOf(`[${Array(9_000).fill("1").join(",")}]`)).toBeUndefined();
});

/** A body that reports how much of it was read. */
function slowBody(chunk: Uint8Array, headers: Record<string, string> = {}) {
  let read = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        read += chunk.length;
        controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
  const init = { method: "POST", headers, body, duplex: "half" as const };
  return { request: new Request("http://localhost/", init), read: () => read };
}

test("BYTE-01 of a body announced to be too large nothing is read, of another no more than is allowed", async () => {
  const chunk = new Uint8Array(1_024);
  const announced = slowBody(chunk, { "content-length": String(MAX_BODY_BYTES + 1) });
  expect(await readBytes(announced.request)).toBe("too large");
  expect(announced.read()).toBe(0);
  const endless = slowBody(chunk, { "transfer-encoding": "chunked" });
  expect(announcedBytes(endless.request)).toBe(MAX_BODY_BYTES);
  expect(await readBytes(endless.request)).toBe("too large");
  expect(endless.read()).toBeLessThanOrEqual(MAX_BODY_BYTES + chunk.length);
});

test("a client that hangs up while sending causes no error", async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error("aborted")) });
  const init = { method: "POST", body, duplex: "half" as const };
  expect(await readBytes(new Request("http://localhost/", init))).toBe("cut off");
});
