import { Button } from "../../components/ui/button.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { useAuthDialog } from "../../lib/auth-dialog.ts";
import { useSession } from "../../lib/session.ts";
import { useTexts } from "../../lib/use-texts.ts";
import { UserMenu } from "./user-menu.tsx";

/** The right end of the wide header. */
export function AccountArea() {
  const t = useTexts("common");
  const { user, isLoading } = useSession();
  const { open } = useAuthDialog();
  if (user) return <UserMenu user={user} />;
  return (
    // The buttons keep their place while the session is read, so the skeleton is exactly as wide as they are.
    <div className="relative">
      <div
        className="flex items-center gap-2"
        inert={isLoading}
        style={isLoading ? { visibility: "hidden" } : undefined}
      >
        <Button variant="ghost" onClick={() => open("signin")}>
          {t("header.signIn")}
        </Button>
        <Button variant="outline" onClick={() => open("signup")}>
          {t("header.signUp")}
        </Button>
      </div>
      {isLoading && (
        <div role="status" data-testid="account-skeleton" className="absolute inset-0 flex items-center">
          <span className="sr-only">{t("header.accountLoading")}</span>
          <Skeleton className="h-9 w-full" />
        </div>
      )}
    </div>
  );
}
