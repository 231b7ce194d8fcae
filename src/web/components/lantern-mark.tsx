/** The logo: a street lantern. Also drawn, larger, in public/icon.svg. */
export function LanternMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" fill="none" aria-hidden="true" className={className}>
      <circle cx="16" cy="4.25" r="2.25" stroke="currentColor" strokeWidth="1.75" />
      <path d="M9 11.5c1.6-3 4-4.9 7-5.2 3 .3 5.4 2.2 7 5.2Z" fill="currentColor" />
      <path
        d="M9.9 13.5h12.2l-1.5 10.2a1.4 1.4 0 0 1-1.4 1.2h-6.4a1.4 1.4 0 0 1-1.4-1.2Z"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinejoin="round"
      />
      <path
        d="M16 15.2c1.9 1.9 2.8 3.3 2.8 4.8a2.8 2.8 0 0 1-5.6 0c0-1.5.9-2.9 2.8-4.8Z"
        fill="var(--color-lantern)"
      />
      <path d="M10.5 28.5h11" stroke="currentColor" strokeWidth="2.25" strokeLinecap="round" />
    </svg>
  );
}
