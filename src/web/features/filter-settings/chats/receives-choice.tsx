import { useQueryClient } from "@tanstack/react-query";
import { RECEIVES } from "#core/alert/chat.ts";
import { Select } from "#web/components/form/select.tsx";
import { FormFailure } from "#web/components/ui/failure-notice.tsx";
import { useSession } from "#web/lib/auth/session.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import type { Chat } from "./chat-calls.ts";
import { chatName } from "./chat-name.ts";
import { chooseReceives } from "./queued-receives.ts";

/** Everything, or only what somebody kept. Takes effect at once. */
export function ReceivesChoice({ chat }: { chat: Chat }) {
  const t = useTexts("filter");
  const userId = useSession().user?.id ?? "";
  const queries = useQueryClient();
  const change = useAction({
    run: (receives: Chat["receives"]) =>
      chooseReceives(queries, { userId, chat, title: chatName(t, chat.id, chat) }, receives),
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
