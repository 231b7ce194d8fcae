import { useEffect } from "react";
import { type Location, useLocation, useNavigate } from "react-router";
import { localizedPath } from "#core/languages.ts";
import { rememberedLocation } from "#web/lib/auth/remembered-location.ts";
import { useSession } from "#web/lib/auth/session.ts";
import { useLanguage } from "#web/lib/i18n/use-texts.ts";

/** Takes a person who was asked to log in to where they were going. */
export function ResumeAfterSignIn() {
  const { user } = useSession();
  const location: Location<unknown> = useLocation();
  const language = useLanguage();
  const navigate = useNavigate();
  const wanted = rememberedLocation(location.state);
  const target = user && wanted ? localizedPath(wanted, language) : null;
  useEffect(() => {
    if (target !== null) void navigate(target, { replace: true });
  }, [target, navigate]);
  return null;
}
