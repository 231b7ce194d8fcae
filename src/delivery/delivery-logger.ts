/** As much of a logger as delivery needs. */
export interface DeliveryLogger {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}
