import { useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { Trans } from "react-i18next";
import { TextField } from "#web/components/form/text-field.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { OutsideLink } from "#web/components/ui/text-link.tsx";
import { useConfig } from "#web/lib/backend/config.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { useSearchForm } from "../form/search-form.ts";
import { type Chat, connectedOf } from "./chat-calls.ts";
import { withChatIds, withoutChatId } from "./chat-ids.ts";
import { ChatList } from "./chat-list.tsx";
import { chatName } from "./chat-name.ts";
import { TelegramConnect } from "./telegram-connect.tsx";

interface ChatsPartProps {
  /** Takes the focus when the pressed button is removed. */
  field: RefObject<HTMLElement | null>;
}

/** Which chats get the alerts: connect one with a tap, or learn its id. */
export function ChatsPart({ field }: ChatsPartProps) {
  const t = useTexts("filter");
  const { userId, search, others, values, ids, set, chats, botUsername } = useSearchForm();
  const newChat = useNewChat(chats);
  const hasConnected = connectedOf(chats)?.some(({ id }) => ids.includes(id)) ?? true;
  const connecting = useConnecting(newChat, !hasConnected);
  const change = (typed: string) => {
    set({ ids: typed });
    field.current?.focus();
  };
  const tap = (
    <div ref={connecting.panel} tabIndex={-1} className="outline-none">
      <TelegramConnect userId={userId} searchId={search?.id} botUsername={botUsername} />
    </div>
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {connecting.isFirst && tap}
      <ChatList newChat={newChat} onRemove={(id) => change(withoutChatId(values.ids, id))} />
      {others.length > 0 && (
        <OtherChats
          chats={connectedOf(chats)?.filter(({ id }) => !ids.includes(id)) ?? []}
          onAdd={(id) => change(withChatIds(values.ids, [id]))}
        />
      )}
      {!connecting.isFirst && connecting.isOpen && tap}
      {!connecting.isOpen && (
        <Button variant="outline" className="justify-self-start" onClick={connecting.open}>
          {t("connect.another")}
        </Button>
      )}
      <Instructions botUsername={botUsername} />
    </div>
  );
}

interface IdsFieldProps {
  inputRef?: RefObject<HTMLInputElement | null>;
  fault: string | undefined;
}

export function IdsField({ inputRef, fault }: IdsFieldProps) {
  const t = useTexts("filter");
  const { values, set } = useSearchForm();
  return (
    <TextField
      {...(inputRef ? { ref: inputRef } : {})}
      label={t("chats.label")}
      hint={t("chats.hint")}
      fault={fault}
      name="ids"
      inputMode="text"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      required
      className="figures"
      value={values.ids}
      onValueChange={(ids) => set({ ids })}
    />
  );
}

/** Chats that are connected for another search, to add with one tap. */
function OtherChats({ chats, onAdd }: { chats: readonly Chat[]; onAdd(id: string): void }) {
  const t = useTexts("filter");
  if (chats.length === 0) return null;
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="mb-2 text-md text-muted">{t("searches.otherChats")}</legend>
      <div className="flex flex-wrap gap-2">
        {chats.map((chat) => {
          const name = chatName(t, chat.id, chat);
          return (
            <Button
              key={chat.id}
              variant="outline"
              className="min-h-11 max-w-full text-left wrap-anywhere"
              aria-label={t("searches.addChat", { name })}
              onClick={() => onAdd(chat.id)}
            >
              <Plus aria-hidden className="size-4.5" />
              {name}
            </Button>
          );
        })}
      </div>
    </fieldset>
  );
}

/** Whether the connect step is open, whether it comes first, and what happens when a chat connects. */
function useConnecting(newChat: Chat | undefined, isOffered: boolean) {
  const { userId, search } = useSearchForm();
  const queries = useQueryClient();
  const panel = useRef<HTMLDivElement>(null);
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    if (!newChat) return;
    setAsked(false);
    // A token works for one chat: the next chat needs a new one.
    void queries.resetQueries({ queryKey: queryKeys.telegramLink(userId) });
  }, [newChat, queries, userId]);
  useEffect(() => {
    if (isAsked) panel.current?.focus();
  }, [isAsked]);
  // Every open link uses one of thirty per hour, so a person who has a chat must ask for it.
  const isFirst = search === null && isOffered;
  return { isOpen: isAsked || isFirst, isFirst, panel, open: () => setAsked(true) };
}

function Instructions({ botUsername }: { botUsername: string }) {
  const t = useTexts("filter");
  const linkUrl = useConfig()?.telegramLinkUrl;
  if (botUsername === "" || linkUrl === undefined) return null;
  return (
    <p className="text-md text-muted">
      <Trans
        t={t}
        i18nKey="chats.instructions"
        values={{ bot: botUsername }}
        components={{ bot: <OutsideLink href={`${linkUrl}/${botUsername}`} /> }}
      />
    </p>
  );
}

function useNewChat(chats: readonly Chat[] | undefined): Chat | undefined {
  const known = useRef<ReadonlySet<string> | undefined>(undefined);
  const [newChat, setNewChat] = useState<Chat>();
  useEffect(() => {
    const connected = connectedOf(chats);
    if (!connected) return;
    const before = known.current;
    const fresh = before && connected.find(({ id }) => !before.has(id));
    known.current = new Set(connected.map(({ id }) => id));
    if (fresh) setNewChat(fresh);
  }, [chats]);
  return newChat;
}
