import { createHash } from "node:crypto";
import type { PhotoSize } from "./model.ts";
import { badRequest } from "./refusal.ts";
import { checkLink } from "./text/check-link.ts";

export const PICTURE_OUTCOMES = ["ok", "unreachable", "not-a-picture", "too-big"] as const;
type PictureOutcome = (typeof PICTURE_OUTCOMES)[number];

interface StoredPicture {
  readonly url: string | undefined;
  readonly bytes: Buffer | undefined;
  readonly type: string;
}

const UPLOAD_LIMIT = 10 * 1024 * 1024;
const SIDES = [
  [90, 60],
  [320, 213],
  [800, 533],
  [1280, 853],
] as const;

/** Pictures in the chats. Nothing is fetched: whether a URL leads to one is decided by the rules. */
export class Pictures {
  readonly #stored = new Map<string, StoredPicture>();
  #rules: { contains: string; outcome: PictureOutcome }[] = [];

  /** The last rule that fits counts; without any, every proper URL leads to a picture. */
  rule(contains: string, outcome: PictureOutcome): void {
    this.#rules.push({ contains, outcome });
  }

  clearRules(): void {
    this.#rules = [];
  }

  get rules(): readonly { contains: string; outcome: PictureOutcome }[] {
    return this.#rules;
  }

  byUrl(url: string): PhotoSize[] {
    if (!checkLink(url).isFine) throw badRequest("wrong HTTP URL specified");
    switch (this.#rules.findLast(({ contains }) => url.includes(contains))?.outcome ?? "ok") {
      case "not-a-picture":
        throw badRequest("wrong type of the web page content");
      case "unreachable":
      case "too-big":
        throw badRequest("failed to get HTTP URL content");
      default:
        return this.#store(url, { url, bytes: undefined, type: "image/jpeg" });
    }
  }

  async byUpload(file: File): Promise<PhotoSize[]> {
    if (file.size === 0) throw badRequest("file must be non-empty");
    if (file.size > UPLOAD_LIMIT) {
      const sizes = `${file.size} bytes is too big for a photo; the maximum size is ${UPLOAD_LIMIT} bytes`;
      throw badRequest(`file of size ${sizes}`);
    }
    const bytes = Buffer.from(await file.arrayBuffer());
    const type = typeOf(bytes);
    if (type === undefined) throw badRequest("IMAGE_PROCESS_FAILED");
    return this.#store(bytes, { url: undefined, bytes, type });
  }

  byFileId(fileId: string): PhotoSize[] {
    const stored = this.find(fileId);
    if (stored === undefined) throw badRequest("wrong file identifier/HTTP URL specified");
    return this.#store(stored.url ?? stored.bytes ?? "", stored);
  }

  find(fileId: string): StoredPicture | undefined {
    return this.#stored.get(fileId.replace(/-\d$/, ""));
  }

  #store(key: string | Buffer, picture: StoredPicture): PhotoSize[] {
    const hash = createHash("sha256").update(key).digest("base64url");
    const id = `AgACAgSim${hash.slice(0, 32)}`;
    this.#stored.set(id, picture);
    return SIDES.map(([width, height], index) => ({
      file_id: `${id}-${index}`,
      file_unique_id: `AQAD${hash.slice(0, 11)}${index}`,
      file_size: picture.bytes?.length ?? Math.round((width * height) / 9),
      width,
      height,
    }));
  }
}

function typeOf(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return "image/jpeg";
  if (bytes.subarray(1, 4).toString("latin1") === "PNG") return "image/png";
  if (bytes.subarray(8, 12).toString("latin1") === "WEBP") return "image/webp";
  return undefined;
}
