import { type ReactNode, useState } from "react";
import { Trans } from "react-i18next";
import { Button } from "../../components/ui/button.tsx";
import { useConfig } from "../../lib/use-config.ts";
import { useTexts } from "../../lib/use-texts.ts";
import { withoutChatId } from "./chat-ids.ts";
import { ChatList } from "./chat-list.tsx";
import type { FormParts } from "./form-parts.ts";
import { HintedField } from "./hinted-field.tsx";
import { TelegramConnect } from "./telegram-connect.tsx";

/** Whom to tell: one tap, or a number for those who have it at hand. */
export function ChatsPart({ fault, ...parts }: FormParts & { fault: string | undefined }) {
  const t = useTexts("filter");
  const { userId, state, dispatch, chats, botUsername } = parts;
  // Every look at an open link costs one of the hour's thirty: who has chats already asks for it.
  const [isConnecting, setConnecting] = useState(state.mode === "wizard");
  const type = (ids: string) => dispatch({ type: "ids-typed", ids });
  return (
    <div className="grid gap-6">
      <ChatList
        state={state}
        chats={chats}
        botUsername={botUsername}
        onRemove={(id) => type(withoutChatId(state.ids, id))}
      />
      {isConnecting ? (
        <TelegramConnect userId={userId} chats={chats} botUsername={botUsername} />
      ) : (
        <Button variant="outline" className="justify-self-start" onClick={() => setConnecting(true)}>
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
