import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { useNavigate } from "../site/use-navigate.ts";
import { type AuthCallback, mustBeWiped, parseAuthCallback, withoutCallback } from "./auth-callback.ts";

/** The link of the address, removed from it before anything else happens; undefined until it was read. */
export function useLinkInAddress(): AuthCallback | null | undefined {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const [link, setLink] = useState<AuthCallback | null>();
  useEffect(() => {
    const found = parseAuthCallback({ search, hash });
    setLink((earlier) => found ?? earlier ?? null);
    if (!mustBeWiped({ search, hash })) return;
    const address = withoutCallback({ pathname, search, hash });
    window.history.replaceState(window.history.state, "", address);
    // The router read the address before it was cleaned.
    void navigate(address, { replace: true, state });
  }, [pathname, search, hash, state, navigate]);
  return link;
}
