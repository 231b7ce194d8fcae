import { ChevronRight } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";

/** One stop of the Tab key; arrows go from row to row. */
export function RovingList({ children }: { children: ReactNode }) {
  const move = (event: KeyboardEvent<HTMLUListElement>) => {
    const rows = [...event.currentTarget.querySelectorAll("button")];
    const at = rows.indexOf(document.activeElement as HTMLButtonElement);
    const targets: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: rows.length - 1,
    };
    const target = rows[targets[event.key] ?? -1];
    if (!target) return;
    event.preventDefault();
    for (const row of rows) row.tabIndex = row === target ? 0 : -1;
    target.focus();
  };
  const listRef = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const rows = [...(listRef.current?.querySelectorAll("button") ?? [])];
    if (rows.some((row) => row.tabIndex === 0)) return;
    const [first] = rows;
    if (first) first.tabIndex = 0;
  });
  return (
    <ul ref={listRef} onKeyDown={move} className="-mx-2 grid content-start p-1">
      {children}
    </ul>
  );
}

interface RowProps {
  title: string;
  facts: readonly (string | undefined)[];
  onLookAt?(): void;
  onPress(): void;
}

export function ListRow({ title, facts, onLookAt, onPress }: RowProps) {
  return (
    <li>
      <button
        type="button"
        tabIndex={-1}
        onClick={onPress}
        onFocus={onLookAt}
        onMouseEnter={onLookAt}
        className="flex min-h-11 w-full cursor-pointer items-center gap-3 rounded-xl px-2 py-1.5 text-left -outline-offset-2 hover:bg-ink/6"
      >
        <span className="grid min-w-0 grow">
          <span className="figures leading-snug font-semibold wrap-anywhere">{title}</span>
          <span className="figures text-sm text-muted">{facts.filter(Boolean).join(" · ")}</span>
        </span>
        <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />
      </button>
    </li>
  );
}
