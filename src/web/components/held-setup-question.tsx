import { Suspense } from "react";
import type { HeldSetup } from "../lib/backend/typed-database.ts";
import { lazyPart } from "./parts/lazy-part.tsx";
import { Skeleton } from "./ui/skeleton.tsx";

// Rarely shown, and it needs the names of places.
const HeldSetupNotice = lazyPart(async () => (await import("./held-setup-notice.tsx")).HeldSetupNotice, {
  namespaces: ["account", "search"],
});

export function HeldSetupQuestion({ held }: { held: HeldSetup | null | undefined }) {
  if (!held) return null;
  return (
    <Suspense fallback={<Skeleton className="h-72 rounded-2xl" />}>
      <HeldSetupNotice held={held} />
    </Suspense>
  );
}
