const UMLAUTS: Record<string, string> = { Ä: "AE", Ö: "OE", Ü: "UE" };

/** Whether someone typed the word they were asked for, in whatever case, with or without umlauts on their keyboard. */
export function isConfirmation(typed: string, word: string): boolean {
  return plain(typed) === plain(word);
}

function plain(text: string): string {
  return text
    .normalize("NFC")
    .trim()
    .toUpperCase()
    .replaceAll(/[ÄÖÜ]/g, (letter) => UMLAUTS[letter] ?? letter);
}
