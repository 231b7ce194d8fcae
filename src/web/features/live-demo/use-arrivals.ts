import { useEffect, useRef, useState } from "react";
import type { DemoListing } from "./demo-listing.ts";

const BRIGHT_MS = 1200;

/** The listings that came after the list was first shown, for a moment after they came. */
export function useArrivals(listings: readonly DemoListing[] | undefined): ReadonlySet<string> {
  const known = useRef<ReadonlySet<string>>(undefined);
  const [arrived, setArrived] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (listings === undefined) {
      known.current = undefined;
      return;
    }
    const before = known.current;
    known.current = new Set(listings.map(({ id }) => id));
    const fresh = before ? listings.filter(({ id }) => !before.has(id)) : [];
    if (fresh.length === 0) return;
    setArrived(new Set(fresh.map(({ id }) => id)));
    const timer = setTimeout(() => setArrived(new Set()), BRIGHT_MS);
    return () => clearTimeout(timer);
  }, [listings]);
  return arrived;
}
