export function saveFile(name: string, file: Blob): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // Safari reads the address only after the click event.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
