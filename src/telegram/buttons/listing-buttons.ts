import { type FieldCodec, row } from "./kit.ts";

/** A listing's code, prefixed by the portal's name except for idealista.com. With the letter of the act it fits 64 bytes. */
const PROPERTY_CODE = /^(?=.{1,62}$)(?:(?:idealista\.(?:it|pt)|fotocasa|habitaclia|yaencontre):)?[\w-]+$/;

const code: FieldCodec<string> = {
  write: (text) => (PROPERTY_CODE.test(text) ? text : undefined),
  read: (text) => (PROPERTY_CODE.test(text) ? text : undefined),
};
const fields = { propertyCode: code };

/** "message" drafts a message to the advertiser, "photos" sends the remaining photos, "less" offers rules. */
export const LISTING_BUTTONS = {
  hide: row("h", fields),
  keep: row("k", fields),
  undo: row("u", fields),
  message: row("j", fields),
  photos: row("v", fields),
  less: row("E", fields),
};
