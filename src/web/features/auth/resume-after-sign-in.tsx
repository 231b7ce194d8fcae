import { useEffect } from "react";
import { type Location, useLocation, useNavigate } from "react-router";
import { localizedPath } from "#core/languages.ts";
import { rememberedLocation } from "../../lib/remembered-location.ts";
import { isNewAccount, useSession } from "../../lib/session.ts";
import { useLanguage } from "../../lib/use-texts.ts";

/** Takes a person who was asked to log in to where they were going; a new account goes to its filter first. */
export function ResumeAfterSignIn() {
  const { user } = useSession();
  const location: Location<unknown> = useLocation();
  const language = useLanguage();
  const navigate = useNavigate();
  const wanted = rememberedLocation(location.state);
  const target = user && wanted && !isNewAccount(user) ? localizedPath(wanted, language) : null;
  useEffect(() => {
    if (target !== null) void navigate(target, { replace: true });
  }, [target, navigate]);
  return null;
}
