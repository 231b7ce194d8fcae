import { CircleAlert } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import type { Failure } from "../lib/browser/use-action.ts";
import { Button } from "./ui/button.tsx";

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
    <div
      ref={notice}
      role="alert"
      className="flex gap-3 rounded-xl border border-tile/40 bg-tile/8 px-4 py-3 text-[0.9375rem] leading-snug"
    >
      <CircleAlert aria-hidden className="mt-px size-5 shrink-0 text-tile" />
      <div className="grid min-w-0 gap-1.5 wrap-anywhere">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        <p>{message}</p>
        {reasons.length > 0 && (
          <ul className="grid list-disc gap-1 pl-4.5">
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        )}
        {retry && (
          <Button
            variant="link"
            size="inline"
            className="min-h-11 justify-self-start text-left whitespace-normal!"
            onClick={retry.onRetry}
          >
            {retry.text}
          </Button>
        )}
        {children}
      </div>
    </div>
  );
}

/** The failure of a form's last submission, which stays until the next one. */
export function FormFailure({ failure }: { failure: Failure | null }) {
  if (!failure) return null;
  const { title, description, action } = failure;
  const retry = action && { text: action.label, onRetry: action.onAction };
  return <FailureNotice title={title} message={description} retry={retry} />;
}
