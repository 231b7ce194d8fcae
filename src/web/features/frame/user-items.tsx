import { LogOut, SlidersHorizontal, UserRound } from "lucide-react";
import { LocalLink } from "../../components/local-link.tsx";
import {
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
} from "../../components/ui/dropdown-menu.tsx";
import { useSession } from "../../lib/session.ts";
import { useTexts } from "../../lib/use-texts.ts";

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
