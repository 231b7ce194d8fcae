/** What Sereno measured about itself and the market, for everybody. The figures are computed every hour, not here. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { FEWEST_MEASURED, type MeasuredFigures } from "#core/figures/measured-figures.ts";
import { formatMoment } from "#text/moments.ts";
import { loadGuestTables } from "#web/lib/backend/guest-tables.ts";
import { queryKeys } from "#web/lib/backend/query-keys.ts";
import { dataOf } from "#web/lib/backend/supabase.ts";
import { useLoaded } from "#web/lib/backend/use-loaded.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { LocalLink } from "../../components/local-link.tsx";
import { FailureNotice } from "../../components/ui/failure-notice.tsx";
import { LoadingBlocks } from "../../components/ui/loading-blocks.tsx";
import { Latencies } from "./latencies.tsx";
import { Stays } from "./stays.tsx";

export function Measured() {
  const t = useTexts("measured");
  return (
    <div className="mx-auto grid max-w-4xl gap-8 px-5 py-8 md:px-6 md:py-14">
      <LocalLink
        to="/"
        className="inline-flex min-h-11 items-center gap-2 justify-self-start text-muted underline-offset-4 hover:text-ink hover:underline"
      >
        <ArrowLeft aria-hidden className="size-4.5" />
        {t("back")}
      </LocalLink>
      <header className="grid gap-4">
        <h1 className="text-3xl text-balance md:text-5xl">{t("title")}</h1>
        <p className="max-w-prose text-lg text-muted">{t("lead", { fewest: FEWEST_MEASURED })}</p>
      </header>
      <Figures />
    </div>
  );
}

const measuredQuery = queryOptions({ queryKey: queryKeys.measured(), queryFn: fetchMeasured });

function Figures() {
  const t = useTexts("measured");
  const figures = useQuery(measuredQuery);
  if (!useLoaded(figures)) return <LoadingBlocks label={t("loading")} heights={["h-64", "h-96"]} />;
  if (figures.data === undefined) {
    const retry = { text: t("retry"), onRetry: () => void figures.refetch() };
    return <FailureNotice message={t("failed")} retry={retry} />;
  }
  if (figures.data === null) return <p role="status">{t("nothing")}</p>;
  return (
    <>
      <Latencies latencies={figures.data.latencies} />
      <Stays stays={figures.data.stays} />
      <UpdatedAt figures={figures.data} />
    </>
  );
}

function UpdatedAt({ figures }: { figures: MeasuredFigures }) {
  const t = useTexts("measured");
  const date = formatMoment(new Date(figures.measured_at), useLanguage(), {
    timeZone: "Europe/Madrid",
    dateStyle: "long",
    timeStyle: "short",
  });
  return <p className="text-md text-muted">{t("updated", { date })}</p>;
}

async function fetchMeasured(): Promise<MeasuredFigures | null> {
  const tables = await loadGuestTables();
  return dataOf(await tables.rpc("measured_figures"));
}
