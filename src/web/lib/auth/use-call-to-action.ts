import { useNavigate } from "react-router";
import { localizedPath } from "#core/languages.ts";
import { useLanguage } from "../i18n/use-texts.ts";
import { useAuthDialog } from "./auth-dialog.ts";
import { useSession } from "./session.ts";

/** A signed-in person goes on to their filter; a guest signs up first. */
export function useCallToAction(): () => void {
  const { user } = useSession();
  const { open } = useAuthDialog();
  const language = useLanguage();
  const navigate = useNavigate();
  return () => {
    if (user) void navigate(localizedPath("/filter-settings", language));
    else open("signup");
  };
}
