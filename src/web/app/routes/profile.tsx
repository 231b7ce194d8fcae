import { PrivatePageMeta } from "../../components/page-meta.tsx";
import { Protected } from "../../components/protected.tsx";
import { Account } from "../../features/account/account.tsx";
import { useTexts } from "../../lib/i18n/use-texts.ts";
import type { PageHandle } from "../../lib/site/page-handle.ts";

export const handle: PageHandle = { namespaces: ["account", "auth", "health"], isPrivate: true };

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
