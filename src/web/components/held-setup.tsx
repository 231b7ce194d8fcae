import { lazy, Suspense } from "react";
import type { HeldSetup as Held } from "../lib/backend/held-setup.ts";
import { Skeleton } from "./ui/skeleton.tsx";

// Hardly anyone sees it, and it needs the tables of places.
const HeldSetupNotice = lazy(async () => ({
  default: (await import("./held-setup-notice.tsx")).HeldSetupNotice,
}));

/** The question about a held setup, where there is one. */
export function HeldSetup({ held }: { held: Held | null | undefined }) {
  if (!held) return null;
  return (
    <Suspense fallback={<Skeleton className="h-72 rounded-2xl" />}>
      <HeldSetupNotice held={held} />
    </Suspense>
  );
}
