/** One small drawing per step, in the style of the landing page. The light turns on with the first mail. */
const frame = "h-14 w-auto overflow-visible sm:h-16";
const line = {
  stroke: "var(--ink)",
  strokeWidth: 2.5,
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;

export function AddressDrawing() {
  return (
    <svg viewBox="0 0 88 72" fill="none" aria-hidden="true" className={frame}>
      <rect x="26" y="3" width="36" height="30" rx="3" fill="var(--surface)" {...line} />
      <path d="m27 6 17 13L61 6" {...line} />
      <rect x="8" y="24" width="72" height="45" rx="8" fill="var(--surface)" {...line} />
      <path d="M22 35h44" {...line} strokeWidth={5} />
      <rect x="26" y="47" width="36" height="12" rx="3" fill="var(--line)" />
      <path d="M32 53h18" stroke="var(--strong-line)" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
}

export function ForwardDrawing() {
  return (
    <svg viewBox="0 0 88 72" fill="none" aria-hidden="true" className={frame}>
      <path
        d="M4 12h34M4 60h34"
        stroke="var(--strong-line)"
        strokeWidth="3"
        strokeLinecap="round"
        strokeDasharray="1 7"
      />
      <rect x="3" y="21" width="42" height="30" rx="4" fill="var(--surface)" {...line} />
      <path d="m5 25 19 14 19-14" {...line} />
      <path d="M53 36h28m-10-11 11 11-11 11" {...line} />
    </svg>
  );
}

export function ArrivalDrawing({ isLit }: { isLit: boolean }) {
  return (
    <svg viewBox="0 0 88 72" fill="none" aria-hidden="true" className={frame}>
      {isLit && <circle cx="66" cy="26" r="24" fill="var(--lantern)" opacity="0.28" />}
      <rect x="4" y="30" width="50" height="36" rx="4" fill="var(--surface)" {...line} />
      <path d="m6 35 23 17 23-17" {...line} />
      <path
        d="M57 16h18l-3.5 22h-11Z"
        fill={isLit ? "var(--lantern)" : "var(--surface)"}
        {...line}
        strokeWidth={2}
      />
      <path d="M55 16c2-5 6-8 11-8.500 5 .5 9 3.500 11 8.500Z" fill="var(--ink)" />
      <path d="M66 7V2M60 42h12" {...line} />
    </svg>
  );
}
