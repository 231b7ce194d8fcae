import { WifiOff } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import { useTexts } from "../../lib/i18n/use-texts.ts";
import { useIsOnline } from "../../lib/offline/use-is-online.ts";
import { FailureNotice } from "../ui/failure-notice.tsx";
import { Notice } from "../ui/notice.tsx";

const AGAIN_MS = 15_000;

interface MissingNoticeProps {
  /** What could not be loaded. */
  message: string;
  onRetry(): void;
}

/** In the place of what could not be loaded, which is asked for again by itself. Without a connection that is no failure. */
export function MissingNotice({ message, onRetry }: MissingNoticeProps) {
  const t = useTexts("common");
  const isOnline = useIsOnline();
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    if (!isOnline) return;
    const timer = setInterval(() => retry(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [isOnline]);
  if (isOnline) {
    const reason = `${t("parts.unanswered")} ${t("parts.loads")}`;
    return <FailureNotice title={reason} message={message} retry={{ text: t("parts.retry"), onRetry }} />;
  }
  return (
    <Notice role="status" icon={WifiOff} className="my-4">
      <p>{`${t("parts.offline")} ${t("parts.loads")}`}</p>
    </Notice>
  );
}
