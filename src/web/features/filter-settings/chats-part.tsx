import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Trans } from "react-i18next";
import { Button } from "../../components/ui/button.tsx";
import { useConfig } from "../../lib/use-config.ts";
import { useTexts } from "../../lib/use-texts.ts";
import { parseChatIds, withoutChatId } from "./chat-ids.ts";
import { ChatList } from "./chat-list.tsx";
import type { FormParts } from "./form-parts.ts";
import { HintedField } from "./hinted-field.tsx";
import { TelegramConnect } from "./telegram-connect.tsx";

/** Whom to tell: one tap, or a number for those who have it at hand. */
export function ChatsPart({ fault, ...parts }: FormParts & { fault: string | undefined }) {
  const t = useTexts("filter");
  const { userId, state, dispatch, chats, botUsername } = parts;
  const queries = useQueryClient();
  const { ids } = parseChatIds(state.ids);
  const connected = chats.filter(({ id, state: is }) => is === "connected" && ids.includes(id)).length;
  // Every look at an open link costs one of the hour's thirty: who has a chat already asks for it.
  const [isAsked, setAsked] = useState(false);
  const isConnecting = isAsked || (state.mode === "wizard" && connected === 0);
  useArrival(connected, () => {
    setAsked(false);
    // A token is good for one chat: the next needs another.
    void queries.resetQueries({ queryKey: ["telegram-link", userId] });
  });
  const type = (typed: string) => dispatch({ type: "ids-typed", ids: typed });
  return (
    <div className="grid gap-6">
      <ChatList
        state={state}
        chats={chats}
        botUsername={botUsername}
        onRemove={(id) => type(withoutChatId(state.ids, id))}
      />
      {isConnecting ? (
        <TelegramConnect userId={userId} botUsername={botUsername} />
      ) : (
        <Button
          variant="outline"
          className="h-auto min-h-11 justify-self-start py-2 whitespace-normal"
          onClick={() => setAsked(true)}
        >
          {t("connect.another")}
        </Button>
      )}
      <HintedField
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
        value={state.ids}
        onValueChange={type}
      />
      <Instructions botUsername={botUsername} />
    </div>
  );
}

function useArrival(count: number, onArrival: () => void): void {
  const seen = useRef(count);
  const latest = useRef(onArrival);
  latest.current = onArrival;
  useEffect(() => {
    if (count > seen.current) latest.current();
    seen.current = count;
  }, [count]);
}

function Instructions({ botUsername }: { botUsername: string }) {
  const t = useTexts("filter");
  const linkUrl = useConfig()?.telegramLinkUrl;
  if (botUsername === "" || linkUrl === undefined) return null;
  return (
    <p className="text-[0.9375rem] text-muted">
      <Trans
        t={t}
        i18nKey="chats.instructions"
        values={{ bot: botUsername }}
        components={{ bot: <BotLink href={`${linkUrl}/${botUsername}`} /> }}
      />
    </p>
  );
}

function BotLink({ href, children }: { href: string; children?: ReactNode }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className="font-semibold text-ink underline underline-offset-4"
    >
      {children}
    </a>
  );
}
