/** Explains PostgreSQL's log of a failed start in one sentence; undefined for an unknown cause. */
export function explainFailure(log: string, folder: string): string | undefined {
  return REASONS.find(([sign]) => sign.test(log))?.[1](folder);
}

const STILL_USED = /lock file "postmaster\.pid" already exists|pre-existing shared memory block/i;

/** The free port that was chosen was taken by another program before PostgreSQL could listen on it. */
const PORT_TAKEN = /could not bind .* address already in use/i;

/** Another attempt may succeed: processes of a killed server end by themselves, and each attempt chooses a port. */
export function isStillUsed(log: string): boolean {
  return STILL_USED.test(log) || PORT_TAKEN.test(log);
}

const REASONS: [RegExp, (folder: string) => string][] = [
  [
    /no space left on device|disk quota exceeded/i,
    (folder) => `The disk that holds ${folder} is full; free some space and start again, nothing was lost.`,
  ],
  [
    /database files are incompatible with server/i,
    (folder) =>
      `The data in ${folder} was written by another version of PostgreSQL; set DATA_DIR to another folder.`,
  ],
  [STILL_USED, (folder) => `Another PostgreSQL server is still using ${folder}; stop it and start again.`],
  [
    /permission denied|operation not permitted/i,
    (folder) =>
      `PostgreSQL isn't allowed to read or write ${folder}; check who owns it, or set DATA_DIR to another folder.`,
  ],
  [
    /cannot allocate memory|could not create shared memory/i,
    () => "There is not enough memory to start PostgreSQL; stop other programs or use a larger machine.",
  ],
];
