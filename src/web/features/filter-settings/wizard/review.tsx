import type { ReactNode } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { useTexts } from "#web/lib/i18n/use-texts.ts";
import { chatName } from "../chats/chat-name.ts";
import { useSearchForm } from "../form/search-form.ts";
import { LineOfLink, OpenOnPortal } from "../search/portal-link.tsx";
import type { Step } from "./use-steps.ts";

export function Review({ goTo }: { goTo(step: Step): void }) {
  const t = useTexts("filter");
  const { ids, understanding, chats } = useSearchForm();
  const nameOf = (id: string) => {
    const chat = chats?.find((one) => one.id === id);
    return chat?.state === "connected" ? chatName(t, id, chat) : chat?.title;
  };
  return (
    <div className="grid gap-6">
      <Part title={t("review.search")} change={t("review.changeSearch")} onChange={() => goTo(1)}>
        {understanding.state === "understood" && (
          <>
            <p className="text-lg leading-snug font-bold wrap-anywhere">{understanding.text}</p>
            <LineOfLink url={understanding.url} />
            <OpenOnPortal url={understanding.url} />
          </>
        )}
      </Part>
      <Part title={t("review.chats")} change={t("review.changeChats")} onChange={() => goTo(2)}>
        <ul className="grid gap-1.5">
          {ids.map((id) => (
            <li key={id} className="figures flex flex-wrap justify-between gap-x-4">
              {nameOf(id) && <span className="font-semibold wrap-anywhere">{nameOf(id)}</span>}
              <span className={nameOf(id) ? "text-muted" : "font-semibold"}>{id}</span>
            </li>
          ))}
        </ul>
      </Part>
    </div>
  );
}

interface PartProps {
  title: string;
  change: string;
  onChange(): void;
  children: ReactNode;
}

function Part({ title, change, onChange, children }: PartProps) {
  const t = useTexts("filter");
  return (
    <section
      aria-label={title}
      className="grid gap-3 rounded-2xl border border-line bg-surface p-5 shadow-card"
    >
      <div className="flex items-center justify-between gap-4">
        <h3 className="text-base text-muted">{title}</h3>
        <Button variant="link" size="line" aria-label={change} onClick={onChange}>
          {t("review.change")}
        </Button>
      </div>
      {children}
    </section>
  );
}
