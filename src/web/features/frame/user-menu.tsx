import type { User } from "@supabase/supabase-js";
import { ChevronDown } from "lucide-react";
import { lazy } from "react";
import { LazyMenu } from "../../components/lazy-menu.tsx";
import { Button } from "../../components/ui/button.tsx";
import { displayNameOf } from "../../lib/session.ts";
import { useTexts } from "../../lib/use-texts.ts";

const UserItems = lazy(async () => ({ default: (await import("./user-items.tsx")).UserItems }));

export function UserMenu({ user }: { user: User }) {
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
