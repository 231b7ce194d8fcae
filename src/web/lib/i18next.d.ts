import type { Surfaces } from "./surfaces.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: Surfaces;
    returnNull: false;
  }
}
