import { Send } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { loadSupabase } from "#web/lib/backend/supabase.ts";
import { notify } from "#web/lib/browser/toast.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { isAtLeast, takeLaunch } from "#web/lib/mini-app/launch.ts";
import { onTelegram, post } from "#web/lib/mini-app/telegram-client.ts";

/**
 * Sends the card of a home to a chat that the person chooses in Telegram. It is prepared at the press, because it is valid for
 * a while only. Clients without it show `children`.
 */
export function SendHome({ listingId, children }: { listingId: string; children: ReactNode }) {
  const t = useTexts("mini-app");
  const language = useLanguage();
  const [isPreparing, setPreparing] = useState(false);
  const share = async () => {
    setPreparing(true);
    const id = await prepareShare({ listingId, language }).catch(() => sayFailure(t));
    setPreparing(false);
    if (id !== undefined) post("web_app_send_prepared_message", { id });
  };
  useEffect(() => {
    const stops = [
      onTelegram("prepared_message_sent", () => notify({ kind: "success", title: t("shared") })),
      onTelegram("prepared_message_failed", (said) => {
        if (!isDeclined(said)) sayFailure(t);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [t]);
  if (!isAtLeast(takeLaunch()?.version ?? "0", "8.0")) return children;
  return (
    <Button
      variant="outline"
      size="icon"
      className="self-center"
      aria-label={t("share")}
      title={t("share")}
      disabled={isPreparing}
      onClick={() => void share()}
    >
      <Send aria-hidden className="size-4.5" />
    </Button>
  );
}

async function prepareShare(order: { listingId: string; language: string }): Promise<string> {
  const { data } = await (await loadSupabase()).auth.getSession();
  const answer = await fetch("/telegram/share", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${data.session?.access_token ?? ""}`,
    },
    body: JSON.stringify(order),
  });
  if (!answer.ok) throw new Error(`The share was refused with ${answer.status}`);
  const { preparedId }: { preparedId: string } = await answer.json();
  return preparedId;
}

function sayFailure(t: ReturnType<typeof useTexts<"mini-app">>): undefined {
  notify({ kind: "destructive", title: t("shareFailed"), description: t("shareFailedText") });
}

const isDeclined = (said: unknown) =>
  typeof said === "object" && said !== null && "error" in said && said.error === "USER_DECLINED";
