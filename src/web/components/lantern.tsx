import { useId } from "react";
import { cn } from "../lib/browser/class-names.ts";

/** The lantern of the landing page. `isBright` turns it up for a moment. */
export function Lantern({ className, isBright = false }: { className?: string; isBright?: boolean }) {
  const glass = useId();
  return (
    <div className={cn("pointer-events-none absolute", className)}>
      <div
        className={cn(
          "absolute top-1/2 left-1/2 size-[34rem] -translate-x-1/2 -translate-y-1/2 rounded-full transition-opacity duration-200",
          "bg-[radial-gradient(closest-side,rgb(245_165_36/0.34),rgb(245_165_36/0.12)_38%,transparent_72%)]",
          isBright ? "opacity-100" : "opacity-75",
        )}
      />
      {/* The post fades out before it reaches the content above. */}
      <div className="absolute bottom-full left-1/2 hidden h-7 w-0.5 -translate-x-1/2 bg-linear-to-t from-[#3a486b] to-transparent lg:block" />
      <svg aria-hidden="true" viewBox="0 0 64 104" className="relative h-full w-auto overflow-visible">
        <defs>
          <radialGradient id={glass} cx="50%" cy="58%" r="62%">
            <stop offset="0" stopColor="#fff3d0" />
            <stop offset="0.35" stopColor="#ffcf6e" />
            <stop offset="1" stopColor="#e58a12" />
          </radialGradient>
        </defs>
        <path
          d="M32 2a9 9 0 0 1 9 9c0 4-4 6-9 9-5-3-9-5-9-9a9 9 0 0 1 9-9Z"
          fill="none"
          stroke="#3a486b"
          strokeWidth="3"
        />
        <path d="M14 38c4-10 10-16 18-18 8 2 14 8 18 18Z" fill="#24304c" />
        <path d="M10 38h44l-3 5H13Z" fill="#3a486b" />
        <path d="M15 43h34l-5 42H20Z" fill={`url(#${glass})`} />
        <path d="M32 56c5 6 8 10 8 15a8 8 0 0 1-16 0c0-5 3-9 8-15Z" fill="#fffaf0" />
        <path
          d="M15 43l5 42M49 43l-5 42M32 43v11M26.5 43l1.2 42M37.5 43l-1.2 42"
          stroke="#24304c"
          strokeWidth="2.2"
          opacity="0.85"
        />
        <path d="M17 85h30l3 7H14Z" fill="#24304c" />
        <path d="M11 92h42v5a4 4 0 0 1-4 4H15a4 4 0 0 1-4-4Z" fill="#3a486b" />
      </svg>
    </div>
  );
}
