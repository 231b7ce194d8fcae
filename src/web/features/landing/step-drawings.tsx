/** One small drawing per step, where there is room; the light is on in the last one only. */
const frame = "hidden h-28 w-auto overflow-visible md:block";
const line = {
  stroke: "var(--ink)",
  strokeWidth: 2.5,
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;

export function PasteDrawing() {
  return (
    <svg viewBox="0 0 160 112" fill="none" aria-hidden="true" className={frame}>
      <rect x="6" y="10" width="124" height="92" rx="12" fill="var(--surface)" {...line} />
      <path d="M6 40h124" {...line} />
      <rect x="20" y="19" width="84" height="13" rx="6.5" fill="var(--line)" />
      <path d="M27 25.5h52" {...line} strokeWidth={3} />
      <rect x="20" y="52" width="30" height="22" rx="4" fill="var(--line)" />
      <path
        d="M60 56h50M60 66h34M20 86h30M60 86h42"
        stroke="var(--strong-line)"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <path
        d="M98 28l14 36 7-14 15-5Z"
        fill="var(--ink)"
        stroke="var(--surface)"
        strokeWidth="3"
        strokeLinejoin="round"
      />
    </svg>
  );
}

export function ConnectDrawing() {
  return (
    <svg viewBox="0 0 160 112" fill="none" aria-hidden="true" className={frame}>
      <rect x="6" y="8" width="124" height="42" rx="14" fill="var(--ink)" />
      <path d="m22 29 20-8-5 18-6-6Z" fill="var(--background)" />
      <path d="M54 29h40" stroke="var(--background)" strokeWidth="4" strokeLinecap="round" />
      <path
        d="M39 70h64a12 12 0 0 1 12 12v4a12 12 0 0 1-12 12H60l-14 11V98h-7a12 12 0 0 1-12-12v-4a12 12 0 0 1 12-12Z"
        fill="var(--surface)"
        {...line}
      />
      <path d="m43 84 6 6 10-12" {...line} strokeWidth={3.5} />
      <path d="M72 84h28" stroke="var(--strong-line)" strokeWidth="3" strokeLinecap="round" />
      <path
        d="M108 32l14 36 7-14 15-5Z"
        fill="var(--ink)"
        stroke="var(--background)"
        strokeWidth="3"
        strokeLinejoin="round"
      />
    </svg>
  );
}

export function DoorDrawing() {
  return (
    <svg viewBox="0 0 160 112" fill="none" aria-hidden="true" className={frame}>
      <path d="M74 104 8 110h112l-26-6Z" fill="var(--lantern)" opacity="0.35" />
      <path d="M42 104V24a28 28 0 0 1 56 0v80Z" fill="var(--lantern)" {...line} />
      <path d="M42 104V24c0-6 2-11 5-15l29 13v92Z" fill="var(--surface)" {...line} />
      <circle cx="68" cy="66" r="3.5" fill="var(--ink)" />
      <path d="M128 104V66m-8 0h16m-14-22h12l3 8-4 14h-10l-4-14Zm6-8v8" {...line} />
      <path d="M4 104h152" {...line} />
    </svg>
  );
}
