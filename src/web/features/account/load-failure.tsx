import { FailureNotice } from "../../components/failure-notice.tsx";
import { Button } from "../../components/ui/button.tsx";
import { useTexts } from "../../lib/use-texts.ts";

export function LoadFailure({ message, onRetry }: { message: string; onRetry(): void }) {
  const t = useTexts("account");
  return (
    <FailureNotice message={message}>
      <Button variant="link" size="inline" className="min-h-11 justify-self-start" onClick={onRetry}>
        {t("errors.retry")}
      </Button>
    </FailureNotice>
  );
}
