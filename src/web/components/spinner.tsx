export function Spinner({ label }: { label: string }) {
  return (
    <div role="status" className="grid min-h-[60vh] place-items-center">
      <span className="sr-only">{label}</span>
      <span
        aria-hidden
        className="size-10 rounded-full border-3 border-line border-t-muted motion-safe:animate-spin motion-reduce:border-t-line"
      />
    </div>
  );
}
