import { point, row, uuid } from "./kit.ts";

/** Saves a shared location as one of the user's places. */
export const PLACE_BUTTONS = {
  "place-work": row("W", { point }),
  "place-home": row("H", { point }),
  "place-other": row("O", { point }),
  "move-place": row("R", { placeId: uuid, point }),
};
