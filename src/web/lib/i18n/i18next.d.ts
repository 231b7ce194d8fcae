import type { Namespaces } from "#text/namespaces.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: Namespaces;
    returnNull: false;
  }
}
