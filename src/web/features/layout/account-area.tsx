import type { User } from "@supabase/supabase-js";
import { ChevronDown } from "lucide-react";
import { lazy } from "react";
import { LazyMenu } from "#web/components/lazy-menu.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import { useAuthDialog } from "#web/lib/auth/auth-dialog.ts";
import { displayNameOf, useSession } from "#web/lib/auth/session.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";

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

const UserItems = lazy(async () => ({ default: (await import("./user-items.tsx")).UserItems }));

function UserMenu({ user }: { user: User }) {
  const t = useTexts("common");
  const name = displayNameOf(user);
  const label = t("header.accountMenu", { name });
  return (
    <LazyMenu
      label={label}
      trigger={
        <Button variant="outline" aria-label={label}>
          <span className="max-w-36 truncate">{name}</span>
          <ChevronDown aria-hidden className="size-4" />
        </Button>
      }
      Items={UserItems}
    />
  );
}
