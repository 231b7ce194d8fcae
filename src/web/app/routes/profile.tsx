import account from "#text/locales/en/account.json";
import auth from "#text/locales/en/auth.json";
import health from "#text/locales/en/health.json";
import { PrivatePageMeta } from "../../components/page-meta.tsx";
import { Protected } from "../../components/protected.tsx";
import { Account } from "../../features/account/account.tsx";
import { registerEnglish } from "../../lib/i18n/english.ts";
import { useTexts } from "../../lib/i18n/use-texts.ts";
import type { PageHandle } from "../../lib/site/page-handle.ts";

registerEnglish("account", account);
registerEnglish("auth", auth);
registerEnglish("health", health);

export const handle: PageHandle = { namespaces: ["account", "auth", "health"] };

export default function ProfilePage() {
  const t = useTexts("account");
  return (
    <>
      <PrivatePageMeta title={`${t("page.title")} · Sereno`} />
      <Protected>
        <Account />
      </Protected>
    </>
  );
}
