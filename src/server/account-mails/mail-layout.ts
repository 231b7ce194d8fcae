/** The parts of a mail, as safe HTML. */
export type MailParts = {
  language: string;
  subject: string;
  preheader: string;
  heading: string;
  greeting: string;
  body: string;
  /** Missing if there is nothing to do. */
  link?: { button: string; url: string; fallback: string };
  expiry?: string;
  list?: readonly { title: string; facts: string; url: string }[];
  /** Switches mails of this kind off. */
  stop?: { text: string; url: string };
  notYou: string;
  signature: string;
  /** Who runs the service. */
  operator?: string;
};

const FONT = "font-family:Onest,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

// Mail clients support tables and inline styles. The style sheet only adds the dark theme, which they may ignore.
const STYLE = `
      :root { color-scheme: light dark; supported-color-schemes: light dark; }
      @media (prefers-color-scheme: dark) {
        .ground { background-color: #0b1220 !important; }
        .card { background-color: #131c31 !important; border-color: #26324d !important; }
        .ink { color: #eaeff9 !important; }
        .muted, .muted a { color: #9da9c2 !important; }
        .line { border-color: #26324d !important; }
      }
      @media (max-width: 620px) {
        .inside { padding-left: 24px !important; padding-right: 24px !important; }
      }`;

/** A letter with a dark blue header, one sentence, a button, and what to do if it was not you. */
export function mailLayout(parts: MailParts): string {
  return `<!doctype html>
<html lang="${parts.language}" dir="ltr">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="supported-color-schemes" content="light dark">
    <meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
    <title>${parts.subject}</title>
    <style>${STYLE}
    </style>
  </head>
  <body class="ground" style="margin:0;padding:0;background-color:#faf8f4;">
    <div style="display:none;max-height:0;overflow:hidden;font-size:1px;line-height:1px;color:#faf8f4;">${parts.preheader}</div>
    <table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#faf8f4" style="background-color:#faf8f4;">
      <tr>
        <td align="center" style="padding:32px 12px;">
          <table role="presentation" class="card" width="600" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff" style="width:100%;max-width:600px;background-color:#ffffff;border:1px solid #e6e1d8;border-radius:16px;border-collapse:separate;overflow:hidden;">
            <tr>
              <td class="inside" bgcolor="#0b1220" style="padding:24px 40px;background-color:#0b1220;${FONT};font-size:20px;line-height:28px;font-weight:700;letter-spacing:-0.02em;color:#eaeff9;">Sereno</td>
            </tr>
${rows(parts)}
          </table>
        </td>
      </tr>
    </table>
  </body>
</html>
`;
}

function rows(parts: MailParts): string {
  const { link } = parts;
  const text = `${FONT};font-size:16px;line-height:25px;color:#182135;`;
  const small = `${FONT};font-size:14px;line-height:22px;color:#5a6478;`;
  const row = (style: string, name: string, content: string) => `            <tr>
              <td class="inside ${name}" style="${style}">${content}</td>
            </tr>`;
  return [
    row(
      `padding:40px 40px 0;${FONT};font-size:26px;line-height:32px;font-weight:700;letter-spacing:-0.02em;color:#182135;`,
      "ink",
      `<h1 style="margin:0;font-size:26px;line-height:32px;font-weight:700;">${parts.heading}</h1>`,
    ),
    row(`padding:24px 40px 0;${text}`, "ink", parts.greeting),
    row(`padding:8px 40px 0;${text}`, "ink", parts.body),
    ...(parts.list ?? []).map(({ title, facts, url }) =>
      row(
        `padding:16px 40px 0;${text}`,
        "ink",
        `<a href="${url}" class="ink" style="color:#182135;font-weight:700;">${title}</a><br><span class="muted" style="color:#5a6478;">${facts}</span>`,
      ),
    ),
    link ? row("padding:32px 40px 0;", "", buttonOf(link)) : "",
    parts.expiry ? row(`padding:16px 40px 0;${small}`, "muted", parts.expiry) : "",
    link
      ? row(
          `padding:24px 40px 0;${small}`,
          "muted",
          `${link.fallback}<br><a href="${link.url}" style="color:#5a6478;word-break:break-all;">${link.url}</a>`,
        )
      : "",
    row(
      `padding:24px 40px 32px;${small}`,
      "muted",
      parts.stop
        ? `${parts.notYou} <a href="${parts.stop.url}" style="color:#5a6478;">${parts.stop.text}</a>`
        : parts.notYou,
    ),
    row(
      `padding:20px 40px;border-top:1px solid #e6e1d8;${small}`,
      "muted line",
      `${parts.signature}${parts.operator ? `<br>${parts.operator}` : ""}`,
    ),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function buttonOf({ url, button }: NonNullable<MailParts["link"]>): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td bgcolor="#f5a524" style="background-color:#f5a524;border-radius:12px;"><a href="${url}" style="display:inline-block;padding:14px 28px;${FONT};font-size:16px;line-height:20px;font-weight:700;color:#182135;text-decoration:none;">${button}</a></td></tr></table>`;
}
