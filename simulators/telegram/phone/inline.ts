import { randomUUID } from "node:crypto";
import { type InlineQuery, userOf } from "../model.ts";
import type { World } from "../world.ts";
import { PhoneError, requirePerson } from "./create.ts";

/** A person types the bot's name and a text in any chat, or a button does it for them. Only with inline mode. */
export function askInline(
  world: World,
  { personId, query }: { personId: number; query: string },
): InlineQuery {
  if (!world.hasInlineMode) throw new PhoneError("the bot's inline mode is off");
  const asked: InlineQuery = { id: randomUUID(), at: world.clock.now() };
  world.inlineQueries.set(asked.id, asked);
  world.updates.push("inline_query", {
    ...{
      id: asked.id,
      from: userOf(requirePerson(world, personId)),
      query,
      offset: "",
      chat_type: "private",
    },
  });
  return asked;
}
