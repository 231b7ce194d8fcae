import { lazy, Suspense } from "react";
import type { HeldSetup } from "../lib/backend/typed-database.ts";
import { Skeleton } from "./ui/skeleton.tsx";

// Rarely shown, and it needs the names of places.
const HeldSetupNotice = lazy(async () => ({
  default: (await import("./held-setup-notice.tsx")).HeldSetupNotice,
}));

export function HeldSetupQuestion({ held }: { held: HeldSetup | null | undefined }) {
  if (!held) return null;
  return (
    <Suspense fallback={<Skeleton className="h-72 rounded-2xl" />}>
      <HeldSetupNotice held={held} />
    </Suspense>
  );
}
