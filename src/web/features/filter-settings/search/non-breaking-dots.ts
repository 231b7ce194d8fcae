/** A line may end with a dot between two wishes, but not begin with one. */
export function withNonBreakingDots(words: string): string {
  return words.replaceAll(" · ", "\u00a0· ");
}
