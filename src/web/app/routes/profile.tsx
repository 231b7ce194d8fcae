import account from "#locales/en/account.json";
import auth from "#locales/en/auth.json";
import { PrivatePageMeta } from "../../components/page-meta.tsx";
import { Protected } from "../../components/protected.tsx";
import { Account } from "../../features/account/account.tsx";
import { registerEnglish } from "../../lib/english.ts";
import type { PageHandle } from "../../lib/surfaces.ts";
import { useTexts } from "../../lib/use-texts.ts";

registerEnglish("account", account);
registerEnglish("auth", auth);

export const handle: PageHandle = { surfaces: ["account", "auth"] };

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
