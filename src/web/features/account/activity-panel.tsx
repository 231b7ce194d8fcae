import {
  Download,
  KeyRound,
  LogIn,
  LogOut,
  type LucideIcon,
  Mail,
  MessageCircle,
  Send,
  TriangleAlert,
  UserPlus,
} from "lucide-react";
import { useState } from "react";
import type { AccountEvent } from "#web/lib/backend/typed-database.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { Panel } from "../../components/panel.tsx";
import { Button } from "../../components/ui/button.tsx";
import { FailureNotice } from "../../components/ui/failure-notice.tsx";
import { useBrowserWords, useDates } from "./use-event-words.ts";

interface ActivityPanelProps {
  /** Undefined if it could not be loaded. */
  activity: AccountEvent[] | undefined;
  hasPassword: boolean;
  onRetry(): void;
}

/** Fits on the screen of a phone. */
const SHOWN_FIRST = 6;

export function ActivityPanel({ activity, hasPassword, onRetry }: ActivityPanelProps) {
  const t = useTexts("account");
  const description = t(hasPassword ? "activity.description" : "activity.descriptionNoPassword");
  return (
    <Panel id="activity" title={t("activity.title")} description={description}>
      {activity ? (
        <ActivityList activity={activity} />
      ) : (
        <FailureNotice message={t("activity.loadFailure")} retry={{ text: t("errors.retry"), onRetry }} />
      )}
    </Panel>
  );
}

function ActivityList({ activity }: { activity: AccountEvent[] }) {
  const t = useTexts("account");
  const [isWhole, setWhole] = useState(false);
  if (activity.length === 0) return <p className="text-muted">{t("activity.empty")}</p>;
  return (
    <>
      <ul className="grid">
        {(isWhole ? activity : activity.slice(0, SHOWN_FIRST)).map((event, index) => (
          <ActivityRow key={event.id} event={event} isFocused={index === SHOWN_FIRST} />
        ))}
      </ul>
      {!isWhole && activity.length > SHOWN_FIRST && (
        <Button
          variant="outline"
          className="w-full sm:w-auto sm:justify-self-start"
          onClick={() => setWhole(true)}
        >
          {t("activity.showAll")}
        </Button>
      )}
    </>
  );
}

const ICONS: Record<AccountEvent["kind"], LucideIcon> = {
  sign_in: LogIn,
  sign_up: UserPlus,
  mini_app: Send,
  wrong_password: TriangleAlert,
  password_changed: KeyRound,
  password_reset: KeyRound,
  session_ended: LogOut,
  chat_connected: MessageCircle,
  chat_removed: MessageCircle,
  telegram_linked: Send,
  telegram_unlinked: Send,
  email_added: Mail,
  export: Download,
};

interface ActivityRowProps {
  event: AccountEvent;
  /** The first row that "Show all" adds takes the focus, because the button is gone. */
  isFocused: boolean;
}

function ActivityRow({ event, isFocused }: ActivityRowProps) {
  const t = useTexts("account");
  const dateIn = useDates();
  const wordsOf = useBrowserWords();
  const { kind, browser, platform, times } = event;
  const Icon = ICONS[kind];
  return (
    <li
      className="flex gap-3 border-t border-line py-3 first:border-t-0 first:pt-0 last:pb-0"
      {...(isFocused && { ref: focus, tabIndex: -1 })}
    >
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
      <div className="grid min-w-0 gap-0.5">
        <p className="flex flex-wrap items-center gap-x-2 font-semibold">
          {t(`activity.kinds.${kind}`)}
          {times > 1 && (
            <span className="rounded-full border border-strong-line px-2 py-0.5 text-xs font-semibold text-muted">
              {t("activity.times", { count: times })}
            </span>
          )}
        </p>
        <p className="flex flex-wrap gap-x-3 text-sm text-muted">
          <time dateTime={event.happened_at}>{dateIn(event.happened_at)}</time>
          {browser && platform && <span>{wordsOf({ family: browser, platform })}</span>}
        </p>
      </div>
    </li>
  );
}

function focus(row: HTMLElement | null): void {
  row?.focus();
}
