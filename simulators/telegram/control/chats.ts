import type { Chat, MemberStatus } from "../model.ts";
import { ControlRefusal } from "../phone/control-refusal.ts";
import { createChat, requireChatById } from "../phone/create.ts";
import { addBot, changeStanding, removeBot, setMember, upgradeGroup } from "../phone/membership.ts";
import { listChats, viewChat } from "../phone/view.ts";
import { readOrder } from "../read-order.ts";
import type { World } from "../world.ts";
import { type ControlAnswer, type Controller, type ControlRequest, unknownRoute } from "./controller.ts";

const STATUSES: readonly MemberStatus[] = ["creator", "administrator", "member", "left", "kicked"];

export const controlChats: Controller = (world, request) => {
  const [, id, deed] = request.path;
  const { method, query } = request;
  if (id === undefined) {
    if (method === "POST") return create(world, request);
    return method === "GET"
      ? { status: 200, body: { chats: listChats(world, numberOf(query.get("person"))) } }
      : unknownRoute(request);
  }
  const chat = requireChatById(world, Number(id));
  if (method === "GET" && deed === undefined) {
    const as = numberOf(query.get("as"));
    const limit = numberOf(query.get("limit"));
    return { status: 200, body: show(world, chat, as, limit) };
  }
  const changed = method === "POST" ? change(world, chat.id, { ...request, path: [deed ?? ""] }) : undefined;
  return changed === undefined ? unknownRoute(request) : { status: 200, body: show(world, changed) };
};

function create(world: World, { body }: ControlRequest): ControlAnswer {
  const order = readOrder(body, {
    id: "number?",
    kind: "string",
    title: "string?",
    username: "string?",
    creatorId: "number",
    members: "object?",
  });
  const { kind, members = {}, ...rest } = order;
  if (kind !== "group" && kind !== "supergroup" && kind !== "channel") {
    throw new ControlRefusal(400, "bad-order", '"kind" is group, supergroup or channel');
  }
  const statuses = Object.fromEntries(
    Object.entries(members).map(([memberId, status]) => [memberId, requireStatus(status)]),
  );
  const chat = createChat(world, { kind, members: statuses, ...rest });
  return { status: 201, body: show(world, chat) };
}

function change(world: World, chatId: number, { path, body }: ControlRequest): Chat | undefined {
  switch (path[0]) {
    case "add-bot": {
      const { rights, ...order } = readOrder(body, { by: "number", isAdmin: "boolean?", rights: "object?" });
      return addBot(world, {
        chatId,
        ...order,
        ...(rights === undefined ? {} : { rights: rights as Record<string, boolean> }),
      });
    }
    case "remove-bot":
      return removeBot(world, chatId, readOrder(body, { by: "number" }).by);
    case "standing":
      return changeStanding(world, chatId, readOrder(body, { standing: "string", by: "number?" }));
    case "member": {
      const { personId, status } = readOrder(body, { personId: "number", status: "string" });
      return setMember(world, chatId, personId, requireStatus(status));
    }
    case "upgrade":
      return upgradeGroup(world, chatId, readOrder(body, { newId: "number?" }).newId);
    default:
      return undefined;
  }
}

function show(world: World, chat: Chat, as?: number, limit?: number) {
  return viewChat(world, chat, {
    ...(as === undefined ? {} : { as }),
    ...(limit === undefined ? {} : { limit }),
  });
}

function requireStatus(value: unknown): MemberStatus {
  const status = STATUSES.find((known) => known === value);
  if (status === undefined) {
    throw new ControlRefusal(400, "bad-order", `a member's status is one of ${STATUSES.join(", ")}`);
  }
  return status;
}

function numberOf(text: string | null): number | undefined {
  return text === null || text === "" ? undefined : Number(text);
}
