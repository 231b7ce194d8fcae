import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { queryKeys } from "../../lib/backend/query-keys.ts";
import type { FieldConflict } from "../../lib/offline/queue.ts";
import { lazyPart } from "./lazy-part.tsx";

const ConflictList = lazyPart(async () => (await import("./conflict-list.tsx")).ConflictList, {
  namespaces: ["filter", "home", "rules", "search"],
});

/** Settings changed without a connection that could not be saved. The person decides about each. */
export function FieldConflicts({ userId }: { userId: string }) {
  const queryKey = queryKeys.conflicts(userId);
  const { data } = useQuery<FieldConflict[]>({ queryKey, enabled: false, queryFn: () => [] });
  if (!data?.length) return null;
  return (
    <Suspense fallback={null}>
      <ConflictList userId={userId} conflicts={data} />
    </Suspense>
  );
}
