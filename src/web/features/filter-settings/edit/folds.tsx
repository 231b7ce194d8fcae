import { ChevronDown } from "lucide-react";
import { Accordion } from "radix-ui";
import type { ReactNode } from "react";

interface FoldsProps {
  /** The name of the open part; empty if all are closed. */
  open: string;
  onOpen(name: string): void;
  children: ReactNode;
}

/** Parts of which one is open at a time. */
export function Folds({ open, onOpen, children }: FoldsProps) {
  return (
    <Accordion.Root
      type="single"
      collapsible
      value={open}
      onValueChange={onOpen}
      className="min-w-0 divide-y divide-line rounded-2xl border border-line bg-surface shadow-card"
    >
      {children}
    </Accordion.Root>
  );
}

interface FoldProps {
  name: string;
  title: string;
  /** Shown beside the title, open or closed. */
  summary?: ReactNode;
  children: ReactNode;
}

/** A closed part stays in the document, and keeps what was typed into it. */
export function Fold({ name, title, summary, children }: FoldProps) {
  return (
    <Accordion.Item value={name}>
      <Accordion.Header asChild>
        <h2 className="text-base tracking-normal">
          <Accordion.Trigger className="group flex min-h-12 w-full cursor-pointer items-center gap-3 rounded-2xl px-5 py-1.5 text-left focus-visible:-outline-offset-3 sm:min-h-14 sm:px-6 sm:py-2">
            <span className="flex min-w-0 flex-1 flex-wrap items-center justify-between gap-x-4 gap-y-0.5">
              <span>{title}</span>
              {summary}
            </span>
            <ChevronDown
              aria-hidden
              className="size-5 shrink-0 text-muted transition-transform duration-150 group-data-[state=open]:rotate-180"
            />
          </Accordion.Trigger>
        </h2>
      </Accordion.Header>
      <Accordion.Content forceMount className="px-5 pt-1 pb-5 data-[state=closed]:hidden sm:px-6 sm:pb-6">
        {children}
      </Accordion.Content>
    </Accordion.Item>
  );
}
