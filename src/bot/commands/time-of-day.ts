const format = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/Madrid",
  hour: "2-digit",
  minute: "2-digit",
});

/** "18:40" on the clocks of Madrid, which is where the homes are; all five languages write it so. */
export function timeOfDay(moment: Date): string {
  return format.format(moment);
}
