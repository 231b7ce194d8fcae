import { cn } from "../lib/browser/class-names.ts";

export function Roofline({ className, isAsleep = false }: { className?: string; isAsleep?: boolean }) {
  return (
    <svg
      viewBox="0 0 1440 260"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
      className={cn("pointer-events-none absolute inset-x-0 bottom-0 h-40 w-full md:h-64", className)}
    >
      <path fill="#16213c" d={FAR} />
      <path fill="#0f182d" d={MIDDLE} />
      <path fill="#060a14" d={NEAR} />
      {!isAsleep && <path fill="#e9b765" opacity="0.75" d={WINDOWS} />}
    </svg>
  );
}

const FAR =
  "M0 260V196q90-22 170-14t150-10q80-16 170 2t190-8q90-14 180 0l60-6V66q9-9 18-9t16 7v92h12V44l30-8v120h10V52" +
  "q16-10 32 0v104h12V30l26 12v114h48l6-70 3-16 3 16 6 70h32q90 6 150 14t118-2V260Z";

const MIDDLE =
  "M0 260v-62h96v-14h34v14h62v-66h14v-30h16V76h14V60h6V46h4v14h16V46h4v14h6v16h14v26h16v30h14v72h70v-20h24v20h48" +
  "v-44h6l9-34 3-14 3 14 9 34h6v22h12c0-34 16-54 38-58v-14h5v-9h-4v-4h4v-6h4v6h4v4h-4v9h5v14c22 4 38 24 38 58h12v-22h6" +
  "l9-34 3-14 3 14 9 34h6v52h58v-16h30v16h62v-30h16v-56h10V70h8V54h8V38h10l3-16 3 16h10v16h8v16h8v22h10v56h16v42h72v-26h40" +
  "v26h64v-14h52v14h84v-22h30v22H1440V260Z";

const NEAR =
  "M0 260v-40l44-20 30 14v-18h12v24l34 16h40v-12l52-24 52 24v-4h10v-22h14v22h38l28-14 40 18V204h4v-26h2v26h34v12l46-20" +
  " 46 20h20v-18h12v18h52l40-20 44 20v-8h46v-14h10c2-24 14-38 30-42v-10h3l-12-12 13 5 2-9 2 9 13-5-12 12h3v10c16 4 28 18 30 42h10" +
  "v14h42l36-18 44 20v-28h12v28h30v-10l50-24 52 24h16v-30h3v-14h2v14h3v30h34l42-18 38 16v-20h14v20h36l44-22 52 24h24v-16h12" +
  "v16h40l34-16H1440V260Z";

const WINDOWS =
  "M222 120h5v8h-5zM252 98h5v8h-5zM268 142h5v8h-5zM612 236h6v9h-6zM96 236h6v9h-6zM346 238h6v8h-6zM434 234h6v9h-6z" +
  "M786 196h5v9h-5zM802 212h5v9h-5zM842 110h5v8h-5zM862 136h5v8h-5zM850 86h5v8h-5zM1040 238h6v8h-6zM1188 236h6v9h-6z" +
  "M1310 240h6v8h-6zM1398 236h6v9h-6zM952 240h6v8h-6zM706 240h6v8h-6z";
