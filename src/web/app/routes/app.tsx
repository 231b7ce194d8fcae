import { useEffect } from "react";
import { localizedPath } from "#core/languages.ts";
import { PrivatePageMeta } from "../../components/page-meta.tsx";
import { useLanguage } from "../../lib/i18n/use-texts.ts";
import { pathOfStart } from "../../lib/mini-app/app-path.ts";
import { takeLaunch } from "../../lib/mini-app/launch.ts";
import type { PageHandle } from "../../lib/site/page-handle.ts";
import { useNavigate } from "../../lib/site/use-navigate.ts";

export const handle: PageHandle = { namespaces: ["mini-app"], isPrivate: true };

/** The address of the bot's main app: leads on to the page that its link names. */
export default function AppStart() {
  const language = useLanguage();
  const navigate = useNavigate();
  useEffect(() => {
    const path = pathOfStart(takeLaunch()?.startParameter ?? null);
    void navigate(localizedPath(path, language), { replace: true });
  }, [language, navigate]);
  return <PrivatePageMeta title="Sereno" />;
}
