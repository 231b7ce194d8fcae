import { Skeleton } from "#web/components/ui/skeleton.tsx";

/** As high as a card of a usual home. */
export function CardSkeletons({ count }: { count: number }) {
  return Array.from({ length: count }, (_, index) => (
    <div
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
      key={index}
      aria-hidden
      className="grid overflow-hidden rounded-2xl border border-line bg-surface grid-cols-1 sm:h-[17rem] sm:grid-cols-[15rem_minmax(0,1fr)] lg:grid-cols-[19.5rem_minmax(0,1fr)]"
    >
      <Skeleton className="aspect-[16/10] w-full rounded-none! sm:aspect-auto sm:h-full" />
      <div className="grid content-start gap-3 p-4 sm:p-5">
        <Skeleton className="h-4 w-2/5" />
        <Skeleton className="h-5 w-3/5" />
        <Skeleton className="h-7 w-1/3" />
        <Skeleton className="h-4 w-4/5" />
        <Skeleton className="h-4 w-3/5" />
        <Skeleton className="mt-4 h-10 w-full sm:w-2/3" />
      </div>
    </div>
  ));
}
