import { useQuery } from "@tanstack/react-query";
import { Send, Users } from "lucide-react";
import { Suspense, useState } from "react";
import { lazyPart } from "#web/components/parts/lazy-part.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { Dot } from "#web/components/ui/dot.tsx";
import { FailureNotice } from "#web/components/ui/failure-notice.tsx";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import { useConfig } from "#web/lib/backend/config.ts";
import { codeOf } from "#web/lib/backend/supabase.ts";
import { isMissing } from "#web/lib/backend/use-loaded.ts";
import { useMedia } from "#web/lib/browser/use-media.ts";
import { useNow } from "#web/lib/browser/use-now.ts";
import { momentHere } from "#web/lib/i18n/moment-here.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { type TelegramLink, telegramLinkQuery } from "./chat-calls.ts";

const CLOCK_MS = 15_000;
/** Wider than a phone in portrait mode, which cannot scan its own screen. */
const WIDE = "(min-width: 40rem)";

interface TelegramConnectProps {
  userId: string;
  searchId: string | undefined;
  botUsername: string;
}

/** A personal link for one use, which connects the chat that opens it. */
export function TelegramConnect({ userId, searchId, botUsername }: TelegramConnectProps) {
  const t = useTexts("filter");
  const link = useQuery(telegramLinkQuery(userId, searchId));
  const now = useNow(CLOCK_MS);
  const linkUrl = useConfig()?.telegramLinkUrl;
  const isFresh = link.data !== undefined && link.data.expiresAt > now;
  if ((link.error !== null || isMissing(link)) && !isFresh) {
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
  const isWide = useMedia(WIDE);
  const [isOpened, setOpened] = useState(false);
  const startUrl = `${botUrl}?start=${link.token}`;
  const time = momentHere(link.expiresAt, language, { timeStyle: "short" });
  const opened = { target: "_blank", rel: "noopener noreferrer", onClick: () => setOpened(true) };
  return (
    <div className="flex flex-wrap gap-x-8 gap-y-5 rounded-2xl border border-line bg-surface p-4 shadow-card sm:p-6">
      <div className="grid flex-1 basis-64 content-center gap-3">
        <Button size="lg" asChild>
          <a href={startUrl} {...opened}>
            <Send aria-hidden className="size-5" />
            {t("connect.button")}
          </a>
        </Button>
        <p role="status" className="text-md text-muted">
          {isOpened ? <Waiting /> : t("connect.explain")}
        </p>
        <Button variant="outline" asChild>
          <a href={`${botUrl}?startgroup=${link.token}`} {...opened}>
            <Users aria-hidden className="size-4.5" />
            {t("connect.group")}
          </a>
        </Button>
        <p className="figures text-sm text-muted">{t("connect.validity", { time })}</p>
      </div>
      {isWide && (
        <figure className="grid w-44 shrink-0 content-start gap-2">
          <Suspense fallback={<Skeleton className="aspect-square w-full rounded-xl" />}>
            <QrCode text={startUrl} label={t("connect.qr")} />
          </Suspense>
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
      <Dot tone="lantern" isBreathing />
      {t("connect.waiting")}
    </span>
  );
}

function LinkFailure({ error, onRetry }: { error: Error | null; onRetry(): void }) {
  const t = useTexts("filter");
  if (codeOf(error) === "too-many-links") return <FailureNotice message={t("connect.tooMany")} />;
  return <FailureNotice message={t("connect.failed")} retry={{ text: t("connect.retry"), onRetry }} />;
}

/** Dark on white in both themes: many cameras read nothing else. */
const QrCode = lazyPart<QrCodeProps>(async () => {
  const { encode } = await import("uqr");
  return (props) => <QrDrawing {...props} {...encode(props.text, { ecc: "M", border: 2 })} />;
});

interface QrCodeProps {
  text: string;
  label: string;
}

interface QrDrawingProps extends QrCodeProps {
  size: number;
  data: readonly (readonly boolean[])[];
}

function QrDrawing({ label, size, data }: QrDrawingProps) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="w-full rounded-xl border border-line bg-white"
    >
      <path d={pathOf(data)} fill="#0b1220" />
    </svg>
  );
}

function pathOf(rows: readonly (readonly boolean[])[]): string {
  return rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
}
