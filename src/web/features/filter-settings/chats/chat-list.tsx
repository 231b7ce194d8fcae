import { chatLabelOf } from "#core/alert/chat.ts";
import { BusyButton } from "#web/components/form/busy-button.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { Dot } from "#web/components/ui/dot.tsx";
import { codeOf } from "#web/lib/backend/supabase.ts";
import { useAction } from "#web/lib/browser/use-action.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { useSearchForm } from "../form/search-form.ts";
import { type Chat, sendTestMessage } from "./chat-calls.ts";
import { chatName } from "./chat-name.ts";
import { ReceivesChoice } from "./receives-choice.tsx";

interface ChatListProps {
  newChat: Chat | undefined;
  onRemove(id: string): void;
}

const CHAT_ID = /^-?[1-9]\d{0,12}$/;

export function ChatList({ newChat, onRemove }: ChatListProps) {
  const t = useTexts("filter");
  const { search, chats, botUsername, ids: typed } = useSearchForm();
  const ids = [...new Set(typed)].filter((id) => CHAT_ID.test(id));
  return (
    <>
      <p role="status" className="sr-only">
        {newChat && t("chats.arrived", { name: chatName(t, newChat.id, newChat) })}
      </p>
      {ids.length > 0 && (
        <ul aria-label={t("chats.list")} className="grid gap-3">
          {ids.map((id) => (
            <ChatRow
              key={id}
              id={id}
              chat={chats?.find((chat) => chat.id === id)}
              isSaved={search?.ids.includes(id) ?? false}
              botUsername={botUsername}
              onRemove={() => onRemove(id)}
            />
          ))}
        </ul>
      )}
    </>
  );
}

interface ChatRowProps {
  id: string;
  chat: Chat | undefined;
  isSaved: boolean;
  botUsername: string;
  onRemove(): void;
}

function ChatRow({ id, chat, isSaved, botUsername, onRemove }: ChatRowProps) {
  const t = useTexts("filter");
  const name = chatName(t, id, chat);
  const facts = [chat?.kind && t(`chats.kinds.${chat.kind}`), chat?.title && id].filter(Boolean).join(" · ");
  const advice = chat && adviceKey(chat);
  return (
    <li className="grid gap-3 rounded-2xl border border-line bg-surface p-4 motion-safe:animate-appear">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <div className="min-w-0">
          <p className="font-semibold wrap-anywhere">{name}</p>
          {facts !== "" && <p className="figures text-sm text-muted">{facts}</p>}
        </div>
        <StateLabel chat={chat} />
      </div>
      {advice && <p className="text-md text-muted">{t(`advice.${advice}`, { bot: botUsername })}</p>}
      {isSaved && chat?.state === "connected" && <ReceivesChoice chat={chat} />}
      <div className="-mb-1 flex flex-wrap items-center gap-x-5">
        {isSaved && chat?.state === "connected" && <TestButton chatId={id} name={name} />}
        <Button variant="link" size="line" aria-label={t("chats.removeNamed", { name })} onClick={onRemove}>
          {t("chats.remove")}
        </Button>
      </div>
    </li>
  );
}

const TEST_FAILURES: Record<string, "tooMany" | "notConnected"> = {
  "too-many-tests": "tooMany",
  "not-connected": "notConnected",
};

function TestButton({ chatId, name }: { chatId: string; name: string }) {
  const t = useTexts("filter");
  const { isBusy, run } = useAction({
    run: () => sendTestMessage(chatId),
    onSuccess: () => ({
      title: t("test.success.title"),
      description: t("test.success.description", { name }),
    }),
    failure: (error) => t(`test.${TEST_FAILURES[codeOf(error)] ?? "failure"}`, { returnObjects: true }),
  });
  return (
    <BusyButton
      variant="link"
      size="line"
      aria-label={t("test.sendTo", { name })}
      isBusy={isBusy}
      busyText={t("test.sending")}
      onClick={() => run()}
    >
      {t("test.send")}
    </BusyButton>
  );
}

const DOTS = {
  connected: "good",
  waiting: "hollow",
  declined: "bad",
  stopped: "bad",
  blocked: "bad",
  unreachable: "bad",
  notFound: "bad",
  notConnected: "hollow",
} as const;

function StateLabel({ chat }: { chat: Chat | undefined }) {
  const t = useTexts("filter");
  const label = chat && chatLabelOf(chat.state, chat.reason);
  return (
    <p className="flex items-center gap-2 text-sm font-semibold">
      <Dot tone={label ? DOTS[label] : "hollow"} />
      {label ? t(`states.${label}`) : t("chats.unsaved")}
    </p>
  );
}

function adviceKey({ state, reason, isConfirmed }: Chat) {
  if (state === "connected") return isConfirmed ? null : "unconfirmed";
  return state === "blocked" ? "blocked" : (reason ?? state);
}
