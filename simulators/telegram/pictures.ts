import type { PhotoSize } from "./model.ts";
import { badRequest } from "./refusal.ts";
import { checkLink } from "./text/check-link.ts";

type PictureOutcome = "ok" | "unreachable" | "not-a-picture" | "too-big";

/** Pictures by URL. Nothing is fetched: whether a URL leads to one is decided by the rules. */
export class Pictures {
  readonly #rules: { readonly contains: string; readonly outcome: PictureOutcome }[] = [];

  /** The last rule that fits counts; without any, every proper URL leads to a picture. */
  rule(contains: string, outcome: PictureOutcome): void {
    this.#rules.push({ contains, outcome });
  }

  photoOf(url: string): PhotoSize[] {
    if (url === "") throw badRequest("there is no photo in the request");
    if (!url.includes("://")) throw badRequest("wrong file identifier/HTTP URL specified");
    if (!checkLink(url).isFine) throw badRequest("wrong HTTP URL specified");
    switch (this.#rules.findLast(({ contains }) => url.includes(contains))?.outcome ?? "ok") {
      case "not-a-picture":
        throw badRequest("wrong type of the web page content");
      case "unreachable":
      case "too-big":
        throw badRequest("failed to get HTTP URL content");
      default: {
        const id = Buffer.from(url).toString("base64url");
        return [{ file_id: id, file_unique_id: id, width: 1280, height: 853 }];
      }
    }
  }
}

export function pictureUrlOf(photo: readonly PhotoSize[] | undefined): string | undefined {
  const id = photo?.at(-1)?.file_id;
  return id === undefined ? undefined : Buffer.from(id, "base64url").toString();
}
