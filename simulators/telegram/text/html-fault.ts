/** The mark-up cannot be read; the message is what the API says after "can't parse entities: ". */
export class HtmlFault extends Error {}
