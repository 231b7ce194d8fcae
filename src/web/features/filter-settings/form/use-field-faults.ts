import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { parseChatIds } from "../chats/chat-ids.ts";
import type { FormParts } from "./form-parts.ts";

/** What keeps each field from being saved, in the person's words. */
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
