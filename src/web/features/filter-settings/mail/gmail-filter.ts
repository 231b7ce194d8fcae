export const ALERT_SENDER = "noresponder@idealista.com";
export const GMAIL_QUERY = `from:(${ALERT_SENDER})`;

/** A filter that Gmail can import: an Atom feed like those of its own export. */
export function gmailFilterFor(address: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xmlns:apps="http://schemas.google.com/apps/2006">
  <title>Mail Filters</title>
  <entry>
    <category term="filter"></category>
    <title>Mail Filter</title>
    <content></content>
    <apps:property name="from" value="${ALERT_SENDER}"/>
    <apps:property name="forwardTo" value="${escapeXml(address)}"/>
    <apps:property name="shouldNeverSpam" value="true"/>
  </entry>
</feed>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter);
}
