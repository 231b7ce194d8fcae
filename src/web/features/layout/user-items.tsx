import { LogOut, SlidersHorizontal, UserRound } from "lucide-react";
import { LocalLink } from "#web/components/local-link.tsx";
import {
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
} from "#web/components/ui/dropdown-menu.tsx";
import { useSession } from "#web/lib/auth/session.ts";
import { useTexts } from "#web/lib/i18n/use-texts.ts";

export function UserItems() {
  const t = useTexts("common");
  const { user, signOut } = useSession();
  return (
    <>
      <DropdownMenuLabel className="max-w-64 truncate">{user?.email}</DropdownMenuLabel>
      <DropdownMenuSeparator />
      <DropdownMenuItem asChild>
        <LocalLink to="/profile">
          <UserRound aria-hidden />
          {t("header.profile")}
        </LocalLink>
      </DropdownMenuItem>
      <DropdownMenuItem asChild>
        <LocalLink to="/filter-settings">
          <SlidersHorizontal aria-hidden />
          {t("header.filterSettings")}
        </LocalLink>
      </DropdownMenuItem>
      <DropdownMenuSeparator />
      <DropdownMenuItem onSelect={() => void signOut()}>
        <LogOut aria-hidden />
        {t("header.signOut")}
      </DropdownMenuItem>
    </>
  );
}
