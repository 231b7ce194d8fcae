import { ArrowLeft } from "lucide-react";
import { useLocation } from "react-router";
import { basePathOf } from "#core/languages.ts";
import { LocalLink } from "../../components/local-link.tsx";
import { PageMeta } from "../../components/page-meta.tsx";
import { useTexts } from "../../lib/i18n/use-texts.ts";
import type { PageHandle } from "../../lib/site/page-handle.ts";

export const handle: PageHandle = { namespaces: ["legal"] };

interface LegalText {
  title: string;
  description: string;
  intro: string;
  backToHome: string;
  updated?: string;
  sections: readonly { id: string; title: string; paragraphs: readonly string[] }[];
}

/** The terms and the privacy policy differ only in their text. */
export default function LegalPage() {
  const t = useTexts("legal");
  // The address of a prerendered page ends with a slash.
  const page = basePathOf(useLocation().pathname).startsWith("/terms") ? "terms" : "privacy";
  const text: LegalText = t(page, { returnObjects: true });
  return (
    <div className="mx-auto grid max-w-6xl gap-x-12 px-5 py-8 md:px-6 md:py-14 lg:grid-cols-[15rem_1fr]">
      <PageMeta path={`/${page}`} title={`${text.title} · Sereno`} description={text.description} />
      <BackHome text={text} />
      <nav aria-label={text.title} className="hidden lg:row-span-2 lg:row-start-2 lg:block">
        <ol className="sticky top-8 grid gap-1 border-l border-line pt-1 text-md">
          {text.sections.map(({ id, title }) => (
            <li key={id}>
              <a
                href={`#${id}`}
                className="-ml-px block border-l border-transparent py-1.5 pl-4 text-muted hover:border-ink hover:text-ink"
              >
                {title}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <article className="min-w-0 max-w-[66ch]">
        <h1 className="text-3xl md:text-5xl">{text.title}</h1>
        {text.updated && <p className="mt-3 text-muted">{text.updated}</p>}
        <p className="mt-6 text-lg">{text.intro}</p>
        {text.sections.map(({ id, title, paragraphs }) => (
          <section key={id} id={id} className="mt-10 grid gap-3">
            <h2 className="text-xl md:text-2xl">{title}</h2>
            {paragraphs.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </section>
        ))}
      </article>
      <div className="mt-12 lg:col-start-2">
        <BackHome text={text} />
      </div>
    </div>
  );
}

function BackHome({ text }: { text: LegalText }) {
  return (
    <LocalLink
      to="/"
      className="mb-6 inline-flex min-h-11 items-center gap-2 text-muted underline-offset-4 hover:text-ink hover:underline lg:col-span-2"
    >
      <ArrowLeft aria-hidden className="size-4.5" />
      {text.backToHome}
    </LocalLink>
  );
}
