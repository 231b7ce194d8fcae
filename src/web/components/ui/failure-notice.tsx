import { CircleAlert } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Failure } from "../../lib/browser/use-action.ts";
import { useTexts } from "../../lib/i18n/use-texts.ts";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

const TRYING_MS = 1_000;

interface FailureNoticeProps {
  title?: string;
  message: string;
  reasons?: readonly string[];
  retry?: { text: string; onRetry(): void } | undefined;
  /** Another action that may help. */
  children?: ReactNode;
}

/** Shows a failure where it happened, until the person has dealt with it. */
export function FailureNotice({ title, message, reasons = [], retry, children }: FailureNoticeProps) {
  const notice = useRef<HTMLDivElement>(null);
  // On a small screen the notice may appear outside the visible part.
  useEffect(() => {
    notice.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <Notice ref={notice} role="alert" tone="failure" icon={CircleAlert} title={title}>
      <p>{message}</p>
      {reasons.length > 0 && (
        <ul className="grid list-disc gap-1 pl-4.5">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      {retry && (
        <RetryButton {...retry} />
      )}
      {children}
    </Notice>
  );
}

/** Without a connection the next try fails at once: the press is shown all the same. */
function RetryButton({ text, onRetry }: { text: string; onRetry(): void }) {
  const t = useTexts("common");
  const [isTrying, setTrying] = useState(false);
  useEffect(() => {
    if (!isTrying) return;
    const timer = setTimeout(() => setTrying(false), TRYING_MS);
    return () => clearTimeout(timer);
  }, [isTrying]);
  const tryAgain = () => {
    setTrying(true);
    onRetry();
  };
  return (
    <Button variant="link" size="line" onClick={tryAgain}>
      {isTrying ? t("access.loading") : text}
    </Button>
  );
}

/** The failure of a form's last submission, which stays until the next one. */
export function FormFailure({ failure }: { failure: Failure | null }) {
  if (!failure) return null;
  const { title, description, action } = failure;
  const retry = action && { text: action.label, onRetry: action.onAction };
  return <FailureNotice title={title} message={description} retry={retry} />;
}
