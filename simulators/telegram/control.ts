import { isHeld } from "./clock.ts";
import { controlChats } from "./control/chats.ts";
import {
  type ControlAnswer,
  type Controller,
  type ControlRequest,
  unknownRoute,
} from "./control/controller.ts";
import { controlPeople } from "./control/people.ts";
import { controlTrouble } from "./control/trouble.ts";
import { ControlRefusal } from "./phone/control-refusal.ts";
import { readOrder } from "./read-order.ts";
import type { Update } from "./update-queue.ts";
import type { World } from "./world.ts";

const CONTROLLERS: Readonly<Record<string, Controller>> = {
  people: controlPeople,
  chats: controlChats,
  presses: showPress,
  faults: controlTrouble,
  pictures: controlTrouble,
  ledger: controlTrouble,
  settings: controlTrouble,
  updates: injectUpdate,
  clock: moveClock,
  state: showState,
};

/**
 * The hand on Telegram: people and what they do, chats as a phone shows them, and trouble. JSON in and out; a
 * refusal is `{ error, message }`. The routes are listed in README.md beside this file.
 */
export function control(world: World, request: ControlRequest): ControlAnswer {
  try {
    const controller = CONTROLLERS[request.path[0] ?? ""];
    return controller === undefined ? unknownRoute(request) : controller(world, request);
  } catch (error) {
    if (!(error instanceof ControlRefusal)) throw error;
    return { status: error.status, body: { error: error.code, message: error.message } };
  }
}

function showState(world: World): ControlAnswer {
  return {
    status: 200,
    body: {
      now: world.clock.now(),
      isClockHeld: isHeld(world.clock),
      bot: { id: world.bot.id, username: world.bot.username, firstName: world.bot.firstName },
      description: world.descriptions.get("description ") ?? "",
      isTokenRevoked: world.isTokenRevoked,
      floodControl: world.flood.limits ?? null,
      isPolled: world.polling.abort !== undefined,
      webhook: world.webhook.url ?? null,
      pendingUpdates: world.updates.size,
      people: world.people.size,
      chats: world.chats.size,
      faults: world.faults.list,
      calls: world.ledger.calls,
    },
  };
}

function showPress(world: World, request: ControlRequest): ControlAnswer {
  const press = world.presses.get(request.path[1] ?? "");
  if (request.method !== "GET" || press === undefined) return unknownRoute(request);
  return { status: 200, body: { ...press, answer: press.answer ?? null } };
}

/** An update of any shape; without an id it gets the next one. */
function injectUpdate(world: World, request: ControlRequest): ControlAnswer {
  if (request.method !== "POST") return unknownRoute(request);
  const { update } = readOrder(request.body, { update: "object" });
  const injected = { update_id: world.updates.nextId(), ...update } as Update;
  world.updates.inject(injected);
  return { status: 201, body: { update: injected } };
}

function moveClock(world: World, { body }: ControlRequest): ControlAnswer {
  if (!isHeld(world.clock)) {
    throw new ControlRefusal(409, "clock-runs", "this simulator runs on real time");
  }
  const { advanceMs } = readOrder(body, { advanceMs: "number" });
  if (!(advanceMs >= 0)) throw new ControlRefusal(400, "bad-clock", "a clock does not run backwards");
  world.clock.advance(advanceMs);
  return { status: 200, body: { now: world.clock.now() } };
}
