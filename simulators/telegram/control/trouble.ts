import { FAULT_KINDS } from "../faults.ts";
import { CHAT_COUNTINGS, TELEGRAM_LIMITS } from "../flood-control.ts";
import { ControlRefusal } from "../phone/control-refusal.ts";
import { PICTURE_OUTCOMES } from "../pictures.ts";
import { readOrder } from "../read-order.ts";
import type { World } from "../world.ts";
import { type ControlAnswer, type Controller, type ControlRequest, unknownRoute } from "./controller.ts";

/** What goes wrong, and what is known of it afterwards. */
export const controlTrouble: Controller = (world, request) => {
  switch (`${request.method} ${request.path[0]}`) {
    case "GET faults":
      return { status: 200, body: { faults: world.faults.list, known: FAULT_KINDS } };
    case "POST faults":
      return setFault(world, request);
    case "DELETE faults":
      world.faults.clear();
      return { status: 200, body: { faults: [] } };
    case "GET pictures":
      return { status: 200, body: { rules: world.pictures.rules } };
    case "POST pictures":
      return setPictureRule(world, request);
    case "DELETE pictures":
      world.pictures.clearRules();
      return { status: 200, body: { rules: [] } };
    case "GET ledger":
      return showLedger(world, request.query);
    case "DELETE ledger":
      world.ledger.clear();
      return { status: 200, body: {} };
    case "POST settings":
      return changeSettings(world, request);
    default:
      return unknownRoute(request);
  }
};

function setFault(world: World, { body }: ControlRequest): ControlAnswer {
  const { kind: name, ...fault } = readOrder(body, {
    kind: "string",
    method: "string?",
    chatId: "number?",
    times: "number?",
    forMs: "number?",
    after: "number?",
    ms: "number?",
    errorCode: "number?",
    description: "string?",
    retryAfter: "number?",
    migrateToChatId: "number?",
    isApplied: "boolean?",
  });
  const kind = FAULT_KINDS.find((known) => known === name);
  if (kind === undefined) throw new ControlRefusal(400, "unknown-fault", FAULT_KINDS.join(", "));
  if (kind === "storm" && fault.forMs === undefined) {
    throw new ControlRefusal(400, "bad-order", "a storm needs forMs");
  }
  world.faults.set({ kind, ...fault });
  return { status: 201, body: { faults: world.faults.list } };
}

function setPictureRule(world: World, { body }: ControlRequest): ControlAnswer {
  const { contains, outcome: name } = readOrder(body, { contains: "string", outcome: "string" });
  const outcome = PICTURE_OUTCOMES.find((known) => known === name);
  if (outcome === undefined) throw new ControlRefusal(400, "unknown-outcome", PICTURE_OUTCOMES.join(", "));
  world.pictures.rule(contains, outcome);
  return { status: 201, body: { rules: world.pictures.rules } };
}

/** Newest last; `after` is the sequence number of the last entry already seen. */
function showLedger(world: World, query: URLSearchParams): ControlAnswer {
  const after = Number(query.get("after") ?? 0);
  const limit = Number(query.get("limit") ?? 1000) || 1000;
  const chatId = query.get("chatId");
  const isMeant = (entry: { sequence: number; chatId: number | undefined }) =>
    entry.sequence > after && (chatId === null || entry.chatId === Number(chatId));
  const { accepted, refused, calls } = world.ledger;
  return {
    status: 200,
    body: {
      totals: {
        accepted: accepted.length,
        refused: refused.length,
        unanswered: accepted.filter(({ isAnswered }) => !isAnswered).length,
        tooManyRequests: refused.filter(({ errorCode }) => errorCode === 429).length,
        calls,
      },
      accepted: accepted.filter(isMeant).slice(-limit),
      refused: refused.filter(isMeant).slice(-limit),
    },
  };
}

function changeSettings(world: World, { body }: ControlRequest): ControlAnswer {
  const { floodControl, isTokenRevoked, ...rest } = body;
  readOrder(rest, {});
  if (isTokenRevoked !== undefined) {
    world.isTokenRevoked = readOrder({ isTokenRevoked }, { isTokenRevoked: "boolean" }).isTokenRevoked;
  }
  if (typeof floodControl === "boolean") {
    world.flood.limits = floodControl ? { ...TELEGRAM_LIMITS } : undefined;
  } else if (floodControl !== undefined) {
    const order = readOrder({ floodControl }, { floodControl: "object" }).floodControl;
    const { chatCounting, ...figures } = readOrder(order, {
      perSecond: "number?",
      perChatPerSecond: "number?",
      chatBurst: "number?",
      chatCounting: "string?",
      perGroupPerMinute: "number?",
    });
    const counting = CHAT_COUNTINGS.find((known) => known === chatCounting);
    if (chatCounting !== undefined && counting === undefined) {
      throw new ControlRefusal(400, "bad-order", `chatCounting is one of ${CHAT_COUNTINGS.join(", ")}`);
    }
    const known = world.flood.limits ?? TELEGRAM_LIMITS;
    world.flood.limits = { ...known, ...figures, chatCounting: counting ?? known.chatCounting };
  }
  return {
    status: 200,
    body: { floodControl: world.flood.limits ?? null, isTokenRevoked: world.isTokenRevoked },
  };
}
