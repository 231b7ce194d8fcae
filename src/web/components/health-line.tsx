import type { Health } from "#core/health/health-of.ts";
import { cn } from "#web/lib/browser/class-names.ts";
import { useHealthWords } from "#web/lib/i18n/use-health-words.ts";

const HOLLOW = "border-2 border-strong-line";

const DOTS: Readonly<Record<Health["state"], string>> = {
  watching: "bg-good",
  first: "bg-good motion-safe:animate-breathe",
  paused: HOLLOW,
  noChat: HOLLOW,
  waitingForYes: HOLLOW,
  muted: HOLLOW,
  held: HOLLOW,
  queued: HOLLOW,
  chatsLost: "bg-tile",
  notASearch: "bg-tile",
  noSource: "bg-tile",
  spent: "bg-tile",
  failing: "bg-tile",
  late: "bg-tile",
};

/** The status of a search: a light and a line. Shows nothing until the status is known. */
export function HealthLine({ health }: { health: Health | undefined }) {
  return health && <KnownHealth health={health} />;
}

function KnownHealth({ health }: { health: Health }) {
  const { title } = useHealthWords(health);
  return (
    <p className="flex items-baseline gap-2.5 text-sm font-semibold">
      <span aria-hidden className={cn("size-2.5 shrink-0 rounded-full", DOTS[health.state])} />
      {title}
    </p>
  );
}
