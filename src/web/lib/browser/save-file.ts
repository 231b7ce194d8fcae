/** Hands the browser a file to keep. */
export function saveFile(name: string, file: Blob): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // Not at once: Safari reads the address only after the click was dealt with.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
