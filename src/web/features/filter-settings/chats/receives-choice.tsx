import { useQueryClient } from "@tanstack/react-query";
import { RECEIVES } from "#core/alert/chat.ts";
import { Select } from "#web/components/form/select.tsx";
import { FormFailure } from "#web/components/ui/failure-notice.tsx";
import { useSession } from "#web/lib/auth/session.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { saveOrAsk } from "#web/lib/changes/send-unsent.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import type { Chat } from "./chat-calls.ts";
import { chatName } from "./chat-name.ts";

/** Everything, or only what somebody kept. Takes effect at once. */
export function ReceivesChoice({ chat }: { chat: Chat }) {
  const t = useTexts("filter");
  const userId = useSession().user?.id ?? "";
  const queries = useQueryClient();
  const change = useAction({
    run: async (receives: Chat["receives"]) => {
      const title = chatName(t, chat.id, chat);
      const before = { receives: chat.receives };
      await saveOrAsk({ kind: "chat", userId, ofId: chat.id, title, before, mine: { receives } });
      await queries.invalidateQueries({ queryKey: queryKeys.chats(userId) });
    },
    failure: t("chats.receives.failure", { returnObjects: true }),
  });
  return (
    <div className="grid gap-2">
      <Select
        label={t("chats.receives.label")}
        className="sm:max-w-72"
        value={change.pendingInput ?? chat.receives}
        onValue={(value) => {
          const receives = RECEIVES.find((known) => known === value);
          if (receives) change.run(receives);
        }}
      >
        {RECEIVES.map((receives) => (
          <option key={receives} value={receives}>
            {t(`chats.receives.${receives}`)}
          </option>
        ))}
      </Select>
      <FormFailure failure={change.failure} />
    </div>
  );
}
