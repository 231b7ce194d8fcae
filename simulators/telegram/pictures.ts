import type { PhotoSize } from "./model.ts";
import { badRequest, Refusal } from "./refusal.ts";
import { checkLink } from "./text/check-link.ts";

type PictureOutcome = "ok" | "unreachable" | "not-a-picture" | "too-big";

/** Pictures, uploaded or by URL. URLs are not fetched: rules decide whether they lead to a picture. */
export class Pictures {
  readonly #rules: { readonly contains: string; readonly outcome: PictureOutcome }[] = [];

  /** The last matching rule applies. Without one, every valid URL leads to a picture. */
  rule(contains: string, outcome: PictureOutcome): void {
    this.#rules.push({ contains, outcome });
  }

  photoOf(photo: string | Uint8Array): PhotoSize[] {
    return typeof photo === "string" ? this.#photoAt(photo) : uploadedPhoto(photo);
  }

  #photoAt(url: string): PhotoSize[] {
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
        return [photoSize(url, { width: 1280, height: 853 })];
      }
    }
  }
}

const MOST_BYTES = 10 * 1024 * 1024;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** https://core.telegram.org/bots/api#sendphoto: at most 10 MB, 10,000 pixels in sum, 20 to 1. Only PNG is read here. */
function uploadedPhoto(file: Uint8Array): PhotoSize[] {
  const bytes = Buffer.from(file);
  if (bytes.length === 0) throw badRequest("file must be non-empty");
  if (bytes.length > MOST_BYTES) throw new Refusal(413, "Request Entity Too Large");
  if (bytes.length < 33 || !bytes.subarray(0, PNG.length).equals(PNG))
    throw badRequest("IMAGE_PROCESS_FAILED");
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (width + height > 10_000 || Math.max(width / height, height / width) > 20) {
    throw badRequest("PHOTO_INVALID_DIMENSIONS");
  }
  return [photoSize(`data:image/png;base64,${bytes.toString("base64")}`, { width, height })];
}

/** The file id contains the picture's URL, for the phones. */
function photoSize(url: string, size: { width: number; height: number }): PhotoSize {
  const id = Buffer.from(url).toString("base64url");
  return { file_id: id, file_unique_id: id, ...size };
}

export function pictureUrlOf(photo: readonly PhotoSize[] | undefined): string | undefined {
  const id = photo?.at(-1)?.file_id;
  return id === undefined ? undefined : Buffer.from(id, "base64url").toString();
}
