import { cn } from "../../lib/browser/class-names.ts";
import { useIsOnline } from "../../lib/offline/use-is-online.ts";
import { PartFailure } from "../parts/part-failure.tsx";
import { Skeleton } from "./skeleton.tsx";

/** Empty blocks, each with the height of what will stand in its place. Without a connection, a sentence: nothing is loading. */
export function LoadingBlocks({
  label,
  heights,
  className,
}: {
  /** Said to screen readers. */
  label: string;
  heights: readonly `h-${number}`[];
  className?: string;
}) {
  if (!useIsOnline()) return <PartFailure reason="offline" />;
  return (
    <div role="status" className={cn("grid gap-5", className)}>
      <span className="sr-only">{label}</span>
      {heights.map((height, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change
        <Skeleton key={place} className={cn("rounded-2xl", height)} />
      ))}
    </div>
  );
}
