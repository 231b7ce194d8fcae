import type { Health } from "#core/health/health-of.ts";
import { Dot, type DotTone } from "#web/components/ui/dot.tsx";
import { useHealthWords } from "#web/lib/i18n/use-health-words.ts";

const DOTS: Readonly<Record<Health["state"], DotTone>> = {
  watching: "good",
  first: "good",
  paused: "hollow",
  noChat: "hollow",
  waitingForYes: "hollow",
  muted: "hollow",
  held: "hollow",
  queued: "hollow",
  chatsLost: "bad",
  notASearch: "bad",
  noSource: "bad",
  spent: "bad",
  failing: "bad",
  late: "bad",
};

/** The status of a search: a light and a line. Shows nothing until the status is known. */
export function HealthLine({ health }: { health: Health | undefined }) {
  return health && <KnownHealth health={health} />;
}

function KnownHealth({ health }: { health: Health }) {
  const { title } = useHealthWords(health);
  return (
    <p className="flex items-baseline gap-2.5 text-sm font-semibold">
      <Dot tone={DOTS[health.state]} isBreathing={health.state === "first"} />
      {title}
    </p>
  );
}
