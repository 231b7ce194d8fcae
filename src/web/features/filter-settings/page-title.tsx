import { useTexts } from "../../lib/use-texts.ts";

export function PageTitle() {
  return useTexts("common")("pages.filterSettings");
}
