import type { Dispatch } from "react";
import type { SavedSearch } from "#web/lib/backend/searches.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import type { Chat } from "../chats/chat-calls.ts";
import { parseChatIds } from "../chats/chat-ids.ts";
import type { Understanding } from "../search/understand-url.ts";
import { type FormAction, type FormState, saveBaseOf } from "./form-state.ts";
import type { Save } from "./use-save.ts";

export interface FormParts {
  userId: string;
  search: SavedSearch | null;
  others: readonly SavedSearch[];
  state: FormState;
  dispatch: Dispatch<FormAction>;
  isDirty: boolean;
  save: Save;
  understanding: Understanding;
  chats: readonly Chat[] | undefined;
  /** Empty until the site's settings are loaded. */
  botUsername: string;
}

/** Why each field cannot be saved, in the person's language. */
export function useFieldFaults({
  state,
  understanding,
  botUsername: bot,
}: Pick<FormParts, "state" | "understanding" | "botUsername">): { url: string | null; ids: string | null } {
  const t = useTexts("filter");
  return { url: urlFault(), ids: idsFault() };

  function urlFault(): string | null {
    if (understanding.state === "empty") return t("url.required");
    if (understanding.state === "refused") return t("url.invalid");
    return understanding.isBlocked ? t("url.blocked") : null;
  }

  function idsFault(): string | null {
    const { ids, fault } = parseChatIds(state.ids);
    if (ids.length === 0) return t("chats.required");
    return fault && t(`chats.faults.${fault.code}`, { entry: fault.entry, bot });
  }
}

/** Saves a form without faults. */
export function saveTyped({ state, save, understanding }: FormParts): void {
  if (understanding.state !== "understood") return;
  save.run({
    filter: { url: understanding.url, ids: parseChatIds(state.ids).ids },
    base: saveBaseOf(state),
  });
}
