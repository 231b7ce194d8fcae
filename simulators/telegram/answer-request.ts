import type { IncomingMessage, ServerResponse } from "node:http";
import { answerControl } from "./answer-control.ts";
import { answerWithFault, faultAnswer } from "./answer-with-fault.ts";
import { isApplied, type StruckFault } from "./faults.ts";
import { okAnswer, refusalAnswer, sendAnswer } from "./http-answer.ts";
import type { Call, Outcome } from "./methods/method.ts";
import { findMethod } from "./methods/methods.ts";
import { readInteger, readParameters } from "./read-parameters.ts";
import { Refusal } from "./refusal.ts";
import type { World } from "./world.ts";

export async function answerRequest(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "/", "http://simulator");
  if (world.isControlOn && url.pathname.startsWith("/control/")) {
    await answerControl(world, request, response, url);
    return;
  }
  try {
    const method = readPath(world, url.pathname);
    if (request.method !== "GET" && request.method !== "POST") {
      throw new Refusal(405, "Method Not Allowed");
    }
    const parameters = await readParameters(request, url.searchParams);
    const hangUp = new AbortController();
    const call: Call = { world, parameters, signal: hangUp.signal };
    response.on("close", () => {
      hangUp.abort();
      // Whoever died before the answer reached them does not know of the message.
      if (!response.writableFinished && call.accepted !== undefined) call.accepted.isAnswered = false;
    });
    await answerCall(method, call, response);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { errorCode, message: description } = error;
    const method = url.pathname.split("/")[2] ?? "";
    const note = { at: world.clock.now(), method, chatId: undefined, fault: undefined };
    world.ledger.refuse({ ...note, errorCode, description });
    sendAnswer(response, refusalAnswer(error));
  }
}

/** Which method is meant, if the token is the bot's. */
function readPath(world: World, path: string): string {
  const [, token = "", method = ""] = /^\/bot([^/]+)\/([^/]*)$/.exec(decodePath(path)) ?? [];
  if (!/^[^:]+:./.test(token)) throw new Refusal(404, "Not Found");
  if (!/^[1-9]\d*:/.test(token) || token.length > 80) {
    throw new Refusal(401, "Unauthorized: invalid token specified");
  }
  if (token !== world.bot.token || world.isTokenRevoked) throw new Refusal(401, "Unauthorized");
  return method;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function answerCall(name: string, call: Call, response: ServerResponse): Promise<void> {
  const { world, parameters } = call;
  const chatId = readInteger(parameters, "chat_id");
  const known = findMethod(name);
  const note = { method: known?.name ?? name, chatId };
  world.ledger.call(note.method);
  const struck = await endure(call, world.faults.strike(name.toLowerCase(), chatId));
  if (struck !== undefined && !isApplied(struck.fault)) {
    const answer = faultAnswer(struck);
    const told = { errorCode: answer.status || undefined, description: answer.description };
    world.ledger.refuse({ at: world.clock.now(), ...note, ...told, fault: struck.fault.kind });
    answerWithFault(response, struck.fault, answer);
    return;
  }
  const outcome = await invoke(known?.method, call);
  if (outcome instanceof Refusal) {
    const told = { errorCode: outcome.errorCode, description: outcome.message };
    world.ledger.refuse({ at: world.clock.now(), ...note, ...told, fault: struck?.fault.kind });
  }
  const answer = outcome instanceof Refusal ? refusalAnswer(outcome) : okAnswer(outcome);
  if (struck === undefined) {
    sendAnswer(response, answer);
    return;
  }
  if (call.accepted !== undefined) call.accepted.isAnswered = false;
  answerWithFault(response, struck.fault, struck.fault.kind === "half" ? answer : faultAnswer(struck));
}

/** A slow answer is a good one, later; every other fault spoils it. */
async function endure(call: Call, struck: StruckFault | undefined): Promise<StruckFault | undefined> {
  if (struck?.fault.kind !== "slow") return struck;
  await pass(call.world, struck.fault.ms ?? 1000, call.signal);
  return undefined;
}

type MethodOf = NonNullable<ReturnType<typeof findMethod>>["method"];

export async function invoke(method: MethodOf | undefined, call: Call): Promise<Outcome | Refusal> {
  try {
    if (method === undefined) throw new Refusal(404, "Not Found: method not found");
    return await method(call);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
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
