import type { IncomingMessage, ServerResponse } from "node:http";
import { type Fault, faultRefusal } from "./faults.ts";
import type { Call } from "./methods/method.ts";
import { METHODS } from "./methods/methods.ts";
import { badRequest, Refusal } from "./refusal.ts";
import type { World } from "./world.ts";

/** Answers one call of the Bot API, or applies a fault to it. */
export async function answerRequest(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://simulator");
  const method = pathname.split("/")[2] ?? "";
  try {
    requireToken(world, pathname);
    const parameters = { ...Object.fromEntries(searchParams), ...(await readBody(request)) };
    await answerCall(world, { method, parameters, response });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    note(world, { method, chatId: undefined }, error);
    send(response, answerOf(error));
  }
}

function requireToken(world: World, path: string): void {
  const [, token = ""] = /^\/bot([^/]+)\/[^/]*$/.exec(path) ?? [];
  if (!/^[^:]+:./.test(token)) throw new Refusal(404, "Not Found");
  if (!/^[1-9]\d*:/.test(token)) throw new Refusal(401, "Unauthorized: invalid token specified");
  if (token !== world.bot.token || world.isTokenRevoked) throw new Refusal(401, "Unauthorized");
}

async function readBody(request: IncomingMessage): Promise<object> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  if (chunks.length === 0) return {};
  const headers = { "content-type": request.headers["content-type"] ?? "" };
  const body = new Response(Buffer.concat(chunks), { headers });
  const isJson = headers["content-type"].startsWith("application/json");
  const read = isJson ? body.json() : body.formData().then(fieldsOf);
  const parameters: unknown = await read.catch(() => undefined);
  if (typeof parameters !== "object" || parameters === null) throw badRequest("can't parse JSON object");
  return parameters;
}

/** An uploaded file is a field of its own, which another field references: attach://name. */
async function fieldsOf(form: FormData): Promise<Record<string, unknown>> {
  const fields = new Map<string, string | Uint8Array>();
  for (const [name, value] of form) {
    fields.set(name, typeof value === "string" ? value : await uploadOf(value));
  }
  for (const [name, value] of fields) {
    const attached = typeof value === "string" && /^attach:\/\/(.+)$/.exec(value)?.[1];
    const file = attached ? fields.get(attached) : undefined;
    if (!attached || file === undefined) continue;
    fields.set(name, file);
    fields.delete(attached);
  }
  return Object.fromEntries(fields);
}

/** The bytes of an uploaded file, with its name. */
async function uploadOf(file: File): Promise<Uint8Array> {
  return Object.assign(await file.bytes(), { fileName: file.name });
}

interface Request {
  readonly method: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly response: ServerResponse;
}

async function answerCall(world: World, { method, parameters, response }: Request): Promise<void> {
  const hangUp = new AbortController();
  const call: Call = { world, parameters, signal: hangUp.signal };
  response.on("close", () => {
    hangUp.abort();
    // A client that died before the answer does not know about the message.
    if (!response.writableFinished && call.accepted !== undefined) call.accepted.isAnswered = false;
  });
  const place = { method, chatId: Number(parameters.chat_id) || undefined };
  world.ledger.call(method);
  const met = world.faults.take({ ...place, parameters });
  const kind = met?.fault.kind;
  if (met !== undefined && kind !== "slow" && kind !== "drop" && kind !== "half") {
    const refusal = faultRefusal(met.fault, met.msLeft);
    note(world, place, refusal, met.fault);
    sendFault(response, met.fault, refusal);
    return;
  }
  if (kind === "slow") await pass(world, met?.fault.ms ?? 1000, hangUp.signal);
  const outcome = await invoke(call, method);
  if (outcome instanceof Refusal) note(world, place, outcome, met?.fault);
  if (kind === "drop") breakOff(response);
  else if (kind === "half") breakOff(response, answerOf(outcome));
  else send(response, answerOf(outcome));
}

async function invoke(call: Call, method: string): Promise<unknown> {
  try {
    const known = METHODS.get(method);
    if (known === undefined) throw new Refusal(404, "Not Found: method not found");
    return await known(call);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function answerOf(outcome: unknown): Answer {
  if (!(outcome instanceof Refusal))
    return { status: 200, body: JSON.stringify({ ok: true, result: outcome }) };
  const { errorCode: error_code, message: description, parameters } = outcome;
  const seconds = parameters?.retry_after;
  return {
    status: error_code,
    body: JSON.stringify({ ok: false, error_code, description, parameters }),
    ...(seconds === undefined ? {} : { headers: { "retry-after": String(seconds) } }),
  };
}

function send(response: ServerResponse, { status, body, headers }: Answer): void {
  const length = { "content-length": Buffer.byteLength(body) };
  response.writeHead(status, { "content-type": "application/json", ...length, ...headers });
  response.end(body);
}

function sendFault(
  response: ServerResponse,
  { kind, errorCode = 502, body = '{"ok":false}' }: Fault,
  refusal: Refusal | undefined,
): void {
  if (refusal !== undefined) send(response, answerOf(refusal));
  else if (kind === "reset") breakOff(response);
  else if (kind === "empty") send(response, { status: 200, body: "" });
  else if (kind === "not-ok") send(response, { status: 200, body });
  else if (kind === "html") {
    const page = `<html>\r\n<head><title>${errorCode}</title></head>\r\n</html>`;
    send(response, { status: errorCode, body: page, headers: { "content-type": "text/html" } });
  }
}

/** Closes the connection at once, or in the middle of the answer. */
function breakOff(response: ServerResponse, answer?: Answer): void {
  if (answer === undefined) {
    response.socket?.resetAndDestroy();
    return;
  }
  const bytes = Buffer.from(answer.body);
  response.writeHead(answer.status, { "content-type": "application/json", "content-length": bytes.length });
  response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.socket?.destroy());
}

interface Place {
  readonly method: string;
  readonly chatId: number | undefined;
}

function note(world: World, place: Place, refusal?: Refusal, fault?: Fault): void {
  const description = refusal?.message ?? "no proper answer";
  const at = world.clock.now();
  world.ledger.refused.push({ at, ...place, errorCode: refusal?.errorCode, description, fault: fault?.kind });
}

function pass(world: World, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = world.clock.after(ms, resolve);
    signal.addEventListener("abort", () => {
      stop();
      resolve();
    });
  });
}
