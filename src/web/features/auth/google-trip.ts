const KEY = "googleTrip";

/** What a person was doing when they left for Google. The tab remembers it; the page does not survive the trip. */
export interface GoogleTrip {
  /** Where they had wanted to go. */
  from: string | null;
}

export function beginGoogleTrip(trip: GoogleTrip): void {
  try {
    window.sessionStorage.setItem(KEY, JSON.stringify(trip));
  } catch {
    // They still come back signed in; only where they had wanted to go is lost.
  }
}

/** Null when no trip is under way. */
export function endGoogleTrip(): GoogleTrip | null {
  try {
    const stored = window.sessionStorage.getItem(KEY);
    window.sessionStorage.removeItem(KEY);
    return stored === null ? null : { from: JSON.parse(stored).from ?? null };
  } catch {
    return null;
  }
}
