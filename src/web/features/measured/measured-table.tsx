import type { ReactNode } from "react";
import { Panel } from "../../components/panel.tsx";

interface MeasuredTableProps {
  id: string;
  title: string;
  text: string;
  /** None if nothing was measured: then the text says so, without a table. */
  columns: readonly string[];
  children: ReactNode;
}

/** A table on a wide screen. On a narrow one each row is a block, with the column's name before each figure. */
export function MeasuredTable({ id, title, text, columns, children }: MeasuredTableProps) {
  return (
    <Panel isSpacious id={id} title={title} description={text}>
      {columns.length > 0 && (
        <table className="w-full border-collapse text-left max-sm:block" aria-labelledby={id}>
          <thead className="max-sm:sr-only">
            <tr className="border-b border-line text-md text-muted">
              {columns.map((column) => (
                <th key={column} scope="col" className="py-2 pr-4 align-bottom font-medium last:pr-0">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="max-sm:block">{children}</tbody>
        </table>
      )}
    </Panel>
  );
}

export function MeasuredRow({ name, cells }: { name: ReactNode; cells: readonly [string, string][] }) {
  return (
    <tr className="border-b border-line last:border-0 max-sm:grid max-sm:gap-1 max-sm:py-3">
      <th scope="row" className="py-3 pr-4 font-semibold max-sm:p-0">
        {name}
      </th>
      {cells.map(([label, value]) => (
        <td
          key={label}
          className="py-3 pr-4 tabular-nums last:pr-0 max-sm:flex max-sm:flex-wrap max-sm:justify-between max-sm:gap-x-4 max-sm:p-0"
        >
          <span aria-hidden className="text-muted sm:hidden">
            {label}
          </span>
          <span className="max-sm:ml-auto max-sm:text-right">{value}</span>
        </td>
      ))}
    </tr>
  );
}
