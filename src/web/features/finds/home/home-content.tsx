import { type ReactNode, useContext, useId } from "react";
import type { FindDetails, FoundHome } from "#core/finds/find.ts";
import { advertUrlIn } from "#core/listing/advert-url.ts";
import { formatPrice } from "#text/labels.ts";
import { LoadingBlocks } from "#web/components/ui/loading-blocks.tsx";
import { OutsideLink } from "#web/components/ui/text-link.tsx";
import { momentHere } from "#web/lib/i18n/moment-here.ts";
import { useClockTime } from "#web/lib/i18n/use-clock-time.ts";
import { useLanguage, useTexts } from "#web/lib/i18n/use-texts.ts";
import { CardActions } from "../list/card/card-actions.tsx";
import { CardNote } from "../list/card/card-note.tsx";
import { Distances, FactsLine, PerM2Line, Warnings } from "../list/card/find-facts.tsx";
import { NotSeenSince, NowContext } from "../list/card/find-times.tsx";
import { PriceLine } from "../list/card/price-line.tsx";
import { StateWords } from "../list/card/state-words.tsx";
import { MessagePart } from "./message-part.tsx";
import { Photos } from "./photos.tsx";
import { PricePlot } from "./price-plot.tsx";
import { ZoneStrip } from "./zone-strip.tsx";

interface HomeContentProps {
  userId: string;
  find: FoundHome;
  details: FindDetails | null;
}

export function HomeContent({ userId, find, details }: HomeContentProps) {
  const t = useTexts("finds");
  return (
    <div data-find={find.homeId} tabIndex={-1} className="grid grid-cols-1 gap-6 pb-10 outline-none">
      <Photos find={find} photos={details?.photos} />
      <div className="grid grid-cols-1 gap-x-10 gap-y-8 px-4 first:pt-4 sm:px-6 md:grid-cols-2">
        <div className="grid min-w-0 grid-cols-1 content-start gap-2">
          <StateWords find={find} />
          <PriceLine find={find} isLarge />
          <FactsLine find={find} />
          <PerM2Line find={find} />
          <Distances find={find} />
          <Warnings find={find} />
          <NotSeenSince find={find} />
          <CardNote find={find} />
          <div className="mt-1 border-line max-sm:border-b max-sm:pb-1">
            <CardActions find={find} hasPortalLink={false} />
          </div>
          <Facts find={find} details={details} />
        </div>
        <div className="grid min-w-0 grid-cols-1 content-start gap-8">
          {details ? (
            <>
              <Part title={t("home.price")}>
                <PricePlot details={details} />
              </Part>
              {details.kind === "homes" && details.pricePerM2Eur !== null && (
                <Part title={t("home.zone")}>
                  <ZoneStrip details={details} />
                </Part>
              )}
              {details.adverts.length > 1 && (
                <Part title={t("home.adverts")}>
                  <Adverts details={details} />
                </Part>
              )}
            </>
          ) : (
            <LoadingBlocks label={t("home.loading")} heights={["h-36", "h-36"]} />
          )}
        </div>
      </div>
      <div className="px-4 sm:px-6">
        <MessagePart userId={userId} find={find} />
      </div>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 gap-2">
      <h3 id={id} className="text-lg">
        {title}
      </h3>
      {children}
    </section>
  );
}

function Facts({ find, details }: Pick<HomeContentProps, "find" | "details">) {
  const t = useTexts("finds");
  const found = useClockTime(find.foundAt);
  const online = useOnline(find, details);
  const rows: [keyof typeof KINDS, string][] = [
    ["bathrooms", String(find.bathrooms ?? "")],
    ["exterior", find.isExterior === null ? "" : t(find.isExterior ? "home.exterior" : "home.interior")],
    ["online", online],
    ["found", found],
  ];
  return (
    <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 border-t border-line pt-4 text-md">
      {rows
        .filter(([, value]) => value !== "")
        .map(([kind, value]) => (
          <div key={kind} className="contents">
            <dt className="text-muted">{t(`home.kinds.${kind}`)}</dt>
            <dd className="figures text-right">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

const KINDS = { bathrooms: 1, exterior: 1, online: 1, found: 1 };
const DAY_MS = 86_400_000;

/** Whole days from the first advert that Sereno saw until the home was gone, or now. */
function useOnline(find: FoundHome, details: FindDetails | null): string {
  const t = useTexts("finds");
  const now = useContext(NowContext);
  if (!details) return "";
  const first = details.adverts.map(({ firstSeenAt }) => firstSeenAt).sort()[0] ?? find.foundAt;
  const until = find.goneAt === null ? now.getTime() : Date.parse(find.goneAt);
  const days = Math.floor((until - Date.parse(first)) / DAY_MS);
  return days < 1 ? t("home.onlineToday") : t("home.online", { count: days });
}

function Adverts({ details }: { details: FindDetails }) {
  const t = useTexts("finds");
  const language = useLanguage();
  const dateOf = (time: string) => momentHere(new Date(time), language, { dateStyle: "medium" });
  return (
    <ul className="divide-y divide-line rounded-xl border border-line px-4">
      {details.adverts.map((advert) => {
        const from = dateOf(advert.firstSeenAt);
        const until = advert.goneAt === null ? null : dateOf(advert.goneAt);
        return (
          <li
            key={advert.listingId}
            className="flex flex-wrap items-center justify-between gap-x-4 py-2 text-md"
          >
            <span className="grid">
              {advert.url.startsWith("https://") ? (
                <OutsideLink href={advertUrlIn(advert.url, language)}>
                  {t("home.advertCode", { code: advert.listingId })}
                </OutsideLink>
              ) : (
                t("home.advertCode", { code: advert.listingId })
              )}
              <span className="text-sm text-muted">
                {until === null ? t("home.advertSince", { from }) : t("home.advertSpan", { from, until })}
              </span>
            </span>
            <span className="figures font-semibold">{formatPrice(advert.priceEur, language)}</span>
          </li>
        );
      })}
    </ul>
  );
}
