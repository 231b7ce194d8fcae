import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { dataOf, loadSupabase } from "#web/lib/backend/supabase.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { isAtLeast, takeLaunch } from "#web/lib/mini-app/launch.ts";
import { onTelegram, post } from "#web/lib/mini-app/telegram-client.ts";

const LOOK_AGAIN_MS = 2_000;

/** Where no chat gets the alerts: asks whether Sereno may write here. Clients without that question open the chat. */
export function WriteAccess({ userId, botUrl }: { userId: string; botUrl: string }) {
  const t = useTexts("mini-app");
  const [answer, setAnswer] = useState<"open" | "allowed" | "cancelled">("open");
  const { data: hasChat = true } = useQuery({
    ...hasChatQuery(userId),
    // The bot connects the chat as soon as Telegram tells it.
    refetchInterval: ({ state }) => answer === "allowed" && state.data === false && LOOK_AGAIN_MS,
  });
  useEffect(
    () =>
      onTelegram("write_access_requested", (said) => setAnswer(isAllowed(said) ? "allowed" : "cancelled")),
    [],
  );
  if (hasChat || answer === "cancelled") return null;
  const canAsk = answer === "open" && isAtLeast(takeLaunch()?.version ?? "0", "6.9");
  return (
    <section
      aria-labelledby="write-access"
      className="mx-4 mb-2 grid justify-items-start gap-2 rounded-2xl border border-line bg-surface p-4"
    >
      <h2 id="write-access" className="text-lg">
        {t("writeTitle")}
      </h2>
      <p className="text-muted">{t("writeText")}</p>
      {canAsk ? (
        <Button onClick={() => post("web_app_request_write_access")}>{t("allowWriting")}</Button>
      ) : (
        <Button asChild>
          <a href={botUrl}>{t("openChat")}</a>
        </Button>
      )}
    </section>
  );
}

function hasChatQuery(userId: string) {
  return queryOptions({
    queryKey: [...queryKeys.chats(userId), "any"],
    queryFn: () => fetchHasChat(userId),
  });
}

async function fetchHasChat(userId: string): Promise<boolean> {
  const supabase = await loadSupabase();
  const chats = supabase.from("chats").select("chat_id").eq("user_id", userId).eq("state", "connected");
  return dataOf(await chats.limit(1)).length > 0;
}

const isAllowed = (said: unknown) =>
  typeof said === "object" && said !== null && "status" in said && said.status === "allowed";
