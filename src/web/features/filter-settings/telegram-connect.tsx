import { useQuery } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { useState } from "react";
import { FailureNotice } from "../../components/failure-notice.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { useConfig } from "../../lib/use-config.ts";
import { useNow } from "../../lib/use-now.ts";
import { useLanguage, useTexts } from "../../lib/use-texts.ts";
import { createTelegramLink, type TelegramLink } from "./chat-calls.ts";
import { detailsOf } from "./filter-calls.ts";
import { QrCode } from "./qr-code.tsx";
import { useWideScreen } from "./use-wide-screen.ts";

/** Two minutes before the fifteen are over, so that nobody is handed a link that ends on the way. */
const RENEW_MS = 13 * 60_000;
const CLOCK_MS = 15_000;

interface TelegramConnectProps {
  userId: string;
  botUsername: string;
}

/** A link that only this person can use, once, and that brings the chat here by itself. */
export function TelegramConnect({ userId, botUsername }: TelegramConnectProps) {
  const t = useTexts("filter");
  const link = useQuery({
    queryKey: ["telegram-link", userId],
    queryFn: createTelegramLink,
    staleTime: RENEW_MS,
    gcTime: RENEW_MS,
    refetchInterval: RENEW_MS,
    retry: false,
  });
  const now = useNow(CLOCK_MS);
  const linkUrl = useConfig()?.telegramLinkUrl;
  const isFresh = link.data !== undefined && link.data.expiresAt > now;
  if (link.isError && !isFresh) {
    return <LinkFailure error={link.error} onRetry={() => void link.refetch()} />;
  }
  if (!isFresh || linkUrl === undefined || botUsername === "") {
    return (
      <div role="status">
        <span className="sr-only">{t("connect.preparing")}</span>
        <Skeleton className="h-44 rounded-2xl" />
      </div>
    );
  }
  return <OpenLink link={link.data} botUrl={`${linkUrl}/${botUsername}`} />;
}

function OpenLink({ link, botUrl }: { link: TelegramLink; botUrl: string }) {
  const t = useTexts("filter");
  const language = useLanguage();
  const isWide = useWideScreen();
  const [isOpened, setOpened] = useState(false);
  const startUrl = `${botUrl}?start=${link.token}`;
  const time = new Intl.DateTimeFormat(language, { timeStyle: "short", hourCycle: "h23" }).format(
    link.expiresAt,
  );
  const opened = { target: "_blank", rel: "noopener noreferrer", onClick: () => setOpened(true) };
  return (
    <div className="flex gap-8 rounded-2xl border border-line bg-surface p-5 shadow-card sm:p-6">
      <div className="grid flex-1 content-center gap-3">
        <Button size="lg" className="h-auto! min-h-13 py-2 whitespace-normal!" asChild>
          <a href={startUrl} {...opened}>
            <Send aria-hidden className="size-5" />
            {t("connect.button")}
          </a>
        </Button>
        <p role="status" className="text-[0.9375rem] text-muted">
          {isOpened ? <Waiting /> : t("connect.explain")}
        </p>
        <Button
          variant="link"
          size="inline"
          className="min-h-11 justify-self-start text-left text-[0.9375rem] whitespace-normal!"
          asChild
        >
          <a href={`${botUrl}?startgroup=${link.token}`} {...opened}>
            {t("connect.group")}
          </a>
        </Button>
        <p className="figures text-sm text-muted">{t("connect.validity", { time })}</p>
      </div>
      {isWide && (
        <figure className="grid w-44 shrink-0 content-start gap-2">
          <QrCode text={startUrl} label={t("connect.qr")} />
          <figcaption className="text-sm leading-snug text-muted">{t("connect.scan")}</figcaption>
        </figure>
      )}
    </div>
  );
}

function Waiting() {
  const t = useTexts("filter");
  return (
    <span className="flex items-center gap-2.5 font-medium text-ink">
      <span aria-hidden className="size-2.5 shrink-0 rounded-full bg-lantern motion-safe:animate-breathe" />
      {t("connect.waiting")}
    </span>
  );
}

function LinkFailure({ error, onRetry }: { error: Error; onRetry(): void }) {
  const t = useTexts("filter");
  const isTooMany = detailsOf(error) === "too-many-links";
  return (
    <FailureNotice message={isTooMany ? t("connect.tooMany") : t("connect.failed")}>
      {!isTooMany && (
        <Button
          variant="link"
          size="inline"
          className="min-h-11 justify-self-start text-left whitespace-normal!"
          onClick={onRetry}
        >
          {t("connect.retry")}
        </Button>
      )}
    </FailureNotice>
  );
}
