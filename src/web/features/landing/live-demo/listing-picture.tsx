import type { ReactNode } from "react";
import type { Emoji } from "./demo-listing.ts";

/** Our own drawings of the emoji: many systems have none, and the others look different everywhere. */
export function ListingPicture({ emoji }: { emoji: Emoji }) {
  return (
    <span data-emoji={emoji} className="grid size-14 shrink-0 place-items-center rounded-xl bg-ink/7">
      <svg viewBox="0 0 32 32" fill="none" aria-hidden="true" className="size-9">
        {DRAWINGS[emoji]}
      </svg>
    </span>
  );
}

const WALL = "#d9c7a8";
const ROOF = "#c0563b";
const GLASS = "#8fb4dd";
const WOOD = "#9a6b45";
const BRASS = "#d8b15c";

const DRAWINGS: Record<Emoji, ReactNode> = {
  "🏠": (
    <>
      <path d="M6 15h20v13H6Z" fill={WALL} />
      <path d="M16 4 29 16H3Z" fill={ROOF} />
      <path d="M13.5 20h5v8h-5Z" fill={WOOD} />
      <path d="M8.5 18.5H12V22H8.5ZM20 18.5h3.5V22H20Z" fill={GLASS} />
    </>
  ),
  "🏢": (
    <>
      <path d="M7 4h18v24H7Z" fill={WALL} />
      <path d="M5.5 4h21v2.5h-21Z" fill={ROOF} />
      <path
        d="M10 9h3v3h-3Zm4.5 0h3v3h-3ZM19 9h3v3h-3Zm-9 5.5h3v3h-3Zm4.5 0h3v3h-3Zm4.5 0h3v3h-3ZM10 20h3v3h-3Zm9 0h3v3h-3Z"
        fill={GLASS}
      />
      <path d="M14 21h4v7h-4Z" fill={WOOD} />
    </>
  ),
  "🚪": (
    <>
      <path d="M7 28V12a9 9 0 0 1 18 0v16Z" fill={WALL} />
      <path d="M10 28V12.5a6 6 0 0 1 12 0V28Z" fill={WOOD} />
      <path d="M12 12.5a4 4 0 0 1 8 0v2h-8Z" fill={GLASS} />
      <circle cx="19.5" cy="20.5" r="1.2" fill={BRASS} />
    </>
  ),
  "🛋️": (
    <>
      <path d="M7 9.5A2.5 2.5 0 0 1 9.5 7h13A2.5 2.5 0 0 1 25 9.5V18H7Z" fill={GLASS} />
      <path d="M3 15.5a2.5 2.5 0 0 1 5 0V19h16v-3.5a2.5 2.5 0 0 1 5 0V25H3Z" fill="#5f8fc4" />
      <path d="M6 25h2.5v3H6Zm17.5 0H26v3h-2.5Z" fill={WOOD} />
    </>
  ),
  "🔑": (
    <>
      <circle cx="11" cy="11" r="6" stroke={BRASS} strokeWidth="3.5" />
      <path
        d="m15.5 15.5 11 11M22 22l3-3m-6 0 2.5-2.5"
        stroke={BRASS}
        strokeWidth="3.5"
        strokeLinecap="round"
      />
    </>
  ),
};
