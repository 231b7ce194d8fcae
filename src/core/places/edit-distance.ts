/** The number of letters to add, drop, change or swap (Damerau-Levenshtein); values above `most` are not exact. */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row++) {
    const current = nextRow(a, b, rows);
    if (Math.min(...current) > most) return most + 1;
    rows.push(current);
  }
  return rows.at(-1)?.[b.length] ?? most + 1;
}

function nextRow(a: string, b: string, rows: readonly (readonly number[])[]): number[] {
  const row = rows.length;
  const at = (above: number, column: number) => rows[row - above]?.[column] ?? Number.POSITIVE_INFINITY;
  const current = [row];
  for (let column = 1; column <= b.length; column++) {
    const isSame = a[row - 1] === b[column - 1];
    const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
    current.push(
      Math.min(
        at(1, column) + 1,
        (current[column - 1] ?? 0) + 1,
        at(1, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      ),
    );
  }
  return current;
}
