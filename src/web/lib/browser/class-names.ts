import { type ClassValue, clsx } from "clsx";

/**
 * Joins class names. It does not resolve conflicts (the library for that is 10 kB): a component that must look
 * different has a variant, and `className` only adds what the component leaves open.
 */
export function cn(...names: ClassValue[]): string {
  return clsx(names);
}
