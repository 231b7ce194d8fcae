import { createPerson, requirePerson } from "../phone/create.ts";
import { changeStanding, openLink } from "../phone/membership.ts";
import { editSaying, pressButton, pressStart, say } from "../phone/speak.ts";
import { listPeople } from "../phone/view.ts";
import { readOrder } from "../read-order.ts";
import { tell, type World } from "../world.ts";
import { type ControlAnswer, type Controller, type ControlRequest, unknownRoute } from "./controller.ts";

const PERSON = {
  id: "number?",
  firstName: "string?",
  lastName: "string?",
  username: "string?",
  languageCode: "string?",
  isStarted: "boolean?",
} as const;

export const controlPeople: Controller = (world, request) => {
  const [, id, deed] = request.path;
  switch (`${request.method} ${id === undefined ? "" : "one"}`) {
    case "GET ":
      return { status: 200, body: { people: listPeople(world) } };
    case "POST ":
      return createPeople(world, request);
    case "PATCH one":
      return changePerson(world, Number(id), request);
    case "POST one":
      return act(world, requirePerson(world, Number(id)).id, { ...request, path: [deed ?? ""] });
    default:
      return unknownRoute(request);
  }
};

function createPeople(world: World, { body }: ControlRequest): ControlAnswer {
  const { count = 1, ...order } = readOrder(body, { ...PERSON, count: "number?" });
  const people = Array.from({ length: Math.min(Math.max(count, 1), 10_000) }, () =>
    createPerson(world, order),
  );
  return { status: 201, body: { person: people[0], people } };
}

function changePerson(world: World, id: number, { body }: ControlRequest): ControlAnswer {
  const { id: _, isStarted: __, ...changes } = readOrder(body, PERSON);
  const person = Object.assign(requirePerson(world, id), changes);
  tell(world, { type: "people" });
  return { status: 200, body: { person } };
}

/** What a person does with the bot. */
function act(world: World, personId: number, request: ControlRequest): ControlAnswer {
  const { body } = request;
  switch (request.path[0]) {
    case "start": {
      const { payload } = readOrder(body, { payload: "string?" });
      return done({ message: pressStart(world, personId, payload) });
    }
    case "open":
      return done({
        message: openLink(world, { personId, ...readOrder(body, { url: "string", chatId: "number?" }) }),
      });
    case "say": {
      const shape = {
        text: "string",
        chatId: "number?",
        replyTo: "number?",
        isForwarded: "boolean?",
      } as const;
      return done({ message: say(world, { personId, ...readOrder(body, shape) }) });
    }
    case "edit": {
      const shape = { chatId: "number", messageId: "number", text: "string" } as const;
      return done({ message: editSaying(world, { personId, ...readOrder(body, shape) }) });
    }
    case "press":
      return done(pressButton(world, { personId, ...readOrder(body, PRESSING) }));
    case "block":
      return done({ chat: changeStanding(world, personId, { standing: "blocked" }).id });
    case "unblock":
      return done({ chat: changeStanding(world, personId, { standing: "ok" }).id });
    case "delete":
      return done({ chat: changeStanding(world, personId, { standing: "deactivated" }).id });
    default:
      return unknownRoute({ ...request, path: ["people", String(personId), ...request.path] });
  }
}

const PRESSING = {
  messageId: "number",
  chatId: "number?",
  data: "string?",
  text: "string?",
  row: "number?",
  column: "number?",
  isForged: "boolean?",
} as const;

function done(body: unknown): ControlAnswer {
  return { status: 200, body };
}
