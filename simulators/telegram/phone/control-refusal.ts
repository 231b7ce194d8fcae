/** The hand asked for something that cannot be done. */
export class ControlRefusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export function unknown(what: string, id: unknown): ControlRefusal {
  return new ControlRefusal(404, `unknown-${what}`, `there is no ${what} ${String(id)}`);
}
